import { describe, expect, test } from "bun:test"
import { Effect } from "effect"
import { InboxStore } from "../../src/store/inbox/InboxStore.ts"
import { type App, makeApp } from "../support/app.ts"

const withApp = (name: string, body: (app: App) => Promise<void>, settings: Record<string, string> = {}) =>
  test(name, async () => {
    const app = makeApp(settings)
    try {
      await body(app)
    } finally {
      await app.dispose()
    }
  })

interface SeenJob {
  readonly id: number
  readonly action: string
  readonly state: string
  readonly done: number
  readonly total: number
  readonly result: unknown
  readonly undo?: string
}

const act = async (app: App, body: unknown) => {
  const response = await app.owner("POST", "/api/action", body)
  expect(response.status).toBe(202)
  const { job }: { job: SeenJob } = await response.json()
  return job
}

const ended = async (app: App, { id }: Pick<SeenJob, "id">): Promise<SeenJob> => {
  for (;;) {
    const { job }: { job: SeenJob } = await (await app.owner("GET", `/api/jobs/${id}`)).json()
    if (job.state !== "running") return job
    await Bun.sleep(5)
  }
}

const save = async (app: App, ...all: ReadonlyArray<readonly [path: string, title: string]>) => {
  for (const [path, t] of all)
    await app.capture({ url: `https://example.org/${path}?${new URLSearchParams({ t })}` })
}

interface SeenLink {
  readonly id: number
  readonly title: string
  readonly collection: { readonly name: string } | null
}
const links = async (app: App): Promise<ReadonlyArray<SeenLink>> =>
  (await (await app.owner("GET", "/api/links?sort=oldest")).json()).links

const bread = [
  ["a", "Sourdough bread recipe with a long rise"],
  ["b", "Rye bread recipe with sourdough"],
  ["c", "Easy sourdough bread recipe for beginners"],
  ["d", "Bread recipe: a simple sourdough loaf"]
] as const

describe("POST /dashboard/api/action", () => {
  withApp("organizes: a dry run says what it would do, then it is done, then taken back", async (app) => {
    await save(app, ...bread, ["e", "The Ottoman navy in the sixteenth century"])
    const dry = await ended(app, await act(app, { action: "organize", dryRun: true }))
    expect(dry).toMatchObject({ state: "done", done: 5, total: 5, result: { filed: 4, collections: 1 } })
    expect(dry.undo).toBeUndefined()
    expect((await links(app)).every(({ collection }) => collection === null)).toBe(true)

    const done = await ended(app, await act(app, { action: "organize" }))
    expect(done).toMatchObject({ state: "done", result: { filed: 4, collections: 1 } })
    const filed = await links(app)
    expect(new Set(filed.slice(0, 4).map(({ collection }) => collection?.name)).size).toBe(1)
    expect(filed[0]?.collection?.name).toMatch(/\S/)
    expect(filed[4]?.collection).toBeNull()

    const back = await app.owner("POST", "/api/mutate", { op: "undo", token: done.undo })
    expect(back.status).toBe(200)
    expect((await links(app)).every(({ collection }) => collection === null)).toBe(true)
    expect((await ended(app, done)).undo).toBeUndefined()
  })

  withApp("finds duplicates and shows them as they are now", async (app) => {
    await save(
      app,
      ["one", "A guide to growing tomatoes"],
      ["two", "A guide to growing tomatoes"],
      ["z", "Bridge rules"]
    )
    const job = await ended(app, await act(app, { action: "dupes" }))
    expect(job.result).toMatchObject({
      groups: [{ reason: "near-identical", links: [{ id: 1 }, { id: 2 }] }]
    })
    await app.owner("POST", "/api/mutate", { op: "merge", ids: [2], into: 1 })
    expect((await ended(app, job)).result).toEqual({ groups: [] })
  })

  withApp(
    "recategorizes what the owner set with all alone, and gives it back as the owner's",
    async (app) => {
      await save(app, ...bread)
      const seen = async () =>
        (await (await app.owner("GET", "/api/links?sort=oldest")).json()).links.map(
          (link: { readonly category: string }) => link.category
        )
      const run = async (body: object) => ended(app, await act(app, { action: "recategorize", ...body }))
      await app.owner("POST", "/api/mutate", { op: "category", ids: [1], category: "mine" })
      for (const body of [{}, { all: false }, { byHand: true }])
        expect((await run(body)).result).toEqual({ changed: 0, categories: 2 })

      const job = await run({ all: true })
      expect(job.result).toEqual({ changed: 1, categories: 1 })
      expect(await seen()).toEqual(["reading", "reading", "reading", "reading"])
      expect((await app.owner("POST", "/api/mutate", { op: "undo", token: job.undo })).status).toBe(200)
      expect((await run({})).result).toEqual({ changed: 0, categories: 2 })
      expect(await seen()).toEqual(["mine", "reading", "reading", "reading"])
    }
  )

  withApp("recategorizes without a model, and refreshes one link", async (app) => {
    await save(app, ...bread)
    const job = await ended(app, await act(app, { action: "recategorize" }))
    expect(job).toMatchObject({
      action: "recategorize",
      state: "done",
      done: 4,
      result: { changed: 0, categories: 1 }
    })
    expect(await ended(app, await act(app, { action: "refresh", id: 1 }))).toMatchObject({
      state: "done",
      result: { link: { id: 1 } }
    })
  })

  for (const [body, field] of [
    [{ action: "explode" }, '"action"'],
    [{}, '"action"'],
    [{ action: "refresh" }, '"id"'],
    [{ action: "organize", dryRun: "yes" }, '"dryRun"'],
    [{ action: "recategorize", all: "yes" }, '"all"']
  ] as const)
    withApp(`refuses ${JSON.stringify(body)}, naming the field`, async (app) => {
      const response = await app.owner("POST", "/api/action", body)
      expect(response.status).toBe(400)
      expect((await response.json()).message).toContain(field)
    })

  withApp("knows no job that never was", async (app) => {
    expect((await app.owner("GET", "/api/jobs/7")).status).toBe(404)
    expect((await app.owner("GET", "/api/jobs/x")).status).toBe(400)
  })
})

describe("GET /dashboard/api/jobs", () => {
  const jobs = async (app: App): Promise<ReadonlyArray<SeenJob>> =>
    (await (await app.owner("GET", "/api/jobs")).json()).jobs

  withApp("tells what came of the newest jobs, in counts and without their lists", async (app) => {
    expect(await jobs(app)).toEqual([])
    await save(app, ...bread)
    await ended(app, await act(app, { action: "dupes" }))
    const organized = await ended(app, await act(app, { action: "organize" }))
    expect(await jobs(app)).toMatchObject([
      { id: organized.id, action: "organize", state: "done", undo: organized.undo },
      { action: "dupes", state: "done" }
    ])
    expect((await jobs(app)).map(({ result }) => result)).toEqual([
      { filed: 4, collections: 1 },
      { found: 0 }
    ])
  })

  withApp("keeps the last 20, and no look at one link that has ended among them", async (app) => {
    await save(app, ["a", "Tea"])
    const dry = { action: "organize", dryRun: true }
    for (let n = 0; n < 21; n++) await ended(app, await act(app, dry))
    await ended(app, await act(app, { action: "refresh", id: 1 }))
    expect((await jobs(app)).map(({ id }) => id)).toEqual(Array.from({ length: 20 }, (_, n) => 21 - n))
  })

  withApp("shows what runs before what has ended", async (app) => {
    await app.capture({ url: "https://example.org/slow?t=Slow" })
    await app.settled()
    const refresh = await act(app, { action: "refresh", id: 1 })
    await ended(app, await act(app, { action: "dupes" }))
    expect(await jobs(app)).toMatchObject([
      { id: refresh.id, action: "refresh", state: "running", result: null },
      { action: "dupes", state: "done" }
    ])
    await ended(app, refresh)
  })

  withApp("is closed to whoever the gateway has not let in", async (app) => {
    expect((await app.request("GET", "/dashboard/api/jobs")).status).toBe(403)
  })
})

describe("GET /dashboard/api/events", () => {
  withApp("tells of links saved, changed and deleted, and of jobs, as they happen", async (app) => {
    const response = await app.owner("GET", "/api/events")
    expect(response.headers.get("content-type")).toBe("text/event-stream")
    expect(response.headers.get("cache-control")).toBe("no-store")
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    if (reader === undefined) return expect.unreachable()
    let text = ""
    const until = async (part: string) => {
      while (!text.includes(part)) {
        const { done, value } = await reader.read()
        if (done) return expect.unreachable(`the stream ended before ${part}`)
        text += value
      }
    }
    await until("retry:")
    await save(app, ["a", "Tea"])
    await until('event: link\ndata: {"change":"saved","ids":[1],"links":[{"id":1,')
    await app.owner("POST", "/api/mutate", { op: "favorite", ids: [1], favorite: true })
    await until('"change":"changed"')
    const job = await act(app, { action: "organize" })
    await until(`event: job\ndata: {"id":${job.id},"action":"organize","state":"running"`)
    await until(`event: job\ndata: {"id":${job.id},"action":"organize","state":"done"`)
    await app.owner("POST", "/api/mutate", { op: "delete", ids: [1] })
    await until('event: link\ndata: {"change":"deleted","ids":[1],"links":[]}')
    await reader.cancel()
  })

  withApp("tells of a job that has ended in numbers, and leaves its lists to the job itself", async (app) => {
    await save(app, ...bread)
    const response = await app.owner("GET", "/api/events")
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    if (reader === undefined) return expect.unreachable()
    const { id } = await act(app, { action: "organize" })
    let text = ""
    while (!/"state":"done".*\n\n/.test(text)) text += (await reader.read()).value ?? ""
    const told = /^data: (\{"id":.*"state":"done".*)$/m.exec(text)?.[1] ?? "{}"
    expect(JSON.parse(told).result).toEqual({ filed: 4, collections: 1 })
    const whole = await (await app.owner("GET", `/api/jobs/${id}`)).json()
    expect(whole.job.result.moves).toHaveLength(4)
    await reader.cancel()
  })

  withApp("lets 200 listen at once, and others when some have left", async (app) => {
    const open = () => app.owner("GET", "/api/events")
    const first = await open()
    const reader = first.body?.getReader()
    await reader?.read()
    const others = await Promise.all(Array.from({ length: 199 }, open))
    const readers = others.map(({ body }) => body?.getReader())
    await Promise.all(readers.map((one) => one?.read()))
    const refused = await open()
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "5"])
    await reader?.cancel()
    let again = await open()
    for (let n = 0; n < 100 && again.status !== 200; n++) {
      await Bun.sleep(20)
      again = await open()
    }
    expect(again.status).toBe(200)
    await Promise.all([again.body?.cancel(), ...readers.map((one) => one?.cancel())])
  })

  withApp("counts no listener that never reads, such as a HEAD request", async (app) => {
    for (let n = 0; n < 205; n++) {
      const { status } = await app.owner("HEAD", "/api/events")
      expect(status).toBe(200)
    }
    const response = await app.owner("GET", "/api/events")
    expect(response.status).toBe(200)
    await response.body?.cancel()
  })

  withApp("is closed to whoever the gateway has not let in", async (app) => {
    expect((await app.request("GET", "/dashboard/api/events")).status).toBe(403)
  })
})

const command = (app: App, id: number, name: string) =>
  app.webhook({
    update_id: id,
    message: {
      message_id: id,
      date: 0,
      chat: { id: 4242, type: "private" },
      from: { id: 4242, is_bot: false },
      text: `/${name}`,
      entities: [{ type: "bot_command", offset: 0, length: name.length + 1 }]
    }
  })

describe("a job started from the chat", () => {
  withApp("answers with one message, which ends with the result", async (app) => {
    await save(app, ...bread)
    await command(app, 1, "organize")
    while (!app.edits.some(({ html }) => html.includes("Filed"))) await Bun.sleep(20)
    expect(app.sent).toHaveLength(1)
    expect(app.sent[0]).toMatchObject({ chatId: 4242, replyTo: 1 })
    expect(app.sent[0]?.html).toContain("Organizing")
    expect(new Set(app.edits.map(({ messageId }) => messageId)).size).toBe(1)
    expect(app.edits.at(-1)?.html).toContain("Filed 4 links, 1 new collection")
  })

  for (const [name, result] of [
    ["dupes", "No duplicates found"],
    ["recategorize", "No category changed"]
  ] as const)
    withApp(`/${name} says when there is nothing to do`, async (app) => {
      await save(app, ["a", "Tea"])
      await command(app, 1, name)
      while (app.edits.length === 0) await Bun.sleep(20)
      expect(app.edits.at(-1)?.html).toContain(result)
      expect((await links(app)).length).toBe(1)
    })
})

describe("what was given up", () => {
  withApp("is listed, and can be tried again or dismissed", async (app) => {
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
    const answer = await (await app.owner("GET", "/api/failures")).json()
    expect(answer).toMatchObject({
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
    const { links } = await (await app.owner("GET", "/api/links")).json()
    expect(links).toMatchObject([{ url: "https://example.org/a?t=Kept", title: "Kept" }])
    expect((await app.owner("POST", `/api/failures/${first}`)).status).toBe(404)
    expect(await ended(app, await act(app, { action: "retry" }))).toMatchObject({
      state: "done",
      result: { tried: 0, complete: 0, arrivals: 0 }
    })
    const partial = await (await app.owner("GET", "/api/links?q=is%3Apartial")).json()
    expect(partial.total).toBe(0)
    const others = await (await app.owner("GET", "/api/links?q=-is%3Apartial")).json()
    expect(others.total).toBe(1)
  })
})
