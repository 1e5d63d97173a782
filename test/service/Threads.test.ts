import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test"
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { threadsIn } from "../support/dyingThreads.ts"
import { numberIn } from "../support/libraryFile.ts"
import { folderWith, type RawLink, randomOf } from "../support/randomLibrary.ts"
import { until, update } from "../support/service.ts"
import { useTestService, withTestService } from "../support/testService.ts"
import { byTier, long } from "../support/tier.ts"

// A guard against hanging: a test that is cut off would take the service with it, and some wait for the starts of others.
setDefaultTimeout(600_000)

const LINKS = byTier(60, 500)
const IMPORTED = byTier(300, 2_000)
/** Deaths of a thread in a row. */
const DEATHS = byTier(1, 2)
const JOBS = 8
const random = randomOf(7)
const subjects = ["sourdough bread", "guitar chords", "sqlite indexes", "balcony tomatoes", "vegan cake"]
const pick = (all: ReadonlyArray<string>) => all[Math.floor(random() * all.length)] ?? ""

const links = Array.from({ length: LINKS }, (_, n): RawLink => {
  const about = subjects[n % subjects.length] ?? ""
  return {
    title: `${about} number ${n}`,
    summary: `About ${about}, ${pick(subjects)} and ${pick(subjects)}.`,
    collection: null,
    createdAt: `2026-01-${String(10 + (n % 9))}T00:00:00.000Z`,
    shareable: n % 2 === 0,
    category: "reading",
    tags: ["one"]
  }
})

const threadsFolder = mkdtempSync(join(tmpdir(), "linkbower-threads-"))
afterAll(() => rmSync(threadsFolder, { recursive: true, force: true }))
const threads = threadsIn(threadsFolder)

const service = useTestService(async () => ({
  folder: await folderWith(links),
  settings: { TEST_THREADS: threadsFolder }
}))
const client = () => service().client
// The library was written without vectors.
beforeAll(async () => {
  const library = join(service().running.folder, "data", "library.db")
  await until(() => numberIn(library, "SELECT count(*) FROM embedding_queue") === 0)
})
const finish = async (body: object) => client().ended((await client().start(body)).id)
const search = (q: string) => client().owner("GET", `/api/links?q=${encodeURIComponent(q)}&limit=5`)
const isHealthy = () => until(async () => (await client().health()).status === "ok")

/** Repeats work until it is told to stop; that returns every result. */
const meanwhile = <A>(work: () => Promise<A>) => {
  let isOn = true
  const all: Array<A> = []
  const run = (async () => {
    while (isOn) {
      all.push(await work())
      await Bun.sleep(10)
    }
  })()
  return async () => {
    isOn = false
    await run
    return all
  }
}

const usageOf = (pid: number) => {
  const status = readFileSync(`/proc/${pid}/status`, "latin1")
  return {
    threads: Number(/^Threads:\s+(\d+)/m.exec(status)?.[1] ?? 0),
    files: readdirSync(`/proc/${pid}/fd`).length
  }
}

/** The usage once it no longer falls: a thread that has ended takes a moment to go. */
const settledUsage = async (pid: number) => {
  let last = usageOf(pid)
  for (let same = 0; same < 10; ) {
    await Bun.sleep(100)
    const now = usageOf(pid)
    same = now.threads < last.threads || now.files < last.files ? 0 : same + 1
    last = now
  }
  return last
}

long(test.skipIf(process.platform !== "linux"))(
  "a service has no more threads and open files after many jobs",
  async () => {
    const kinds = [
      async () => (await finish({ action: "dupes" })).state,
      async () => (await finish({ action: "organize", dryRun: true })).state,
      async () => {
        const { id } = await client().upload(["https://example.org/small/1", "https://example.org/small/2"])
        return (await client().ended(id)).state
      },
      async () => {
        const file = await client().owner("GET", "/api/export?format=json")
        return (await file.text()).length > 100_000 ? "done" : "empty"
      }
    ]
    const round = async () => {
      for (const kind of kinds) expect(await kind()).toBe("done")
    }
    const { pid } = service().running
    // The first round loads what stays loaded, such as compiled code.
    await round()
    const before = await settledUsage(pid)
    for (let jobs = 0; jobs < JOBS; jobs += kinds.length) await round()
    const after = await settledUsage(pid)
    console.log(`before and after ${JOBS} jobs:`, before, after)
    expect(after.threads).toBeLessThanOrEqual(before.threads + 2)
    expect(after.files).toBeLessThanOrEqual(before.files + 5)
  }
)

describe("a thread that dies", () => {
  test("during searches is replaced, and every search is answered", async () => {
    const stop = meanwhile(() => Promise.all(subjects.map(async (words) => (await search(words)).status)))
    for (let round = 0; round < DEATHS; round++) {
      await Bun.sleep(150)
      expect(threads.kill("reader")).toBe(1)
      await until(() => threads.running("reader").length === 1)
      await isHealthy()
    }
    expect(new Set((await stop()).flat())).toEqual(new Set([200]))
    const found = await (await search("tomatoes")).json()
    expect([found.links.length, found.links[0].title]).toEqual([5, expect.stringContaining("tomatoes")])
  })

  long(test)("as the service starts keeps it from searching, not from saving", async () => {
    const elsewhere = mkdtempSync(join(tmpdir(), "linkbower-threads-"))
    threadsIn(elsewhere).forbid("reader")
    // The thread of an empty library starts with the first search.
    const folder = await folderWith(links)
    await withTestService({ folder, settings: { TEST_THREADS: elsewhere } }, async ({ client, world }) => {
      await until(async () => (await client.health()).status === "degraded")
      expect((await client.health()).problems).toEqual(["search"])
      expect((await client.capture({ url: `${world.pages.url}/plain` })).status).toBe(200)
    })
    rmSync(elsewhere, { recursive: true })
  })

  test("again and again makes searches fail at once, and nothing else", async () => {
    const { world } = service()
    const before = await client().count()
    threads.forbid("reader")
    threads.kill("reader")
    await until(async () => (await client().health()).status === "degraded")
    expect((await client().health()).problems).toEqual(["search"])

    const [first, ...others] = await Promise.all(Array.from({ length: 20 }, () => search("bread")))
    expect([first, ...others].map((response) => response?.status)).toEqual(Array(20).fill(503))
    expect(await first?.json()).toEqual({
      error: "unavailable",
      message: "Search is not available right now. Try again in a minute."
    })
    await client().webhook(update("tomatoes"))
    await until(() => world.telegram.texts().some((text) => text.startsWith("Search is not available")))

    // Saves, lists and pages need no search.
    const capture = await client().capture({ url: `${world.pages.url}/plain?t=Xylophone+tuning` })
    expect([capture.status, (await capture.json()).title]).toEqual([200, "Xylophone tuning"])
    await client().webhook(update(`${world.pages.url}/plain?t=Zither+strings`))
    const [zither, xylophone] = await until(async () => {
      const newest = await client().links("?limit=2")
      return newest[0]?.title === "Zither strings" && newest.every((one) => one.enrichment !== "pending")
        ? newest
        : undefined
    })
    expect([zither?.enrichment, xylophone?.enrichment]).toEqual(["complete", "complete"])
    expect((await client().owner("GET", "")).status).toBe(200)
    expect((await client().owner("GET", "?q=bread")).status).toBe(200)
    expect((await client().owner("GET", "/api/links?sort=title&limit=5")).status).toBe(200)
    expect(service().running.output()).not.toMatch(/giving up arrival/)

    for (const body of [{ action: "dupes" }, { action: "organize", dryRun: true }]) {
      const job = await finish(body)
      expect([job.state, job.error]).toEqual(["failed", expect.stringContaining("the search thread stopped")])
    }

    threads.allow("reader")
    await isHealthy()
    expect((await (await search("xylophone")).json()).total).toBe(1)
    expect(await client().count()).toBe(before + 2)
  })

  long(test)("during saves costs no link anything", async () => {
    const { world } = service()
    const stop = meanwhile(async () => (await search("cake")).status)
    const titles = Array.from({ length: 12 }, (_, n) => `Harpsichord ${n}`)
    const saves = titles.map(async (title, n) => {
      await Bun.sleep(n * 60)
      const url = `${world.pages.url}/plain?t=${encodeURIComponent(title)}`
      return (await client().capture({ url })).status
    })
    for (let round = 0; round < DEATHS; round++) {
      await Bun.sleep(250)
      threads.kill("reader")
    }
    expect((await Promise.all(saves)).every((status) => status === 200 || status === 202)).toBe(true)
    await until(async () => {
      const newest = await client().links("?limit=12")
      return newest.every(({ enrichment }) => enrichment === "complete") && newest
    })
    await stop()
    await isHealthy()
    expect((await client().links("?q=harpsichord")).map(({ title }) => title).toSorted()).toEqual(
      titles.toSorted()
    )
  })

  for (const [name, body, register] of [
    ["a search for duplicates", { action: "dupes" }, long(test)],
    ["a plan", { action: "organize", dryRun: true }, test]
  ] as const)
    register(`during ${name} is replaced once, and the job has the same result`, async () => {
      const undisturbed = await finish(body)
      expect(undisturbed.state).toBe("done")
      const searching = threads.running("reader")
      expect(searching).toHaveLength(1)
      const job = await client().start(body)
      await until(() => threads.kill("reader", searching) > 0)
      const again = await client().ended(job.id)
      expect([again.state, again.result]).toEqual(["done", undisturbed.result])
      await until(() => threads.running("reader").length >= 1)
      // A plan has its own thread, which the health check does not count.
      expect(await client().health()).toMatchObject({ status: "ok" })
    })

  long(test)("during an import is replaced, and each link comes once", async () => {
    const before = await client().count()
    const { id } = await client().upload(
      Array.from({ length: IMPORTED }, (_, n) => `https://example.org/imported/${n}`)
    )
    await until(() => threads.running("import").length === 1)
    await until(async () => (await client().count()) > before)
    expect(threads.kill("import")).toBe(1)
    expect(await client().ended(id)).toMatchObject({
      state: "done",
      result: { found: IMPORTED, created: IMPORTED, merged: 0 }
    })
    expect(await client().count()).toBe(before + IMPORTED)
  })

  long(test)("twice during an import ends the job with its reason", async () => {
    const importOne = async (url: string) => client().ended((await client().upload([url])).id)
    threads.forbid("import")
    const job = await importOne("https://example.org/never")
    threads.allow("import")
    expect([job.state, job.error]).toEqual(["failed", expect.stringContaining("died twice")])
    expect(await importOne("https://example.org/later")).toMatchObject({
      state: "done",
      result: { created: 1 }
    })
  })

  long(test)("during searches of the public list is replaced, and its outage is reported", async () => {
    let visitor = 0
    const list = async (q: string) => {
      const headers = { "x-forwarded-for": `198.51.${Math.floor(visitor / 250)}.${visitor++ % 250}` }
      return (await fetch(`${service().running.base}/list/api/links?q=${q}`, { headers })).status
    }
    expect(await list("bread")).toBe(200)
    const stop = meanwhile(() => Promise.all(["tomatoes", "sqlite", "cake"].map(list)))
    await Bun.sleep(100)
    expect(threads.kill("public")).toBe(1)
    await until(() => threads.running("public").length === 1)
    await isHealthy()
    expect(new Set((await stop()).flat())).toEqual(new Set([200]))

    threads.forbid("public")
    threads.kill("public")
    await until(async () => (await client().health()).status === "degraded")
    expect((await client().health()).problems).toEqual(["public-search"])
    expect([await list("bread"), (await search("bread")).status]).toEqual([503, 200])
    threads.allow("public")
    await isHealthy()
    expect(await list("bread")).toBe(200)
  })
})
