import { rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { SqlClient } from "@effect/sql"
import { Clock, Effect, Layer, Logger } from "effect"
import { WaybackMachine } from "../../src/enrich/archive/WaybackMachine.ts"
import { PageCheck } from "../../src/enrich/PageCheck.ts"
import { CheckLinks } from "../../src/library/CheckLinks.ts"
import { Events } from "../../src/library/Events.ts"
import { Jobs } from "../../src/library/Jobs.ts"
import * as Database from "../../src/store/Database.ts"
import { CheckStore } from "../../src/store/links/CheckStore.ts"
import { LinkStore } from "../../src/store/links/LinkStore.ts"

/**
 * Simulates the job that looks at links on a library of 100,000 for 60 days, minute by minute, and prints how many
 * requests a day it makes, the shortest time between two on one host, and what a round costs. Hosts follow Zipf's law;
 * one link in fifty fails each time.
 *
 * `bun test/bench/linkChecks.ts [links] [days]`
 */

const [LINKS = 100_000, DAYS = 60] = process.argv.slice(2).map(Number)
const HOSTS = 5_000
const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const START = Date.parse("2026-03-01T00:00:00Z")

/** A host by Zipf's law: the first has about a twelfth of all links. Its hash is not that by which looks are spread. */
const hostOf = (n: number) =>
  `h${Math.floor(HOSTS ** ((Math.imul(n ^ (n >>> 7), 0x85ebca6b) >>> 0) / 2 ** 32))}.example`

let now = START
const perDay = new Map<number, number>()
const lastAt = new Map<string, number>()
let shortest = Number.POSITIVE_INFINITY
const perLink = new Uint32Array(LINKS + 1)

const pages = Layer.succeed(PageCheck, {
  look: (url) =>
    Effect.sync(() => {
      const day = Math.floor((now - START) / DAY)
      perDay.set(day, (perDay.get(day) ?? 0) + 1)
      const last = lastAt.get(url.host)
      if (last !== undefined) shortest = Math.min(shortest, now - last)
      lastAt.set(url.host, now)
      const id = Number(url.pathname.slice(1))
      perLink[id] = (perLink[id] ?? 0) + 1
      return id % 50 === 0
        ? { _tag: "Failed", reason: "404 Not Found", isSilent: false }
        : { _tag: "Present" }
    }),
  answers: () => Effect.succeed(true)
})
const archive = Layer.succeed(WaybackMachine, {
  mayKnow: () => Effect.succeed(false),
  nearest: () => Effect.succeedNone,
  submit: () => Effect.void
})

/** A clock that stands still until the simulation moves it; what sleeps wakes at once. */
const clock: Clock.Clock = {
  [Clock.ClockTypeId]: Clock.ClockTypeId,
  unsafeCurrentTimeMillis: () => now,
  currentTimeMillis: Effect.sync(() => now),
  unsafeCurrentTimeNanos: () => BigInt(now) * 1_000_000n,
  currentTimeNanos: Effect.sync(() => BigInt(now) * 1_000_000n),
  sleep: () => Effect.void
}

const filename = join(tmpdir(), `linkbower-checks-${process.pid}.db`)
process.on("exit", () => {
  for (const suffix of ["", "-wal", "-shm"]) rmSync(`${filename}${suffix}`, { force: true })
})

const layer = CheckLinks.layer.pipe(
  Layer.provideMerge(
    Layer.mergeAll(CheckStore.layer, LinkStore.layer, Events.layer, Layer.mock(Jobs, {}), pages, archive)
  ),
  Layer.provideMerge(Database.layer(filename)),
  Layer.provide(Logger.remove(Logger.defaultLogger))
)

/** Links saved over the two years before, all at once, as a library that is upgraded. */
const fill = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`PRAGMA synchronous = OFF`
  for (let from = 1; from <= LINKS; from += 1_000) {
    const some = Array.from({ length: Math.min(1_000, LINKS - from + 1) }, (_, n) => {
      const id = from + n
      const host = hostOf(id)
      const at = new Date(START - (1 - id / LINKS) * 730 * DAY - 2 * DAY).toISOString()
      return { id, url: `https://${host}/${id}`, host, at }
    })
    yield* sql`INSERT INTO links (id, url, normalized_url, host, title, category, stages, created_at, updated_at)
      SELECT value ->> 'id', value ->> 'url', value ->> 'url', value ->> 'host', value ->> 'host', 'reading', '[]',
        value ->> 'at', value ->> 'at' FROM json_each(${JSON.stringify(some)})`
  }
})

const simulate = Effect.gen(function* () {
  const checks = yield* CheckLinks
  const began = process.cpuUsage()
  let rounds = 0
  let slowest = 0
  yield* checks.due
  for (; now < START + DAYS * DAY; now += MINUTE) {
    const at = performance.now()
    yield* checks.due
    if (rounds++ > 0) slowest = Math.max(slowest, performance.now() - at)
    if (rounds % 1_000 === 0) yield* Effect.promise(() => Bun.sleep(0))
  }
  const { system, user } = process.cpuUsage(began)
  return { rounds, slowest, cpu: (system + user) / 1_000 / rounds }
})

const print = Effect.gen(function* () {
  yield* fill
  const { cpu, rounds, slowest } = yield* simulate
  const days = Array.from({ length: DAYS }, (_, day) => perDay.get(day) ?? 0)
  const total = days.reduce((sum, count) => sum + count, 0)
  const looked = perLink.subarray(1).filter((count) => count > 0).length
  const sql = yield* SqlClient.SqlClient
  const states = yield* sql<{
    state: string
    count: number
  }>`SELECT state, count(*) AS count FROM link_checks GROUP BY state`
  console.log(
    [
      `${LINKS} links on ${new Set(Array.from({ length: LINKS }, (_, n) => hostOf(n + 1))).size} hosts, ${DAYS} days`,
      `looks a day: min ${Math.min(...days)}, mean ${Math.round(total / DAYS)}, max ${Math.max(...days)}`,
      `links looked at: ${looked}; states: ${states.map(({ count, state }) => `${state} ${count}`).join(", ")}`,
      `shortest time between two looks at one host: ${shortest / 1_000} s`,
      `processor time of a round: ${cpu.toFixed(2)} ms, the slowest ${slowest.toFixed(0)} ms (${rounds} rounds)`
    ].join("\n")
  )
})

await Effect.runPromise(print.pipe(Effect.provide(layer), Effect.withClock(clock)))
