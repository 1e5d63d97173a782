import { expect } from "bun:test"
import { BunFileSystem } from "@effect/platform-bun"
import { SqlClient } from "@effect/sql"
import { ConfigProvider, Duration, Effect, Layer, Option, TestClock } from "effect"
import { application } from "../../src/Application.ts"
import { Health } from "../../src/domain/Health.ts"
import { Enricher } from "../../src/enrich/Enricher.ts"
import { Embedder } from "../../src/enrich/embedding/Embedder.ts"
import { EmbedderUnavailable } from "../../src/enrich/embedding/TextEmbedder.ts"
import * as CircuitBreaker from "../../src/enrich/model/CircuitBreaker.ts"
import { LanguageModel, ModelError } from "../../src/enrich/model/LanguageModel.ts"
import { Summarizer } from "../../src/enrich/model/Summarizer.ts"
import { ScrapeError, Scraper } from "../../src/enrich/page/Scraper.ts"
import { Repositories } from "../../src/enrich/repository/Repositories.ts"
import { CaptureLink } from "../../src/library/CaptureLink.ts"
import { Inbox } from "../../src/library/Inbox.ts"
import { Reindex } from "../../src/library/Reindex.ts"
import { RetryLinks } from "../../src/library/RetryLinks.ts"
import { Bot } from "../../src/telegram/Bot.ts"
import { ChatError } from "../../src/telegram/BotApi.ts"
import { Chat, type ChatMessage } from "../../src/telegram/Chat.ts"
import { OutageReports } from "../../src/telegram/OutageReports.ts"
import { Outbox } from "../../src/telegram/Outbox.ts"
import { Profile } from "../../src/telegram/Profile.ts"
import { noImages } from "../support/app.ts"
import { clockTest } from "../support/effect.ts"
import { emptyLibrary, withoutWorld } from "../support/library.ts"
import { found } from "../support/links.ts"
import { noOutside } from "../support/noOutside.ts"
import { byTier } from "../support/tier.ts"

const OWNER = 4242
const CHATS = byTier(10, 24)
const CAPTURES = byTier(4, 8)
const ALL = CHATS + CAPTURES

/** Everything outside the library, which is down together. */
const world = { isDown: false, sent: [] as ChatMessage[], calls: { page: 0, model: 0 } }
const orDown = <A, E>(answer: Effect.Effect<A>, failure: E): Effect.Effect<A, E> =>
  Effect.suspend(() => (world.isDown ? Effect.fail(failure) : answer))

const scraper = Layer.succeed(Scraper, {
  readBrowserPage: () => Effect.succeedNone,
  scrape: (url) =>
    Effect.suspend(() => {
      world.calls.page++
      const { page } = found({ url: url.href, title: `Title of ${url.pathname}`, text: "Words." })
      return orDown(Effect.succeed(page), new ScrapeError({ reason: "unreachable", lasting: false }))
    })
})

const model = Layer.effect(
  LanguageModel,
  Effect.map(CircuitBreaker.make({ name: "model", failures: 5, openFor: "60 seconds" }), (breaker) => ({
    ask: ({ decode }) =>
      breaker
        .protect(
          Effect.suspend(() => {
            world.calls.model++
            return orDown(
              Effect.succeed({ summary: "In short.", tags: ["tea"], category: "reading" }),
              new ModelError({ reason: "unavailable" })
            )
          })
        )
        .pipe(
          Effect.catchTag("CircuitOpen", () => new ModelError({ reason: "circuit-open" })),
          Effect.flatMap((answer) =>
            Effect.mapError(decode(answer), () => new ModelError({ reason: "not-json" }))
          )
        )
  }))
)

const embedder = Layer.effect(
  Embedder,
  Effect.map(Embedder, ({ current }) => {
    const remote = {
      ...current,
      inProcess: false,
      isLocal: false,
      embed: (texts: ReadonlyArray<string>) =>
        Effect.suspend(() =>
          world.isDown
            ? Effect.fail(new EmbedderUnavailable({ reason: "down", refused: false }))
            : current.embed(texts)
        )
    }
    return { current: remote, named: () => Option.some(remote) }
  })
).pipe(Layer.provide(Embedder.builtIn))

const noAnswer = new ChatError({ reason: "unavailable" })
const chat = Layer.mock(Chat, {
  send: (message) =>
    Effect.suspend(() =>
      world.isDown ? Effect.fail(noAnswer) : Effect.succeed({ messageId: 900_000 + world.sent.push(message) })
    ),
  edit: () => Effect.void,
  acknowledge: () => Effect.void,
  react: () => Effect.void,
  typing: () => Effect.void
})

const enricher = Enricher.layer.pipe(
  Layer.provide([scraper, Layer.succeed(Repositories, { find: () => Effect.succeedNone }), Summarizer.layer]),
  Layer.provide(model)
)

const layer = application.pipe(
  Layer.provideMerge(
    Layer.mergeAll(
      noOutside,
      withoutWorld,
      enricher,
      chat,
      BunFileSystem.layer,
      Layer.succeed(Profile, {
        username: Effect.succeedNone,
        inlineName: Effect.succeedNone,
        register: () => Effect.void,
        run: () => Effect.never
      }),
      noImages
    ).pipe(Layer.provideMerge(embedder))
  ),
  Layer.provideMerge(emptyLibrary()),
  Layer.provide(
    Layer.setConfigProvider(
      ConfigProvider.fromMap(
        new Map([
          ["ALLOWED_CHAT_ID", String(OWNER)],
          ["ANTHROPIC_API_KEY", "sk-a-key"],
          ["DATA_DIR", "/nowhere"]
        ])
      )
    )
  )
)

const messageOf = (n: number) => ({
  update_id: n,
  message: {
    message_id: n,
    date: 1,
    chat: { id: OWNER, type: "private" },
    from: { id: OWNER, is_bot: false },
    text: `https://host${n % 17}.example/chat${n} a note`
  }
})

const captureOf = (n: number) => ({ url: `https://host${n % 13}.example/capture${n}`, title: `Tab ${n}` })

clockTest(layer)(
  "the library completes every link after hours of outage of everything, and reports its start and end once",
  function* () {
    const [inbox, bot, captures, outbox] = [yield* Inbox, yield* Bot, yield* CaptureLink, yield* Outbox]
    const [retries, outages, reindex] = [yield* RetryLinks, yield* OutageReports, yield* Reindex]
    const sql = yield* SqlClient.SqlClient
    yield* Effect.forkScoped(inbox.drain({ chat: bot.work, capture: captures.work }))
    for (const run of [outbox.run, retries.run, outages.run, reindex.run]) yield* Effect.forkScoped(run)

    const count = (query: ReturnType<typeof sql<{ n: number }>>) => Effect.map(query, ([row]) => row?.n ?? -1)
    const complete = count(sql`SELECT count(*) AS n FROM links WHERE enrichment = 'complete'`)
    const vectors = count(sql`SELECT count(*) AS n FROM embedding_queue`)
    const replies = count(sql`SELECT count(*) AS n FROM outbox`)

    world.isDown = true
    for (let n = 0; n < CHATS; n++) {
      const update = messageOf(n + 1)
      yield* inbox.enqueue({ source: "chat", key: String(n), payload: JSON.stringify(update) })
      if (n < CAPTURES) {
        const capture = captureOf(n)
        yield* Effect.forkScoped(
          captures.submit(capture, new URL(capture.url), `key ${n}`, {
            wait: Duration.seconds(10),
            isNear: true
          })
        )
      }
      yield* TestClock.adjust("10 minutes")
    }
    yield* TestClock.adjust("2 hours")
    expect(yield* count(sql`SELECT count(*) AS n FROM links`)).toBe(ALL)
    expect(yield* complete).toBe(0)
    expect(world.sent).toEqual([])
    const pages = sql<{ state: string; reason: string | null }>`SELECT DISTINCT
      value ->> 'state' AS state, value ->> 'reason' AS reason FROM links, json_each(stages)
      WHERE value ->> 'stage' = 'page' AND enrichment = 'partial'`
    const reason = "The site cannot be reached"
    expect(yield* pages).toContainEqual({ state: "waiting", reason })
    for (const page of yield* pages) expect(page.reason).toBe(reason)
    // A source that is down is probed now and then, with few links.
    const duringOutage = { ...world.calls }
    expect(duringOutage.page).toBeLessThan(ALL + 300)

    world.isDown = false
    const milestones = new Map<string, number>()
    for (let minute = 1; minute <= 60 && milestones.size < 3; minute++) {
      yield* TestClock.adjust("1 minute")
      const marks = {
        complete: (yield* complete) === ALL,
        vectors: (yield* vectors) === 0,
        replies: (yield* replies) === 0
      }
      for (const [name, isReached] of Object.entries(marks))
        if (isReached && !milestones.has(name)) milestones.set(name, minute)
    }
    yield* TestClock.adjust("10 minutes")
    expect([...milestones.keys()].toSorted()).toEqual(["complete", "replies", "vectors"])
    const rows = yield* sql<{ title: string; summary: string; tags: string; category: string; note: string }>`
      SELECT title, summary, tags, category, note FROM links`
    expect(rows.length).toBe(ALL)
    for (const { category, summary, tags, title } of rows)
      expect({ category, summary, tags, titled: title.startsWith("Title of ") }).toEqual({
        category: "reading",
        summary: "In short.",
        tags: '["tea"]',
        titled: true
      })
    expect(rows.filter(({ note }) => note === "a note").length).toBe(CHATS)
    const unfinished = sql`SELECT 1 FROM links, json_each(stages) WHERE value ->> 'state' <> 'done'`
    expect(yield* unfinished).toEqual([])

    const said = world.sent.map(({ html }) => html)
    const told = said.filter((html) => html.startsWith("⚠️") || html.startsWith("✅"))
    expect(told.map((html) => html.startsWith("✅"))).toEqual([false, true])
    // Each saved message gets one reply, alone or in a digest.
    const answers = said.filter((html) => !told.includes(html)).join("\n")
    for (let n = 1; n <= CHATS; n++) expect(answers.split(`/chat${n}"`).length - 1).toBe(1)
    expect(yield* count(sql`SELECT count(*) AS n FROM outage`)).toBe(0)
  }
)

clockTest(layer)("a problem of the service is told in the chat, and when it is over", function* () {
  const [health, outages] = [yield* Health, yield* OutageReports]
  world.sent.length = 0
  world.isDown = false
  yield* health.set("storage-damaged", true)
  yield* Effect.forkScoped(outages.run)
  yield* TestClock.adjust("20 minutes")
  yield* health.set("storage-damaged", false)
  yield* TestClock.adjust("10 minutes")
  expect(world.sent.map(({ html }) => html)).toEqual([
    expect.stringContaining("linkbower reindex"),
    expect.stringContaining("Resolved")
  ])
})
