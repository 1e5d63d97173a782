import { afterAll, beforeAll, expect, test } from "bun:test"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import type { Scope } from "../../../src/domain/Token.ts"
import { clientFiles, clientPackage } from "../../../web/client/build.ts"
import { type App, appTests } from "../../support/app.ts"

const folder = mkdtempSync(join(tmpdir(), "linkbower-client-"))
const packed = join(folder, "node_modules/linkbower-client")
afterAll(() => rmSync(folder, { recursive: true, force: true }))
beforeAll(async () => {
  mkdirSync(packed, { recursive: true })
  for (const { bytes, path } of await clientFiles()) writeFileSync(join(packed, path), bytes)
})

const appTest = appTests()

/** The client of a program with these scopes; its `fetch` is the app. */
const clientOf = async (app: App, ...scopes: ReadonlyArray<Scope>) => {
  const { linkbower } = await import(join(packed, "index.js"))
  const made = await app.owner("POST", "/api/tokens", { name: crypto.randomUUID(), scopes })
  const { secret } = await made.json()
  return linkbower({
    url: "http://localhost/dashboard/",
    token: secret,
    fetch: (url: string, init: RequestInit) => {
      const { pathname, search } = new URL(url)
      const body = init.body === undefined ? undefined : String(init.body)
      return app.request(
        init.method ?? "GET",
        pathname + search,
        body,
        Object.fromEntries(new Headers(init.headers))
      )
    }
  })
}

appTest("the client's package saves, finds, changes and reads in the real service", async (app) => {
  const library = await clientOf(app, "read", "save", "change")
  const { link } = await library.save({ url: "https://example.org/?t=Typed", tags: ["a/b"] })
  expect((await library.links({ q: "typed", limit: 1, favorite: undefined })).links).toMatchObject([
    { id: link.id }
  ])
  expect((await library.link({ id: link.id })).link.url).toBe("https://example.org/?t=Typed")
  await library.mutate({ op: "tags", ids: [link.id], add: ["Über uns"] }, { links: "none" })
  const { tags } = await library.tags()
  for (const { name } of tags) expect((await library.tag({ name })).tag.name).toBe(name)
  expect(tags).not.toEqual([])
  await library.editCollection(
    { id: (await library.createCollection({ name: "Work / Effect" })).collection.id },
    { description: "Typed" }
  )
  expect((await library.highlights.ofLink({ id: link.id })).highlights).toEqual([])
  expect((await library.importFile("https://example.org/imported\n", { pages: "later" })).job.action).toBe(
    "import"
  )
  const exported = await library.exportLibrary({ format: "html" })
  expect(await exported.text()).toContain("https://example.org/?t=Typed")
})

appTest("what the service refuses is an error with its sentence", async (app) => {
  const { LinkbowerError } = await import(join(packed, "index.js"))
  const library = await clientOf(app, "read")
  const refused = await library.save({ url: "https://example.org" }).catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(LinkbowerError)
  expect(refused).toMatchObject({ status: 403, code: "insufficient_scope", needs: "save" })
  const missing = await library.link({ id: 99 }).catch((error: unknown) => error)
  expect(missing).toMatchObject({ status: 404, code: "not_found", message: "There is no link #99." })
})

test("its types compile, and refuse what the API does not have", async () => {
  writeFileSync(
    join(folder, "good.ts"),
    `import { type Link, linkbower, LinkbowerError } from "linkbower-client"
const library = linkbower({ url: "https://links.example.org", token: "lb_" })
export const titles = async (): Promise<string[]> => {
  const { links, nextCursor } = await library.links({ q: "x", limit: 10, sort: "newest" })
  const saved = await library.save({ url: "https://example.org", tags: ["a"] })
  const link: Link | undefined = "link" in saved ? saved.link : undefined
  await library.mutate({ op: "state", ids: [1], state: "archived" })
  const job = (await library.job({ id: 1 })).job
  if (job.action === "organize" && job.result !== null) return [String(job.result.filed)]
  const events: Response = await library.events()
  void [link, nextCursor, events, LinkbowerError]
  return links.map(({ title }) => title)
}
`
  )
  writeFileSync(
    join(folder, "bad.ts"),
    `import { linkbower } from "linkbower-client"
const library = linkbower({ url: "", token: "" })
// @ts-expect-error there is no such order
void library.links({ sort: "random-walk" })
// @ts-expect-error an address is needed
void library.save({ note: "x" })
// @ts-expect-error there is no such state
void library.mutate({ op: "state", ids: [1], state: "gone" })
// @ts-expect-error there is no such field
void library.link({ id: 1 }).then(({ link }) => link.nothing)
// @ts-expect-error the library's own secrets are not there
void library.tokens
`
  )
  writeFileSync(
    join(folder, "tsconfig.json"),
    JSON.stringify({
      compilerOptions: {
        strict: true,
        noEmit: true,
        target: "ESNext",
        module: "NodeNext",
        types: [],
        lib: ["ESNext", "DOM"],
        skipLibCheck: false
      },
      files: ["good.ts", "bad.ts"]
    })
  )
  const tsc = resolve("node_modules/.bin/tsc")
  const child = Bun.spawn([tsc, "-p", folder], { stdout: "pipe", stderr: "pipe" })
  expect(await new Response(child.stdout).text()).toBe("")
  expect(await child.exited).toBe(0)
})

test("the package has the same bytes each time, and depends on nothing", async () => {
  expect(await clientPackage()).toEqual(await clientPackage())
  const manifest = await Bun.file(join(packed, "package.json")).json()
  expect([manifest.name, manifest.dependencies]).toEqual(["linkbower-client", undefined])
  expect(await Bun.file(join(packed, "index.js")).text()).not.toContain("import ")
})
