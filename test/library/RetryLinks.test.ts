import { describe, expect } from "bun:test"
import { SqlClient } from "@effect/sql"
import { ConfigProvider, Effect, Layer, Option, TestClock } from "effect"
import { library } from "../../src/Application.ts"
import {
  ENDED_AGAIN,
  ENDED_TWICE,
  type Enrichment,
  type FailureKind,
  type Source
} from "../../src/domain/Enrichment.ts"
import { enrichmentAfterCrashes } from "../../src/enrich/Enricher.ts"
import { Jobs } from "../../src/library/Jobs.ts"
import { RetryLinks } from "../../src/library/RetryLinks.ts"
import { SourceHealth } from "../../src/library/SourceHealth.ts"
import { InboxStore } from "../../src/store/inbox/InboxStore.ts"
import { CrashSuspects, TaskStore } from "../../src/store/jobs/TaskStore.ts"
import { LinkStore } from "../../src/store/links/LinkStore.ts"
import { clockTest } from "../support/effect.ts"
import { fakeEnricher } from "../support/fakeEnricher.ts"
import { stores } from "../support/library.ts"
import { found, newLink } from "../support/links.ts"
import { byTier, long } from "../support/tier.ts"

const nothing = { summary: "", tags: [], category: null }
const failing = (kind: FailureKind, source: Source = "page") =>
  found(
    { title: "example.org" },
    {
      summary: nothing,
      fellBack: ["page", "model"],
      mayPass: kind !== "lasting" && kind !== "blocked",
      failures: [{ source, kind, reason: "It failed" }]
    }
  )

const looks = { count: 0, answer: failing("passing") as Enrichment }
const enricher = fakeEnricher(() =>
  Effect.sync(() => {
    looks.count++
    return looks.answer
  })
)

const settings = Layer.setConfigProvider(ConfigProvider.fromMap(new Map([["ANTHROPIC_API_KEY", "sk-a-key"]])))
const layer = Layer.provideMerge(library, Layer.mergeAll(stores(), enricher)).pipe(Layer.provide(settings))
const it = clockTest(layer)

/** Saves a link with this first result. */
const saved = Effect.fnUntraced(function* (path: string, first: Enrichment) {
  const links = yield* LinkStore
  const { link } = yield* links.upsert(newLink(path))
  yield* links.finish(link.id, first)
  return link.id
})

/**
 * The hours after a link's first result at which it is retried, up to `until`. Checks the expected hours and the hour
 * before each: a retry too early or too late shifts all later ones.
 */
const looksAfter = Effect.fnUntraced(function* (
  first: Enrichment,
  answer: Enrichment,
  expected: ReadonlyArray<number>,
  until: number
) {
  const links = yield* LinkStore
  const retries = yield* RetryLinks
  looks.count = 0
  looks.answer = answer
  const id = yield* saved("a", first)
  const times: Array<number> = []
  const hours = new Set([...expected.flatMap((hour) => [hour - 1, hour]), until].filter((hour) => hour > 0))
  for (const hour of hours) {
    yield* TestClock.setTime(hour * 3_600_000)
    const before = looks.count
    yield* retries.due
    if (looks.count > before) times.push(hour)
  }
  return { times, link: yield* links.get(id) }
})

describe("RetryLinks", () => {
  it("retries a temporary failure after growing pauses, then once a month", function* () {
    // After 10 minutes, 1, 6 and 18 hours, 2, 4, 8, 15 and 30 days, each since the last retry.
    const expected = [1, 2, 8, 26, 74, 170, 362, 722, 1442, ...byTier([], [2162])]
    const { link, times } = yield* looksAfter(
      failing("passing"),
      failing("passing"),
      expected,
      byTier(1500, 2400)
    )
    expect(times).toEqual(expected)
    expect(link.enrichment).toBe("partial")
  })

  it("stops when the link is complete", function* () {
    const { link, times } = yield* looksAfter(failing("passing"), found({ title: "At last" }), [1], 240)
    expect(times).toEqual([1])
    expect(link).toMatchObject({ title: "At last", enrichment: "complete" })
  })

  it("retries a permanent failure three times", function* () {
    const expected = [24, 24 * 8, 24 * 38]
    const { times } = yield* looksAfter(failing("lasting"), failing("lasting"), expected, 24 * 80)
    expect(times).toEqual(expected)
  })

  it("retries a page that another one stands in front of after growing pauses for a month, then no more", function* () {
    // After 1, 6 and 17 hours, 3, 8 and 18 days, each since the last retry.
    const expected = [1, 7, 24, 24 * 4, 24 * 12, 24 * 30]
    const { link, times } = yield* looksAfter(
      failing("blocked"),
      failing("blocked"),
      expected,
      24 * byTier(62, 120)
    )
    expect(times).toEqual(expected)
    expect(link.stages).toContainEqual({ stage: "page", state: "failed", reason: "It failed" })
  })

  long(it)(
    "probes a source that is down with one link at a time, counts no retry, and completes all links when it recovers",
    function* () {
      const links = yield* LinkStore
      const retries = yield* RetryLinks
      const sql = yield* SqlClient.SqlClient
      const down = failing("unavailable", "model")
      for (let n = 0; n < 30; n++) yield* saved(`p${n}`, { ...down, waitsFor: ["model"] })
      looks.count = 0
      looks.answer = down
      const minutes = Effect.fnUntraced(function* (count: number) {
        for (let n = 0; n < count; n++) {
          yield* TestClock.adjust("1 minute")
          yield* retries.due
        }
      })
      yield* minutes(3 * 60)
      // Four before the outage was known, then one after each pause of at most ten minutes.
      expect(looks.count).toBeGreaterThan(12)
      expect(looks.count).toBeLessThan(26)
      expect(yield* sql`SELECT sum(retries) AS retries FROM links`).toEqual([{ retries: 0 }])
      looks.answer = found({ title: "At last" })
      yield* minutes(12)
      expect(yield* links.countPartial).toBe(0)
      expect(yield* sql`SELECT * FROM link_waits`).toEqual([])
    }
  )

  it("reports an outage of pages only if several hosts fail and none answers", function* () {
    const health = yield* SourceHealth
    const observe = (host: string, answer: Enrichment) => health.observe(new URL(`https://${host}/`), answer)
    const unreachable = failing("unreachable")
    for (let n = 0; n < 5; n++) expect(yield* observe("one.example", unreachable)).toEqual([])
    yield* observe("two.example", unreachable)
    yield* observe("three.example", failing("lasting"))
    expect(yield* observe("four.example", unreachable)).toEqual([])
    yield* observe("five.example", unreachable)
    expect(yield* observe("six.example", unreachable)).toEqual(["page"])
    expect(yield* health.down).toEqual(["page"])
    yield* observe("six.example", found())
    expect(yield* health.down).toEqual([])
  })

  it("retries every incomplete link and every dead arrival on request", function* () {
    const [retries, jobs, inbox] = [yield* RetryLinks, yield* Jobs, yield* InboxStore]
    yield* saved("a", failing("lasting"))
    yield* saved("b", failing("passing"))
    looks.answer = found({ title: "At last" })
    const { id } = yield* inbox.keep({
      source: "capture",
      key: "1",
      payload: '{"url":"https://example.org"}'
    })
    yield* inbox.giveUp(id)
    expect((yield* inbox.dead).map((one) => one.id)).toEqual([id])
    const job = yield* jobs.awaitEnd((yield* retries.start).id)
    expect(job).toMatchObject({ state: "done", result: { tried: 2, complete: 2, arrivals: 1 } })
    expect(yield* inbox.dead).toEqual([])
    expect((yield* inbox.due("capture", 10, [])).map((one) => one.id)).toEqual([id])
  })
})

describe("a page while whose reading the program ended twice", () => {
  it("is read once more after an hour, and not again if the program ends then too", function* () {
    const links = yield* LinkStore
    const retries = yield* RetryLinks
    const [spared, tasks] = [yield* CrashSuspects, yield* TaskStore]
    const { link } = yield* links.upsert(newLink("a"))
    const pageOf = Effect.map(links.get(link.id), ({ stages }) =>
      stages.find(({ stage }) => stage === "page")
    )
    yield* links.finish(link.id, enrichmentAfterCrashes(new URL(link.url), {}))
    yield* spared.add(link.id)
    looks.count = 0
    looks.answer = found({ title: "At last" })
    yield* TestClock.adjust("59 minutes")
    yield* retries.due
    expect(looks.count).toBe(0)
    expect(yield* pageOf).toMatchObject({ state: "failed", reason: ENDED_TWICE })

    // The program ends again.
    yield* TestClock.adjust("1 minute")
    const task = Option.getOrThrow(yield* tasks.claim("suspect"))
    yield* spared.tried(task)
    expect(yield* pageOf).toMatchObject({ state: "failed", reason: ENDED_AGAIN })
    yield* TestClock.adjust("3 days")
    yield* retries.due
    expect(looks.count).toBe(0)

    // It stops cleanly.
    yield* spared.stopped(task)
    expect(yield* pageOf).toMatchObject({ state: "failed", reason: ENDED_TWICE })
    yield* retries.due
    expect(looks.count).toBe(1)
    expect(yield* links.get(link.id)).toMatchObject({ title: "At last", enrichment: "complete" })
    expect(yield* tasks.has("suspect", link.id)).toBe(false)
  })
})
