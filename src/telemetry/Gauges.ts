import { monitorEventLoopDelay } from "node:perf_hooks"
import { Context, Duration, Effect, Schedule } from "effect"
import { Service } from "../runtime/Services.ts"
import { VERSION } from "../version.ts"
import { snapshot } from "./MetricFormat.ts"
import { Measure } from "./Metrics.ts"

export interface Sizes {
  readonly links: number
  /** The number of database pages times the page size, without the write-ahead log. */
  readonly bytes: number
  /** Arrivals not yet processed, including postponed ones. */
  readonly inboxWaiting: number
  readonly outboxWaiting: number
}

/** Measures the library; the store implements it. */
export class LibrarySize extends Context.Tag("LibrarySize")<
  LibrarySize,
  { readonly read: Effect.Effect<Sizes> }
>() {}

/** How long the sizes are cached: frequent scrapes must not read the library each time. */
const SIZES_TTL = Duration.seconds(5)
const LAG_INTERVAL = Duration.millis(500)
/** Sampling resolution of the event loop's longest delay, in milliseconds. */
const RESOLUTION = 10

const makeGauges = Effect.gen(function* () {
  const size = yield* LibrarySize
  yield* Measure.buildInfo.set(1, VERSION)
  const scope = yield* Effect.scope
  // Starts at the first snapshot; interruptible, although the request that asks for the snapshot is not.
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
  }).pipe(Effect.catchAllCause((cause) => Effect.logWarning("measuring the library failed", cause)))
  const sizes = yield* Effect.cachedWithTTL(read, SIZES_TTL)

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

/** Every metric, including those that are read only on request: library sizes, queue lengths and process memory. */
export class Gauges extends Service<Gauges>()("Gauges", makeGauges) {}

/** Records how late a timer fires: that is how long the event loop was busy with something else. */
const watchLag = Effect.suspend(() => {
  const due = performance.now() + Duration.toMillis(LAG_INTERVAL)
  return Effect.map(Effect.sleep(LAG_INTERVAL), () =>
    Measure.eventLoopLag.unsafeRecord(Math.max(0, performance.now() - due) / 1000)
  )
}).pipe(Effect.repeat(Schedule.forever))
