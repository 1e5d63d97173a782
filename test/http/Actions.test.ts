import { afterAll, describe, expect, test } from "bun:test"
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { InboxStore } from "../../src/store/inbox/InboxStore.ts"
import { type App, appTests, makeApp, ownAppTest, type SeenJob } from "../support/app.ts"
import { writeLinks } from "../support/randomLibrary.ts"

const appTest = appTests()

/** An app for requests that change nothing. */
const empty = makeApp()
afterAll(() => empty.dispose())

const run = async (app: App, body: object) => app.ended(await app.start(body))

const save = async (app: App, ...all: ReadonlyArray<readonly [path: string, title: string]>) => {
  for (const [path, t] of all)
    await app.capture({ url: `https://example.org/${path}?${new URLSearchParams({ t })}` })
}

const bread = [
  ["a", "Sourdough bread recipe with a long rise"],
  ["b", "Rye bread recipe with sourdough"],
  ["c", "Easy sourdough bread recipe for beginners"],
  ["d", "Bread recipe: a simple sourdough loaf"]
] as const

describe("POST /dashboard/api/action", () => {
  appTest("organizes: dry run, run and undo", async (app) => {
    await save(app, ...bread, ["e", "The Ottoman navy in the sixteenth century"])
    const isUnfiled = async () => (await app.links()).every(({ collection }) => collection === null)
    const dry = await run(app, { action: "organize", dryRun: true })
    expect(dry).toMatchObject({ state: "done", done: 5, total: 5, result: { filed: 4, collections: 1 } })
    expect(dry.undo).toBeUndefined()
    expect(await isUnfiled()).toBe(true)

    const done = await run(app, { action: "organize" })
    expect(done).toMatchObject({ state: "done", result: { filed: 4, collections: 1 } })
    const filed = await app.links()
    expect(new Set(filed.slice(0, 4).map(({ collection }) => collection?.name)).size).toBe(1)
    expect(filed[0]?.collection?.name).toMatch(/\S/)
    expect(filed[4]?.collection).toBeNull()

    const authors = async () => (await (await app.owner("GET", "/api/links/1")).json()).history
    expect(await authors()).toMatchObject([{ author: "job", token: done.undo }])

    const undone = await app.owner("POST", "/api/mutate", { op: "undo", token: done.undo })
    expect(undone.status).toBe(200)
    expect(await authors()).toMatchObject([{ author: "owner" }, { author: "job" }])
    expect(await isUnfiled()).toBe(true)
    expect((await app.ended(done)).undo).toBeUndefined()
  })

  appTest("refreshes a link and keeps its title set by hand", async (app) => {
    await save(app, ["a", "Tea"])
    await app.owner("POST", "/api/mutate", { op: "edit", ids: [1], title: "By hand" })
    const started = await app.start({ action: "refresh", id: 1 })
    expect([started.action, started.total]).toEqual(["refresh", 1])
    expect(await app.ended(started)).toMatchObject({
      state: "done",
      done: 1,
      result: { link: { id: 1, title: "By hand" } },
      error: null
    })
    await app.owner("POST", "/api/mutate", { op: "delete", ids: [1], forever: true })
    expect((await app.owner("GET", `/api/jobs/${started.id}`)).status).toBe(404)
  })

  for (const [body, status, part] of [
    [{ action: "explode" }, 400, '"action"'],
    [{}, 400, '"action"'],
    [{ action: "refresh" }, 400, '"id"'],
    [{ action: "refresh", id: 99 }, 404, ""],
    [{ action: "organize", dryRun: "yes" }, 400, '"dryRun"'],
    [{ action: "recategorize", all: "yes" }, 400, '"all"']
  ] as const)
    test(`rejects ${JSON.stringify(body)}`, async () => {
      const response = await empty.owner("POST", "/api/action", body)
      expect([response.status, (await response.json()).message]).toEqual([
        status,
        expect.stringContaining(part)
      ])
    })
})

describe("GET /dashboard/api/jobs/{id}", () => {
  for (const [id, status] of [
    ["7", 404],
    ["x", 400]
  ] as const)
    test(`answers ${status} to ${id}`, async () =>
      expect((await empty.owner("GET", `/api/jobs/${id}`)).status).toBe(status))
})

describe("GET /dashboard/api/jobs", () => {
  const jobs = async (app: App): Promise<ReadonlyArray<SeenJob>> =>
    (await (await app.owner("GET", "/api/jobs")).json()).jobs

  appTest("lists the newest jobs with counts, without links", async (app) => {
    expect(await jobs(app)).toEqual([])
    await save(app, ...bread)
    await run(app, { action: "dupes" })
    const organized = await run(app, { action: "organize" })
    expect(await jobs(app)).toMatchObject([
      { id: organized.id, action: "organize", state: "done", undo: organized.undo },
      { action: "dupes", state: "done" }
    ])
    expect((await jobs(app)).map(({ result }) => result)).toEqual([
      { filed: 4, collections: 1 },
      { found: 0 }
    ])
  })

  appTest("lists the last 20 jobs, without finished refreshes", async (app) => {
    await save(app, ["a", "Tea"])
    const numbers = JSON.stringify(Array.from({ length: 20 }, (_, n) => n))
    await app.run(
      Effect.flatMap(
        SqlClient.SqlClient,
        (sql) => sql`INSERT INTO jobs (action, state, started_at, ended_at)
          SELECT 'organize', 'done', '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:01.000Z' FROM json_each(${numbers})`
      )
    )
    await run(app, { action: "organize", dryRun: true })
    await run(app, { action: "refresh", id: 1 })
    expect((await jobs(app)).map(({ id }) => id)).toEqual(Array.from({ length: 20 }, (_, n) => 21 - n))
  })

  ownAppTest("lists running jobs before finished ones", async (app) => {
    const url = "https://example.org/slow?ms=600000"
    const about = {
      collection: null,
      createdAt: "2026-01-01T00:00:00.000Z",
      shareable: false,
      category: "reading",
      tags: []
    }
    await app.run(writeLinks([{ ...about, title: "Slow", url }]))
    const refresh = await app.start({ action: "refresh", id: 1 })
    await run(app, { action: "dupes" })
    expect(await jobs(app)).toMatchObject([
      { id: refresh.id, action: "refresh", state: "running", result: null },
      { action: "dupes", state: "done" }
    ])
  })
})

/** Reads a stream of events. */
const readEvents = (response: Response) => {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  if (reader === undefined) throw new Error("the response has no body")
  let text = ""
  return {
    /** Reads on until the text holds a match, and returns its first group. */
    until: async (pattern: RegExp) => {
      for (;;) {
        const match = pattern.exec(text)
        if (match !== null) return match[1]
        const { done, value } = await reader.read()
        if (done) throw new Error(`the stream ended before ${pattern}`)
        text += value
      }
    },
    cancel: () => reader.cancel()
  }
}

describe("GET /dashboard/api/events", () => {
  ownAppTest("reports links saved, changed and deleted, and jobs", async (app) => {
    const response = await app.owner("GET", "/api/events")
    expect(response.headers.get("content-type")).toBe("text/event-stream")
    expect(response.headers.get("cache-control")).toBe("no-store")
    const events = readEvents(response)
    await events.until(/retry:/)
    await save(app, ...bread)
    await events.until(/event: link\ndata: \{"change":"saved","ids":\[1\],"links":\[\{"id":1,/)
    await app.owner("POST", "/api/mutate", { op: "favorite", ids: [1], favorite: true })
    await events.until(/"change":"changed"/)
    const { id } = await app.start({ action: "organize" })
    await events.until(new RegExp(`event: job\ndata: \\{"id":${id},"action":"organize","state":"running"`))
    // The event has counts; the job itself has the lists.
    const told = await events.until(new RegExp(`event: job\ndata: (\\{"id":${id},.*"state":"done".*)\n\n`))
    expect(JSON.parse(told ?? "").result).toEqual({ filed: 4, collections: 1 })
    expect((await app.ended({ id })).result).toMatchObject({ moves: Array(4).fill({}) })
    await app.owner("POST", "/api/mutate", { op: "delete", ids: [1] })
    await events.until(/event: link\ndata: \{"change":"deleted","ids":\[1\],"links":\[\]\}/)
    await events.cancel()
  })

  appTest("begins with the revision, by which a page knows whether it has missed a change", async (app) => {
    const revision = async () => {
      const events = readEvents(await app.owner("GET", "/api/events"))
      const text = await events.until(/event: revision\ndata: (\{.*\})\n\n/)
      await events.cancel()
      return JSON.parse(text ?? "").revision
    }
    const shown = async () => {
      const html = await (await app.owner("GET", "")).text()
      return /"revision":"([^"]+)"/.exec(html)?.[1]
    }
    const before = await shown()
    expect([await revision(), await shown()]).toEqual([before, before])
    await save(app, ["a", "A title"])
    expect(await revision()).not.toBe(before)
    expect(await shown()).toBe(await revision())
  })

  test("serves 200 listeners, and others once some have left", async () => {
    const open = () => empty.owner("GET", "/api/events")
    const readers = (await Promise.all(Array.from({ length: 200 }, open))).map(({ body }) =>
      body?.getReader()
    )
    await Promise.all(readers.map((one) => one?.read()))
    const rejected = await open()
    expect([rejected.status, rejected.headers.get("retry-after")]).toEqual([503, "5"])
    await readers[0]?.cancel()
    let again = await open()
    for (let n = 0; n < 200 && again.status !== 200; n++) {
      await Bun.sleep(5)
      again = await open()
    }
    expect(again.status).toBe(200)
    await Promise.all([again.body?.cancel(), ...readers.map((one) => one?.cancel())])
  })

  appTest("counts no listener that never reads, such as a HEAD request", async (app) => {
    for (let n = 0; n < 205; n++) expect((await app.owner("HEAD", "/api/events")).status).toBe(200)
    const response = await app.owner("GET", "/api/events")
    expect(response.status).toBe(200)
    await response.body?.cancel()
  })
})

for (const path of ["jobs", "events"])
  test(`GET /dashboard/api/${path} rejects requests without a token`, async () =>
    expect((await empty.request("GET", `/dashboard/api/${path}`)).status).toBe(403))

describe("GET /dashboard/api/action/recategorize", () => {
  appTest(
    "counts the links and requests, and starts nothing",
    async (app) => {
      await save(app, ...bread)
      await app.owner("POST", "/api/mutate", { op: "category", ids: [1], category: "mine" })
      const estimate = async (query = "") =>
        (await app.owner("GET", `/api/action/recategorize${query}`)).json()
      expect(await estimate()).toEqual({ links: 3, requests: 1, resumes: false })
      expect(await estimate("?all=true")).toEqual({ links: 4, requests: 1, resumes: false })
      expect(await estimate("?all=maybe")).toEqual({
        error: "bad_request",
        message: 'The parameter "all" must be true or false.'
      })
      const { jobs } = await (await app.owner("GET", "/api/jobs")).json()
      expect(jobs).toEqual([])
    },
    { ANTHROPIC_API_KEY: "a-key" }
  )
})

describe("failed arrivals", () => {
  appTest("are listed, retried and dismissed", async (app) => {
    const keep = (key: string, path: string) =>
      app.run(
        Effect.gen(function* () {
          const inbox = yield* InboxStore
          const payload = JSON.stringify({ url: `https://example.org/${path}?t=Kept` })
          const { id } = yield* inbox.keep({ source: "capture", key, payload }, true)
          yield* inbox.giveUp(id)
          return id
        })
      )
    const [first, second] = [await keep("1", "a"), await keep("2", "b")]
    expect(await (await app.owner("GET", "/api/failures")).json()).toMatchObject({
      partial: 0,
      arrivals: [
        { id: second, source: "capture", text: "https://example.org/b?t=Kept" },
        { id: first, source: "capture", text: "https://example.org/a?t=Kept" }
      ]
    })
    expect((await app.owner("POST", `/api/failures/${first}`)).status).toBe(200)
    const left = await (await app.owner("DELETE", `/api/failures/${second}`)).json()
    expect(left.arrivals).toEqual([])
    await app.settled()
    expect(await app.links()).toMatchObject([{ url: "https://example.org/a?t=Kept", title: "Kept" }])
    expect((await app.owner("POST", `/api/failures/${first}`)).status).toBe(404)
    expect(await run(app, { action: "retry" })).toMatchObject({
      state: "done",
      result: { tried: 0, complete: 0, arrivals: 0 }
    })
    for (const [query, total] of [
      ["is%3Apartial", 0],
      ["-is%3Apartial", 1]
    ] as const)
      expect((await (await app.owner("GET", `/api/links?q=${query}`)).json()).total).toBe(total)
  })
})
