import { FetchHttpClient } from "@effect/platform"
import { Clock, Data, Duration, Effect, Option, Ref } from "effect"
import { Measure } from "../domain/Metrics.ts"

/** Where a collector is, and what is sent along. */
export interface Collector {
  /** Ends without a slash; `/v1/logs`, `/v1/traces` and `/v1/metrics` are below it (OTLP/HTTP specification). */
  readonly endpoint: string
  readonly headers: Readonly<Record<string, string>>
}

export type Signal = "logs" | "traces" | "metrics"

/** The collector did not take what was sent; `reason` is safe to log: it holds no address and no header. */
class NotTaken extends Data.TaggedError("NotTaken")<{ readonly reason: string }> {}

const TIMEOUT = Duration.seconds(5)
/** How often at most the log says that the collector takes nothing. */
const SAY_AGAIN = Duration.minutes(1)
/** No signal holds up the end of the service for longer. */
export const LAST_WORDS = Duration.seconds(1)

const MAX_BATCH = 512
/** What waits beyond this is dropped: a collector that hangs must not fill the memory. */
const MAX_WAITING = 4096

const post = (send: typeof fetch, { endpoint, headers }: Collector, signal: Signal, body: string) =>
  Effect.tryPromise({
    try: async (abort) => {
      const response = await send(`${endpoint}/v1/${signal}`, {
        method: "POST",
        headers: { ...headers, "content-type": "application/json" },
        body,
        // The headers hold a key, which must not go where a redirect points.
        redirect: "manual",
        signal: abort
      })
      // Whatever it says is not read: it may be anything, of any length.
      await response.body?.cancel()
      return response.status
    },
    catch: () => new NotTaken({ reason: "it cannot be reached" })
  }).pipe(
    Effect.timeoutFail({
      duration: TIMEOUT,
      onTimeout: () => new NotTaken({ reason: "it does not answer in time" })
    }),
    Effect.filterOrFail(
      (status) => status >= 200 && status < 300,
      (status) => new NotTaken({ reason: `it answers ${status}` })
    )
  )

/** Sends to one collector; what it does not take is dropped and counted. Never fails, and says so once a minute at most. */
export const makeSend = Effect.fnUntraced(function* (collector: Collector) {
  const said = yield* Ref.make(-Infinity)
  const fetching = Option.getOrElse(yield* Effect.serviceOption(FetchHttpClient.Fetch), () => fetch)

  const complain = Effect.fnUntraced(function* (reason: string) {
    const now = yield* Clock.currentTimeMillis
    const before = yield* Ref.get(said)
    if (now >= before && now - before < Duration.toMillis(SAY_AGAIN)) return
    yield* Ref.set(said, now)
    yield* Effect.logWarning(`the collector takes no telemetry: ${reason}; it is dropped meanwhile`)
  })

  return (signal: Signal, body: unknown, many: number) =>
    post(fetching, collector, signal, JSON.stringify(body)).pipe(
      Effect.asVoid,
      Effect.catchAll(({ reason }) =>
        Effect.zipRight(Measure.telemetryDropped.countBy(many, signal), complain(reason))
      )
    )
})
export type Send = Effect.Effect.Success<ReturnType<typeof makeSend>>

/** Collects items and sends them together every `interval`, and a last time when its scope closes. */
export const makeBatches = Effect.fnUntraced(function* <A>(
  signal: "logs" | "traces",
  interval: Duration.DurationInput,
  send: Send,
  bodyOf: (items: ReadonlyArray<A>) => unknown
) {
  const waiting: Array<A> = []
  let dropped = 0

  /** Sends the oldest; they wait until that has come to an end, so that one cut off by the last flush is sent by it. */
  const sendSome = Effect.suspend(() => {
    const some = waiting.slice(0, MAX_BATCH)
    return Effect.andThen(send(signal, bodyOf(some), some.length), () => {
      waiting.splice(0, some.length)
    })
  })

  const countDropped = Effect.suspend(() => {
    const lost = dropped
    dropped = 0
    return lost > 0 ? Measure.telemetryDropped.countBy(lost, signal) : Effect.void
  })

  const flush = Effect.zipRight(
    countDropped,
    Effect.whileLoop({ while: () => waiting.length > 0, body: () => sendSome, step: () => {} })
  )

  yield* Effect.addFinalizer(() => Effect.timeoutOption(Effect.interruptible(flush), LAST_WORDS))
  yield* Effect.forkScoped(Effect.forever(Effect.delay(flush, interval)))

  return (item: A): void => {
    if (waiting.length < MAX_WAITING) waiting.push(item)
    else dropped++
  }
})
