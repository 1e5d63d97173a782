import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test"
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { Effect } from "effect"
import * as Database from "../../src/store/Database.ts"
import { threadsOf } from "../support/dyingThreads.ts"
import { type RawLink, randomOf, writeLinks } from "../support/randomLibrary.ts"
import {
  makeClient,
  makeWorld,
  type Running,
  startService,
  until,
  update,
  type World
} from "../support/service.ts"

// A test that is cut off would take the service with it.
setDefaultTimeout(240_000)

const ROOT = resolve(import.meta.dir, "../..")
const LINKS = 2_000
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

/** The service as people start it, with threads that the test can let die. */
const command = [
  process.execPath,
  "--preload",
  join(ROOT, "test/support/dyingThreads.ts"),
  join(ROOT, "src/main.ts"),
  "serve"
]

let world: World
let service: Running
let living: string
let threads: ReturnType<typeof threadsOf>

/** Starts a service with a new library of 2,000 links for the tests of one part. */
const withLibrary = () => {
  beforeAll(async () => {
    world = await makeWorld()
    living = mkdtempSync(join(tmpdir(), "linkbower-living-"))
    threads = threadsOf(living)
    const folder = mkdtempSync(join(tmpdir(), "linkbower-threads-"))
    mkdirSync(join(folder, "data"))
    await Effect.runPromise(
      Effect.provide(writeLinks(links), Database.layer(join(folder, "data", "library.db")))
    )
    service = await startService({ ...world.settings, LIVING: living }, folder, command)
    await until(
      async () => (await jobs()).some(({ action, state }) => action === "reindex" && state === "done"),
      60
    )
  })
  afterAll(async () => {
    await service.stop()
    service.clean()
    rmSync(living, { recursive: true })
    await world.stop()
  })
}

const client = () => makeClient(service, world)

interface SeenJob {
  readonly id: number
  readonly action: string
  readonly state: string
  readonly error: string | null
  readonly result: Record<string, number> | null
}

const jobs = async (): Promise<ReadonlyArray<SeenJob>> =>
  (await (await client().owner("GET", "/api/jobs")).json()).jobs
const start = async (body: unknown): Promise<SeenJob> =>
  (await (await client().owner("POST", "/api/action", body)).json()).job
const ended = ({ id }: SeenJob): Promise<SeenJob> =>
  until(async () => {
    const { job } = await (await client().owner("GET", `/api/jobs/${id}`)).json()
    return job.state === "running" ? undefined : job
  }, 60)
const importText = async (text: string): Promise<SeenJob> => {
  const answer = await fetch(`${service.base}/dashboard/api/import?name=list.txt&pages=later`, {
    method: "POST",
    headers: {
      "cf-access-jwt-assertion": await world.gateway.token(),
      "content-type": "application/octet-stream"
    },
    body: text
  })
  return (await answer.json()).job
}
const search = (q: string) => client().owner("GET", `/api/links?q=${encodeURIComponent(q)}&limit=5`)
const health = async () => (await fetch(`${service.base}/healthz`)).json()
const healthy = () => until(async () => (await health()).status === "ok", 90)

/** Runs work again and again until it is told to stop; gives what each round came to. */
const meanwhile = <A>(work: () => Promise<A>) => {
  let isOn = true
  const all: Array<A> = []
  const run = (async () => {
    while (isOn) all.push(await work())
  })()
  return async () => {
    isOn = false
    await run
    return all
  }
}

describe("a thread of a running service that dies", () => {
  withLibrary()

  test("while searches run costs none of them its answer, and searches go on", async () => {
    const stop = meanwhile(() => Promise.all(subjects.map(async (words) => (await search(words)).status)))
    for (let round = 0; round < 2; round++) {
      await Bun.sleep(150)
      expect(threads.kill("ReaderThread")).toBe(1)
      await until(() => threads.known("ReaderThread").length === 1, 30)
      await healthy()
    }
    expect(new Set((await stop()).flat())).toEqual(new Set([200]))
    const found = await (await search("tomatoes")).json()
    expect([found.links.length, found.links[0].title]).toEqual([5, expect.stringContaining("tomatoes")])
  })

  test("as the service starts ends the service, which says so", async () => {
    const elsewhere = mkdtempSync(join(tmpdir(), "linkbower-living-"))
    threadsOf(elsewhere).forbid("ReaderThread")
    const starting = startService({ ...world.settings, LIVING: elsewhere }, undefined, command)
    await expect(starting).rejects.toThrow(/ended with 1:[\s\S]*The search thread did not start/)
  })

  test("for as long as it cannot live costs searches alone, which say so at once", async () => {
    const saved = await client()
      .owner("GET", "/api/meta")
      .then((meta) => meta.json())
    threads.forbid("ReaderThread")
    threads.kill("ReaderThread")
    await until(async () => (await health()).status === "degraded")
    expect((await health()).problems).toEqual(["search"])

    const [first, ...others] = await Promise.all(Array.from({ length: 20 }, () => search("bread")))
    expect([first, ...others].map((response) => response?.status)).toEqual(Array(20).fill(503))
    expect(await first?.json()).toEqual({
      error: "unavailable",
      message: "Search is not available right now. Try again in a minute."
    })
    await client().webhook(update("tomatoes"))
    await until(() => world.telegram.texts().some((text) => text.startsWith("Search is not available")), 30)

    // Saves, lists and pages do not search.
    const capture = await client().capture({ url: `${world.pages.url}/plain?t=Xylophone+tuning` })
    expect([capture.status, (await capture.json()).title]).toEqual([200, "Xylophone tuning"])
    await client().webhook(update(`${world.pages.url}/plain?t=Zither+strings`))
    const [zither, xylophone] = await until(async () => {
      const newest = await client().links("?limit=2")
      return newest[0]?.title === "Zither strings" && newest.every((one) => one.enrichment !== "pending")
        ? newest
        : undefined
    }, 30)
    expect([zither?.enrichment, xylophone?.enrichment]).toEqual(["complete", "complete"])
    expect((await client().owner("GET", "")).status).toBe(200)
    expect((await client().owner("GET", "?q=bread")).status).toBe(200)
    expect((await client().owner("GET", "/api/links?sort=title&limit=5")).status).toBe(200)
    expect(service.output()).not.toMatch(/giving up arrival/)

    for (const body of [{ action: "dupes" }, { action: "organize", dryRun: true }]) {
      const job = await ended(await start(body))
      expect([job.state, job.error]).toEqual(["failed", expect.stringContaining("the search thread stopped")])
    }

    threads.allow("ReaderThread")
    await healthy()
    expect((await (await search("xylophone")).json()).total).toBe(1)
    expect((await (await client().owner("GET", "/api/meta")).json()).total).toBe(saved.total + 2)
  })

  test("while links are saved costs no link anything", async () => {
    const stop = meanwhile(async () => (await search("cake")).status)
    const titles = Array.from({ length: 12 }, (_, n) => `Harpsichord ${n}`)
    const saves = titles.map(async (title, n) => {
      await Bun.sleep(n * 120)
      const url = `${world.pages.url}/plain?t=${encodeURIComponent(title)}`
      return (await client().capture({ url })).status
    })
    for (let round = 0; round < 2; round++) {
      await Bun.sleep(500)
      threads.kill("ReaderThread")
    }
    expect((await Promise.all(saves)).every((status) => status === 200 || status === 202)).toBe(true)
    await until(async () => {
      const newest = await client().links("?limit=12")
      return newest.every(({ enrichment }) => enrichment === "complete") && newest
    }, 30)
    await stop()
    await healthy()
    expect((await client().links("?q=harpsichord")).map(({ title }) => title).toSorted()).toEqual(
      titles.toSorted()
    )
  })

  for (const [name, body] of Object.entries({
    "a search for duplicates": { action: "dupes" },
    "a plan": { action: "organize", dryRun: true }
  }))
    test(`under ${name} is replaced once, and the job ends as it would have`, async () => {
      const undisturbed = await ended(await start(body))
      expect(undisturbed.state).toBe("done")
      const searching = threads.known("ReaderThread")
      expect(searching).toHaveLength(1)
      const job = await start(body)
      await until(() => threads.kill("ReaderThread", searching) > 0)
      const again = await ended(job)
      expect([again.state, again.result]).toEqual(["done", undisturbed.result])
      await until(() => threads.known("ReaderThread").length >= 1)
      // A plan's thread is no part of the search.
      expect(await health()).toMatchObject({ status: "ok" })
    })

  test("under an import is replaced, and each link comes once", async () => {
    const before = (await (await client().owner("GET", "/api/meta")).json()).total
    const count = 6_000
    const job = await importText(
      Array.from({ length: count }, (_, n) => `https://example.org/imported/${n}`).join("\n")
    )
    await until(() => threads.known("ImportThread").length === 1)
    await until(
      async () => (await (await client().owner("GET", "/api/meta")).json()).total > before + 500,
      60
    )
    expect(threads.kill("ImportThread")).toBe(1)
    expect(await ended(job)).toMatchObject({
      state: "done",
      result: { found: count, created: count, merged: 0 }
    })
    expect((await (await client().owner("GET", "/api/meta")).json()).total).toBe(before + count)
  })

  test("twice under an import ends the job with its reason", async () => {
    threads.forbid("ImportThread")
    const job = await ended(await importText("https://example.org/never\n"))
    threads.allow("ImportThread")
    expect([job.state, job.error]).toEqual(["failed", expect.stringContaining("died twice")])
    const next = await ended(await importText("https://example.org/later\n"))
    expect(next).toMatchObject({ state: "done", result: { created: 1 } })
  })

  test("under searches of the public list is replaced, and its outage is reported", async () => {
    let visitor = 0
    const list = async (q: string) => {
      const headers = { "x-forwarded-for": `198.51.${Math.floor(visitor / 250)}.${visitor++ % 250}` }
      return (await fetch(`${service.base}/list/api/links?q=${q}`, { headers })).status
    }
    expect(await list("bread")).toBe(200)
    const stop = meanwhile(() => Promise.all(["tomatoes", "sqlite", "cake"].map(list)))
    await Bun.sleep(100)
    expect(threads.kill("PublicThread")).toBe(1)
    await until(() => threads.known("PublicThread").length === 1, 30)
    await healthy()
    expect(new Set((await stop()).flat())).toEqual(new Set([200]))

    threads.forbid("PublicThread")
    threads.kill("PublicThread")
    await until(async () => (await health()).status === "degraded")
    expect((await health()).problems).toEqual(["public-search"])
    expect([await list("bread"), (await search("bread")).status]).toEqual([503, 200])
    threads.allow("PublicThread")
    await healthy()
    expect(await list("bread")).toBe(200)
  })
})

const figuresOf = (pid: number) => {
  const status = readFileSync(`/proc/${pid}/status`, "latin1")
  const figure = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(status)?.[1] ?? 0)
  return {
    threads: figure("Threads"),
    files: readdirSync(`/proc/${pid}/fd`).length,
    megabytes: Math.round(figure("RssAnon") / 1024)
  }
}

/** The figures once they no longer fall: a thread that has ended takes a moment to go. */
const settled = async (pid: number) => {
  let last = figuresOf(pid)
  for (let same = 0; same < 10; ) {
    await Bun.sleep(200)
    const now = figuresOf(pid)
    same = now.threads < last.threads || now.files < last.files ? 0 : same + 1
    last = now
  }
  return last
}

describe("a running service after many jobs", () => {
  withLibrary()

  test.skipIf(process.platform !== "linux")("has the threads and open files it had before", async () => {
    const kinds = [
      async () => (await ended(await start({ action: "dupes" }))).state,
      async () => (await ended(await start({ action: "organize", dryRun: true }))).state,
      async () =>
        (await ended(await importText("https://example.org/small/1\nhttps://example.org/small/2\n"))).state,
      async () => {
        const file = await client().owner("GET", "/api/export?format=json")
        return (await file.text()).length > 100_000 ? "done" : "empty"
      }
    ]
    const round = async () => {
      for (const kind of kinds) expect(await kind()).toBe("done")
    }
    // What is only made once, such as compiled code, is made before the figures are taken.
    await round()
    const before = await settled(service.pid)
    for (let job = 0; job < 50; job += kinds.length) await round()
    const after = await settled(service.pid)
    console.log("before and after 50 jobs:", before, after)
    expect(after.threads).toBeLessThanOrEqual(before.threads + 2)
    expect(after.files).toBeLessThanOrEqual(before.files + 5)
  })
})
