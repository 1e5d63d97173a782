import { SqlClient } from "@effect/sql"
import { Clock, DateTime, Duration, Effect, Schema } from "effect"
import { Service } from "../runtime/Services.ts"
import { every } from "../runtime/WorkLoop.ts"
import { readRows } from "./Rows.ts"
import { Transaction } from "./Transaction.ts"

/** In milliseconds; times are since 1970. */
const Remembered = Schema.Struct({
  seen: Schema.Int,
  /** The latest time that was seen, which a clock that was set back has not reached again. */
  latest: Schema.Int,
  /** By how much the clock may be ahead: the jumps that no run of the program has seen pass. */
  lag: Schema.Int,
  /** When the clock is believed after all. */
  lagUntil: Schema.Int
})
type Remembered = typeof Remembered.Type

const readRemembered = readRows(Remembered)

/** A difference below this is no jump: clocks are corrected by small steps. */
const TOLERANCE = Duration.toMillis("1 minute")
/** The longest time for which a jump is doubted. */
const MAX_DOUBT = Duration.toMillis("30 days")
const LOOK = Duration.minutes(1)
/** How often the time is stored while the clock does not jump. */
const STORE_EVERY = Duration.toMillis("1 hour")

/**
 * Returns what to remember of the clock now, and by how much times that were stored to wait for have to be moved. A
 * jump forward may be a wrong clock, or the time for which the program did not run: it is doubted until as much time
 * has passed again. `elapsed` is undefined at the start of the program, which does not know how much time has passed
 * since.
 */
export const observe = (before: Remembered, now: number, elapsed: number | undefined) => {
  const expected = before.seen + (elapsed ?? 0)
  const difference = now - expected
  const jump = Math.abs(difference) < TOLERANCE ? 0 : difference
  const behind = Math.max(0, before.latest - expected)
  const doubted = now < before.lagUntil ? before.lag : 0
  const lag = Math.max(0, doubted + (jump < 0 ? jump : Math.max(0, jump - behind)))
  const wasAhead = jump < 0 && doubted - lag >= -jump - TOLERANCE
  const remembered: Remembered = {
    seen: now,
    latest: wasAhead ? now : Math.max(before.latest, now),
    lag,
    lagUntil: lag === doubted ? before.lagUntil : now + Math.min(lag, MAX_DOUBT)
  }
  // A clock that is far behind at the start, as on a machine without one, is set right soon.
  const moved = jump < 0 ? jump : elapsed === undefined ? 0 : Math.min(jump, behind)
  return { remembered, moved }
}

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const transaction = yield* Transaction
  const clock = Effect.all([Clock.currentTimeMillis, Clock.currentTimeNanos])
  const [startedAt, nanos] = yield* clock
  const [stored] = yield* readRemembered(sql`SELECT seen, latest, lag, lag_until FROM clock`)
  const started = observe(
    stored ?? { seen: startedAt, latest: startedAt, lag: 0, lagUntil: 0 },
    startedAt,
    undefined
  )
  let last = { ...started, nanos, isStored: false }

  const current = Effect.map(clock, ([now, nanos]) => ({
    ...observe(last.remembered, now, Number((nanos - last.nanos) / 1_000_000n)),
    nanos
  }))

  /** Moves the times of what waits for a retry; to a later time only with a clock that returns from far behind. */
  const move = Effect.fnUntraced(function* (by: number, now: number) {
    const seconds = `${by / 1000} seconds`
    const since = by < 0 ? DateTime.formatIso(DateTime.unsafeMake(now)) : ""
    for (const [table, column] of [
      ["links", "retry_at"],
      ["page_pictures", "due_at"]
    ] as const)
      yield* sql`UPDATE ${sql(table)} SET ${sql(column)} = strftime('%Y-%m-%dT%H:%M:%fZ', ${sql(column)}, ${seconds})
            WHERE ${sql(column)} > ${since}`
    yield* sql`UPDATE tasks SET due_at = due_at + ${by} WHERE due_at > ${by < 0 ? now : 0}`
  })

  const look = Effect.gen(function* () {
    const { moved, nanos, remembered } = yield* current
    const by = moved + (last.isStored ? 0 : last.moved)
    const isSame = last.isStored && by === 0 && remembered.lag === last.remembered.lag
    if (isSame && Math.abs(remembered.seen - last.remembered.seen) < STORE_EVERY) return
    yield* transaction(
      Effect.gen(function* () {
        if (by !== 0) yield* move(by, remembered.seen)
        yield* sql`INSERT OR REPLACE INTO clock ${sql.insert({ id: 1, ...remembered })}`
      })
    )
    last = { remembered, moved: 0, nanos, isStored: true }
    if (by < 0) yield* Effect.logWarning(`the clock was set back by ${Duration.format(Duration.millis(-by))}`)
  }).pipe(Effect.withSpan("PassedTime.look"))

  const now = Effect.map(current, ({ remembered: { lag, lagUntil, seen } }) =>
    DateTime.unsafeMake(seen < lagUntil ? seen - lag : seen)
  )
  return {
    now,
    /** The time, in ISO 8601, before which a record is older than `age`. */
    before: Effect.fn("PassedTime.before")((age: Duration.Duration) =>
      Effect.map(now, (time) => DateTime.formatIso(DateTime.subtractDuration(time, age)))
    ),
    run: every(LOOK, "remembering the time", look)
  }
})

/**
 * The time by which records are old enough to be deleted. It follows the clock, but not its jumps: a clock that is
 * wrong at a start, or is set wrong, deletes nothing early. When the clock is set back, retries that were planned by
 * the wrong clock are moved back with it.
 */
export class PassedTime extends Service<PassedTime>()("PassedTime", make) {}
