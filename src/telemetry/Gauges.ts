import { monitorEventLoopDelay } from "node:perf_hooks"
import { Context, Duration, Effect, Layer, Schedule } from "effect"
import { VERSION } from "../version.ts"
import { type Family, snapshot } from "./MetricFormat.ts"
import { Measure } from "./Metrics.ts"

/** How much the library holds and how much waits in it. */
export interface Sizes {
  readonly links: number
  /** Pages of the database times their size, without the write-ahead log. */
  readonly bytes: number
  /** Arrivals whose work is to be done, those that are put off included. */
  readonly inboxWaiting: number
  readonly outboxWaiting: number
}

/** Measures the library; the store does it. */
export class LibrarySize extends Context.Tag("LibrarySize")<
  LibrarySize,
  { readonly read: Effect.Effect<Sizes> }
>() {}

/** For so long what was read is told again: a page that is asked often must not read the library each time. */
const KEEP = Duration.seconds(5)
const LAG_EVERY = Duration.millis(500)
/** How closely the longest delay of the event loop is watched, in milliseconds. */
const RESOLUTION = 10

/** Every metric with those that are only read when somebody asks: sizes, depths and what the process holds. */
export class Gauges extends Context.Tag("Gauges")<
  Gauges,
  { readonly snapshot: Effect.Effect<ReadonlyArray<Family>> }
>() {
  static readonly layer = Layer.scoped(
    this,
    Effect.gen(function* () {
      const size = yield* LibrarySize
      yield* Measure.buildInfo.set(1, VERSION)
      const scope = yield* Effect.scope
      // From the first question on, and interruptible though an answer to a request is not.
      const watching = yield* Effect.cached(Effect.forkIn(Effect.interruptible(watchLag), scope))
      const delays = monitorEventLoopDelay({ resolution: RESOLUTION })
      yield* Effect.addFinalizer(() => Effect.sync(() => delays.disable()))
      const longestDelay = Effect.suspend(() => {
        const isFirst = delays.enable()
        const seconds = delays.max / 1e9
        delays.reset()
        return isFirst ? Effect.void : Measure.eventLoopLongestDelay.set(seconds)
      })

      const read = Effect.gen(function* () {
        const { bytes, inboxWaiting, links, outboxWaiting } = yield* size.read
        yield* Measure.links.set(links)
        yield* Measure.databaseSize.set(bytes)
        yield* Measure.inboxWaiting.set(inboxWaiting)
        yield* Measure.outboxWaiting.set(outboxWaiting)
      }).pipe(Effect.catchAllCause((cause) => Effect.logWarning("the library's sizes cannot be read", cause)))
      const sizes = yield* Effect.cachedWithTTL(read, KEEP)

      return {
        snapshot: Effect.gen(function* () {
          yield* watching
          yield* longestDelay
          yield* sizes
          yield* Measure.residentMemory.set(process.memoryUsage.rss())
          yield* Measure.uptime.set(process.uptime())
          return snapshot()
        })
      }
    })
  )
}

/** How late a timer comes is how long the event loop was busy with something else. */
const watchLag = Effect.suspend(() => {
  const due = performance.now() + Duration.toMillis(LAG_EVERY)
  return Effect.map(Effect.sleep(LAG_EVERY), () =>
    Measure.eventLoopLag.unsafeRecord(Math.max(0, performance.now() - due) / 1000)
  )
}).pipe(Effect.repeat(Schedule.forever))
