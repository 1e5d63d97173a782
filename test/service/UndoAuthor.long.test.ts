import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test"
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { Effect } from "effect"
import { type Author, CurrentAuthor } from "../../src/domain/Author.ts"
import { LinkId } from "../../src/domain/Link.ts"
import { EditCollections } from "../../src/library/EditCollections.ts"
import { EditLinks } from "../../src/library/EditLinks.ts"
import { makeLibrary, numberIn } from "../support/libraryFile.ts"
import { offlineAt } from "../support/libraryOf.ts"
import { AS_RELEASED } from "../support/program.ts"
import { until } from "../support/service.ts"
import { checkIndexes, contents } from "../support/takeBack.ts"
import { type TestService, withTestService } from "../support/testService.ts"

// A guard against hanging: a test that is cut off would take the service with it.
setDefaultTimeout(600_000)

const LINKS = 2_000
const CHANGES = 5_000
const PROGRAM: Author = "token:importer"
const by = (author: Author) => Effect.provideService(CurrentAuthor, author)

const root = mkdtempSync(join(tmpdir(), "linkbower-undo-"))
afterAll(() => rmSync(root, { recursive: true, force: true }))
const fileIn = (name: string) => join(root, name, "data", "library.db")

/** What a program does to a link, by turns. The words are in no page, and some of it makes a link public. */
const program = (edits: EditLinks["Type"], n: number) => {
  const id = LinkId.make(1 + ((n * 7) % LINKS))
  const kinds = [
    edits.change([id], { note: `zebra ${n}` }),
    edits.change([id], { tagging: { add: ["zebras", `z${n % 50}`] } }),
    edits.change([id], { category: "zoology" }),
    edits.change([id], { favorite: true }),
    edits.change([id], { shareable: true }),
    edits.change([id], { collection: "Stable / Zebras" }),
    edits.change([id], { title: `A zebra called ${n}` })
  ]
  return kinds[n % kinds.length] ?? Effect.void
}

/** What the owner does meanwhile: to fields that the program has changed, will change, or leaves alone. */
const owner = (edits: EditLinks["Type"], n: number) => {
  const id = LinkId.make(1 + ((n * 7 + (n % 4 === 0 ? 0 : 7)) % LINKS))
  const kinds = [
    edits.change([id], { note: `a quokka, ${n}` }),
    edits.change([id], { category: "quokkas" }),
    edits.change([id], { title: `A quokka called ${n}` }),
    edits.change([id], { collection: "Mine" }),
    edits.change([id], { state: "archived" })
  ]
  return kinds[n % kinds.length] ?? Effect.void
}

/** Changes the library: the owner alone, or the owner and a program that ends by moving some links to the trash. */
const work = (file: string, withProgram: boolean) =>
  Effect.gen(function* () {
    const edits = yield* EditLinks
    const byProgram = (n: number) => Effect.when(by(PROGRAM)(program(edits, n)), () => withProgram)
    for (let n = 0; n < CHANGES - 100; n++) {
      yield* byProgram(n)
      if (n % 5 === 0) yield* owner(edits, n)
    }
    if (!withProgram) return
    for (let n = 0; n < 100; n++) yield* by(PROGRAM)(edits.trash([LinkId.make(LINKS - n * 3)]))
  }).pipe(Effect.provide(offlineAt(file)), Effect.scoped, Effect.runPromise)

const withoutTimes = (text: string) => text.replaceAll(/"?(?:updated|deleted)(?:At)?"?[>:]"?[^"<,]*/g, "")

/** What the service shows of the library, on every side. */
const shown = async ({ client, running }: TestService) => {
  const seen: Record<string, string> = {}
  for (const path of ["links?limit=5000", "links?q=zebra", "links?q=quokka&limit=200", "tags", "meta"])
    seen[path] = withoutTimes(await (await client.owner("GET", `/api/${path}`)).text())
  for (const path of ["list/api/links", "list/api/links?q=zebra", "list/feed.xml", "list"])
    seen[path] = withoutTimes(
      (await (await fetch(`${running.base}/${path}`)).text()).replaceAll(running.base, "")
    )
  return seen
}

const stored = (file: string) =>
  Effect.gen(function* () {
    yield* checkIndexes
    return yield* contents
  }).pipe(Effect.provide(offlineAt(file)), Effect.scoped, Effect.runPromise)

/** Runs a service on the library until its vectors follow its texts; returns what it shows and then holds. */
const run = async (name: string, body: (service: TestService) => Promise<void>) => {
  const file = fileIn(name)
  const all: Record<string, unknown> = {}
  const isEmbedded = () => numberIn(file, "SELECT count(*) FROM embedding_queue") === 0
  await withTestService({ folder: join(root, name), settings: AS_RELEASED }, async (service) => {
    await until(isEmbedded)
    await body(service)
    await until(isEmbedded)
    Object.assign(all, await shown(service))
    expect(await service.running.stop()).toBe(0)
    Object.assign(all, await stored(file))
  })
  return all
}

/** Starts the undo of all that the program did; returns the job's number. */
const undo = async ({ client }: TestService): Promise<number> => {
  // There is one token, which a second call finds.
  await client.owner("POST", "/api/tokens", { name: "importer", scopes: ["read"] })
  const [token] = (await (await client.owner("GET", "/api/tokens")).json()).tokens
  const answer = await client.owner("POST", `/api/tokens/${token.id}/undo`, {})
  expect(answer.status).toBe(202)
  return (await answer.json()).job.id
}

const theirs = (file: string) =>
  numberIn(file, "SELECT count(*) FROM links WHERE note LIKE 'zebra%' OR category = 'zoology'")

let wanted: Record<string, unknown> = {}

beforeAll(async () => {
  const base = join(root, "base.db")
  await makeLibrary(base, LINKS)
  await Effect.gen(function* () {
    yield* (yield* EditCollections).create({ name: "Mine" })
  }).pipe(Effect.provide(offlineAt(base)), Effect.scoped, Effect.runPromise)
  for (const name of ["owner", "both"]) {
    mkdirSync(dirname(fileIn(name)), { recursive: true })
    copyFileSync(base, fileIn(name))
    await work(fileIn(name), name === "both")
  }
  mkdirSync(dirname(fileIn("killed")), { recursive: true })
  copyFileSync(fileIn("both"), fileIn("killed"))
  wanted = await run("owner", async () => {})
})

test(`the undo of ${CHANGES} changes of a program leaves what the owner's changes alone would have made`, async () => {
  const undone = await run("both", async (service) => {
    expect(theirs(fileIn("both"))).toBeGreaterThan(0)
    const began = performance.now()
    const { result, state } = await service.client.ended(await undo(service))
    console.log(`${CHANGES} changes undone in ${((performance.now() - began) / 1000).toFixed(1)} s`)
    expect([state, result]).toEqual(["done", expect.objectContaining({ changes: CHANGES })])
    expect(Number(result?.["skipped"])).toBeGreaterThan(0)
  })
  for (const [part, value] of Object.entries(wanted)) expect([part, undone[part]]).toEqual([part, value])
})

test("so does one that is killed in the middle", async () => {
  const file = fileIn("killed")
  let partial = 0
  const undone = await run("killed", async (service) => {
    const all = theirs(file)
    for (let round = 0; theirs(file) === all; round++) {
      await undo(service)
      // The first kill comes before a link has changed, the next right after some have.
      if (round > 0) while (theirs(file) === all) await Bun.sleep(1)
      await service.running.stop("SIGKILL")
      const left = theirs(file)
      if (left > 0 && left < all) partial++
      await service.restart()
      expect([all, 0]).toContain(theirs(file))
      expect(numberIn(file, "SELECT count(*) FROM changes WHERE finished = 0")).toBe(0)
    }
    const { result } = await service.client.ended(await undo(service))
    expect(result).toMatchObject({ changes: 0 })
  })
  console.log(`killed in the middle: ${partial}`)
  for (const [part, value] of Object.entries(wanted)) expect([part, undone[part]]).toEqual([part, value])
})
