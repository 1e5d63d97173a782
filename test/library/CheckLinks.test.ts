import { describe, expect } from "bun:test"
import { SqlClient } from "@effect/sql"
import { ConfigProvider, Duration, Effect, Fiber, Layer, TestClock } from "effect"
import { library } from "../../src/Application.ts"
import { LinkId } from "../../src/domain/Link.ts"
import type { Look } from "../../src/domain/LinkCheck.ts"
import { WaybackMachine } from "../../src/enrich/archive/WaybackMachine.ts"
import { Fetcher, make } from "../../src/enrich/fetch/Fetcher.ts"
import { PageCheck } from "../../src/enrich/PageCheck.ts"
import { Scraper } from "../../src/enrich/page/Scraper.ts"
import { CheckLinks } from "../../src/library/CheckLinks.ts"
import { CheckStore } from "../../src/store/links/CheckStore.ts"
import { LinkStore } from "../../src/store/links/LinkStore.ts"
import { TrashStore } from "../../src/store/links/TrashStore.ts"
import { clockTest } from "../support/effect.ts"
import { silentEnricher } from "../support/fakeEnricher.ts"
import { limits, page, pages, resolver } from "../support/fetching.ts"
import { stores } from "../support/library.ts"
import { found } from "../support/links.ts"
import { withSettings } from "../support/loopback.ts"
import { noOutside } from "../support/noOutside.ts"
import { sandbox } from "../support/sandbox.ts"
import { byTier } from "../support/tier.ts"

const DAY = Duration.toMillis("1 day")
const MINUTE = 60_000
/** The clock begins in 1970: a test moves it minute by minute. */
const START = 0

const over = (outside: Layer.Layer<PageCheck | WaybackMachine>) =>
  Layer.effect(CheckLinks, CheckLinks.make).pipe(
    Layer.provideMerge(library),
    Layer.provideMerge(Layer.mergeAll(stores(), silentEnricher, outside)),
    Layer.provide(Layer.setConfigProvider(ConfigProvider.fromMap(new Map())))
  )

/** What each address answers, and when it was asked; an address without an answer is present. */
const web = {
  looks: new Map<string, Look>(),
  asked: [] as Array<readonly [at: number, url: string]>,
  isDown: false
}
const silent: Look = { _tag: "Failed", reason: "The site cannot be reached", isSilent: true }
const gone: Look = { _tag: "Failed", reason: "404 Not Found", isSilent: false }

const scripted = Layer.succeed(PageCheck, {
  look: (url) =>
    Effect.clockWith((clock) =>
      Effect.sync((): Look => {
        web.asked.push([clock.unsafeCurrentTimeMillis(), url.href])
        return web.isDown ? silent : (web.looks.get(url.href) ?? { _tag: "Present" })
      })
    ),
  answers: () => Effect.sync(() => !web.isDown)
})

const archived: Array<string> = []
const wayback = Layer.succeed(WaybackMachine, {
  mayKnow: () => Effect.succeed(true),
  nearest: (url) =>
    Effect.sync(() => {
      archived.push(url.href)
      return { url: `https://web.archive.org/web/2020/${url.href}`, at: "2020-01-01T00:00:00.000Z" }
    }).pipe(Effect.asSome),
  submit: () => Effect.void
})

const it = clockTest(over(Layer.merge(scripted, wayback)))

/** Saves links at these addresses, at `START`, with nothing asked yet. */
const saved = Effect.fnUntraced(function* (...urls: ReadonlyArray<string>) {
  web.looks.clear()
  web.asked.length = 0
  archived.length = 0
  web.isDown = false
  yield* TestClock.setTime(START)
  const links = yield* LinkStore
  return yield* Effect.forEach(urls, (url) =>
    Effect.map(
      links.upsert({ url, normalizedUrl: url, host: new URL(url).hostname, note: "", tags: [] }),
      ({ link }) => link.id
    )
  )
})

/** Runs the job each minute of this many days on which something is due, as the clock goes. */
const runFor = Effect.fnUntraced(function* (days: number) {
  const sql = yield* SqlClient.SqlClient
  const checks = yield* CheckLinks
  const until = (yield* Effect.clockWith((clock) => clock.currentTimeMillis)) + days * DAY
  for (;;) {
    const now = yield* Effect.clockWith((clock) => clock.currentTimeMillis)
    if ((yield* checks.due) === 0) {
      const [next] = yield* sql<{ at: number }>`SELECT min(next_at) AS at FROM link_checks`
      const at = Math.max(next?.at ?? until, now + MINUTE)
      if (at > until) break
      yield* TestClock.setTime(at)
    } else yield* TestClock.setTime(now + MINUTE)
  }
  yield* TestClock.setTime(until)
})

const stateOf = Effect.fnUntraced(function* (id: LinkId | undefined) {
  const links = yield* LinkStore
  return (yield* links.get(id ?? LinkId.make(999))).check
})

const daysOf = (url: string) =>
  web.asked.filter(([, asked]) => asked === url).map(([at]) => Math.round((at - START) / DAY))

describe("the job that looks at links", () => {
  it("looks at a new link within two days, and then about every 60", function* () {
    const [id] = yield* saved("https://a.example/1")
    yield* runFor(140)
    const days = daysOf("https://a.example/1")
    expect(days).toHaveLength(3)
    expect(days[0]).toBeLessThanOrEqual(2)
    expect((days[2] ?? 0) - (days[1] ?? 0)).toBeWithin(54, 67)
    expect(yield* stateOf(id)).toMatchObject({ state: "ok", reason: null, to: null })
  })

  it("finds a page broken after three failures in a week, asks for its copy, and finds it again", function* () {
    const [id] = yield* saved("https://a.example/1", "https://b.example/1")
    web.looks.set("https://a.example/1", gone)
    yield* runFor(4)
    expect(yield* stateOf(id)).toMatchObject({ state: "unknown", reason: null })
    yield* runFor(3)
    const [first = 0] = web.asked.filter(([, url]) => url.includes("a.example")).map(([at]) => at)
    expect(yield* stateOf(id)).toMatchObject({
      state: "broken",
      reason: "404 Not Found",
      since: new Date(first).toISOString(),
      archived: {
        url: "https://web.archive.org/web/2020/https://a.example/1",
        at: "2020-01-01T00:00:00.000Z"
      }
    })
    yield* runFor(60)
    // The archive is asked once in 60 days.
    expect(archived.length).toBeLessThanOrEqual(2)
    web.looks.delete("https://a.example/1")
    yield* runFor(70)
    expect(yield* stateOf(id)).toMatchObject({ state: "ok", reason: null, archived: null })
  })

  it("asks nobody for a copy of a page that only the owner's browser has shown", function* () {
    const [id] = yield* saved("https://a.example/1", "https://b.example/1")
    const sql = yield* SqlClient.SqlClient
    yield* sql`UPDATE links SET text = 'private words', final_url = url,
      stages = '[{"stage":"page","state":"done","reason":null,"from":"browser"}]' WHERE id = ${id ?? 0}`
    web.looks.set("https://a.example/1", gone)
    yield* runFor(14)
    expect(yield* stateOf(id)).toMatchObject({ state: "broken", archived: null })
    expect(archived).toEqual([])
  })

  it("offers a new address, remembers that the owner keeps the old one, and offers the next", function* () {
    const [id = LinkId.make(1)] = yield* saved("https://a.example/1")
    const checks = yield* CheckLinks
    web.looks.set("https://a.example/1", { _tag: "Moved", to: "https://b.example/1" })
    yield* runFor(3)
    expect(yield* stateOf(id)).toMatchObject({ state: "moved", to: "https://b.example/1" })
    yield* checks.keepAddress(id)
    yield* runFor(70)
    expect(yield* stateOf(id)).toMatchObject({ state: "ok", to: null })
    web.looks.set("https://a.example/1", { _tag: "Moved", to: "https://c.example/1" })
    yield* runFor(70)
    expect(yield* stateOf(id)).toMatchObject({ state: "moved", to: "https://c.example/1" })
  })

  it("blames no link for an outage of our own network", function* () {
    const ids = yield* saved("https://a.example/1", "https://b.example/1", "https://c.example/1")
    yield* runFor(3)
    web.isDown = true
    const sql = yield* SqlClient.SqlClient
    yield* sql`UPDATE link_checks SET next_at = ${4 * DAY}`
    yield* runFor(6)
    expect(web.asked.length).toBeGreaterThan(100)
    for (const id of ids) expect(yield* stateOf(id)).toMatchObject({ state: "ok", reason: null })
    web.isDown = false
    yield* runFor(1)
    expect(yield* sql`SELECT DISTINCT failed_at FROM link_checks`).toEqual([{ failedAt: "[]" }])
  })

  it("blames a link whose host alone is silent", function* () {
    const [id] = yield* saved("https://a.example/1", "https://b.example/1")
    yield* runFor(3)
    web.looks.set("https://a.example/1", silent)
    yield* runFor(80)
    expect(yield* stateOf(id)).toMatchObject({ state: "broken", reason: "The site cannot be reached" })
  })

  it("asks a host no more than once a minute, and leaves other hosts their turn", function* () {
    const many = Array.from({ length: byTier(100, 1_000) }, (_, n) => `https://a.example/${n}`)
    yield* saved(...many, "https://b.example/1")
    const sql = yield* SqlClient.SqlClient
    yield* sql`UPDATE link_checks SET next_at = ${START}`
    yield* sql`UPDATE link_checks SET next_at = ${START + 1} WHERE link_id = ${many.length + 1}`
    const checks = yield* CheckLinks
    for (let n = 0; n < 90; n++) {
      yield* TestClock.adjust("20 seconds")
      yield* checks.due
    }
    const times = web.asked.filter(([, url]) => url.includes("//a.")).map(([at]) => at)
    expect(times).toHaveLength(30)
    for (const [n, at] of times.entries())
      if (n > 0) expect(at - (times[n - 1] ?? 0)).toBeGreaterThanOrEqual(MINUTE)
    expect(web.asked.findIndex(([, url]) => url === "https://b.example/1")).toBeLessThan(3)
  })

  it("leaves a host alone for as long as it asks", function* () {
    yield* saved("https://a.example/1", "https://a.example/2")
    const sql = yield* SqlClient.SqlClient
    yield* sql`UPDATE link_checks SET next_at = ${START}`
    web.looks.set("https://a.example/1", { _tag: "Refused", notBefore: START + 3_600_000 })
    const checks = yield* CheckLinks
    yield* checks.due
    yield* TestClock.adjust("59 minutes")
    expect(yield* checks.due).toBe(0)
    yield* TestClock.adjust("2 minutes")
    expect(yield* checks.due).toBe(1)
  })

  it("is idle while it is switched off", function* () {
    yield* saved("https://a.example/1")
    yield* runFor(0)
    yield* TestClock.adjust("100 days")
    const checks = yield* CheckLinks
    expect(yield* checks.due.pipe(withSettings({ CHECK_LINKS: "off" }))).toBe(0)
    expect(web.asked).toEqual([])
    expect(yield* checks.due).toBe(1)
  })

  it("plans again what a clock that was ahead has planned", function* () {
    yield* saved("https://a.example/1")
    const sql = yield* SqlClient.SqlClient
    yield* sql`UPDATE link_checks SET next_at = ${START + 4_000 * DAY}`
    yield* runFor(70)
    expect(web.asked.length).toBeGreaterThanOrEqual(1)
  })

  it("leaves a link in the trash alone, and keeps what it knows about it", function* () {
    const [id = LinkId.make(1)] = yield* saved("https://a.example/1")
    const trash = yield* TrashStore
    web.looks.set("https://a.example/1", { _tag: "Changed", reason: "Another page" })
    yield* runFor(3)
    yield* trash.moveSome([id])
    const before = web.asked.length
    yield* runFor(90)
    expect(web.asked).toHaveLength(before)
    const [inTrash] = yield* trash.getAll([id])
    expect(inTrash?.check.state).toBe("changed")
    yield* trash.restoreSome([id])
    expect(yield* stateOf(id)).toMatchObject({ state: "changed", reason: "Another page" })
    yield* runFor(61)
    expect(web.asked.length).toBeGreaterThan(before)
    const links = yield* LinkStore
    yield* links.remove([id])
    const sql = yield* SqlClient.SqlClient
    expect(yield* sql`SELECT * FROM link_checks`).toEqual([])
  })

  it("forgets what it knows when the address changes, also while it looks", function* () {
    const [id = LinkId.make(1)] = yield* saved("https://a.example/1")
    const [sql, store] = [yield* SqlClient.SqlClient, yield* CheckStore]
    web.looks.set("https://a.example/1", { _tag: "Moved", to: "https://b.example/1" })
    yield* runFor(3)
    const [before] = yield* store.read(id)
    yield* sql`UPDATE links SET url = 'https://b.example/1', normalized_url = 'https://b.example/1' WHERE id = ${id}`
    expect(yield* stateOf(id)).toMatchObject({ state: "unknown", to: null, lookedAt: null })
    if (before !== undefined) yield* store.write(id, before.url, before.check)
    expect(yield* stateOf(id)).toMatchObject({ state: "unknown", to: null })
  })

  it("looks at a link at once when the owner asks", function* () {
    const [id = LinkId.make(1)] = yield* saved("https://a.example/1")
    const checks = yield* CheckLinks
    web.looks.set("https://a.example/1", { _tag: "Changed", reason: "Another page" })
    yield* checks.start(id)
    yield* TestClock.adjust("1 second")
    expect(yield* stateOf(id)).toMatchObject({ state: "changed", lookedAt: new Date(START).toISOString() })
  })
})

const real = clockTest(
  over(
    Layer.merge(
      PageCheck.layer.pipe(
        Layer.provide(Scraper.layer),
        Layer.provide([
          sandbox,
          Layer.provide(Layer.effect(Fetcher, make({ ...limits, timeout: "10 seconds" })), resolver)
        ])
      ),
      Layer.project(noOutside, WaybackMachine, WaybackMachine, (one) => one)
    )
  )
)

const text =
  "How to bake a loaf of rye bread: mix, wait for twelve hours, shape and bake it until it is dark. ".repeat(
    5
  )

real("a server that is down, slow, redirecting, parked and back again", function* () {
  const article = () =>
    page(
      `<title>How to bake rye bread</title><article><h1>How to bake rye bread</h1><p>${text}</p></article>`
    )
  let mode: "up" | "down" | "slow" | "moved" | "parked" = "up"
  // The clock runs while a request hangs, not while it is on its way on a busy machine.
  let hanging = 0
  const hang = (signal: AbortSignal) =>
    new Promise<Response>(() => {
      hanging++
      signal.addEventListener("abort", () => hanging--)
    })
  const server = yield* pages(async ({ headers, signal, url }) => {
    if (headers.get("host")?.startsWith("two.test") === true || new URL(url).pathname === "/new")
      return article()
    if (mode === "down") return new Response("", { status: 502 })
    if (mode === "slow") return await hang(signal)
    if (mode === "moved") return new Response(null, { status: 301, headers: { location: "/new" } })
    return mode === "up"
      ? article()
      : page(
          "<title>site.test is for sale</title><h1>site.test is for sale</h1><p>Buy this domain. This domain may be for sale.</p>"
        )
  })
  const base = `http://site.test:${server.port}`
  const [id = LinkId.make(1), other = LinkId.make(2)] = yield* saved(
    `${base}/rye`,
    `http://two.test:${server.port}/`
  )
  const links = yield* LinkStore
  for (const one of [id, other]) yield* links.finish(one, found({ title: "How to bake rye bread", text }))
  const checks = yield* CheckLinks
  const sql = yield* SqlClient.SqlClient
  const days: Array<readonly [day: number, state: string, reason: string | null]> = []

  /** Looks at the link each time it is due, this often. */
  const looks = Effect.fnUntraced(function* (times: number) {
    for (let n = 0; n < times; n++) {
      const [row] = yield* sql<{ at: number }>`SELECT next_at AS at FROM link_checks WHERE link_id = ${id}`
      // The other link stays out of the way.
      yield* sql`UPDATE link_checks SET next_at = ${(row?.at ?? 0) + 400 * DAY}, state = 'ok' WHERE link_id = ${other}`
      yield* TestClock.setTime(row?.at ?? 0)
      const looking = yield* Effect.fork(checks.due)
      while ((yield* Fiber.poll(looking))._tag === "None") {
        yield* Effect.promise(() => Bun.sleep(2))
        yield* TestClock.adjust(hanging > 0 ? "1 second" : "1 millis")
      }
      const { reason, state } = yield* stateOf(id)
      days.push([Math.round(((row?.at ?? 0) - START) / DAY), state, reason])
    }
  })
  yield* (yield* CheckStore).plan(START)
  const allowed = withSettings({ FETCH_ALLOW: `site.test:${server.port},two.test:${server.port}` })
  for (const [next, times] of [
    ["up", 1],
    ["down", 3],
    ["up", 1],
    ["slow", 3],
    ["up", 1],
    ["moved", 1],
    ["parked", 1],
    ["up", 1]
  ] as const) {
    mode = next
    yield* allowed(looks(times))
  }
  expect(days.map(([, state, reason]) => [state, reason])).toEqual([
    ["ok", null],
    ["ok", null],
    ["ok", null],
    ["broken", "502 Bad Gateway"],
    ["ok", null],
    ["ok", null],
    ["ok", null],
    ["broken", "Timed out after 10 s"],
    ["ok", null],
    ["moved", null],
    ["changed", "There is no site at this address, only a placeholder"],
    ["ok", null]
  ])
  const [, first = 0, , third = 0, back = 0] = days.map(([day]) => day)
  expect(third - first).toBeLessThanOrEqual(7)
  expect(back - third).toBeWithin(6, 9)
})
