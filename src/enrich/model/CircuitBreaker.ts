import { Cause, Clock, Data, Duration, Effect, Exit, Ref } from "effect"
import { Measure } from "../../telemetry/Metrics.ts"

export class CircuitOpen extends Data.TaggedError("CircuitOpen") {}

/** Admits calls until too many fail in a row, then rejects them for a while (Nygard, "Release It!"). */
export interface CircuitBreaker {
  /** An interrupted call counts as neither success nor failure. */
  readonly protect: <A, E, R>(call: Effect.Effect<A, E, R>) => Effect.Effect<A, E | CircuitOpen, R>
  /** For use when the server has been replaced. */
  readonly reset: Effect.Effect<void>
}

type State = Data.TaggedEnum<{
  Closed: { readonly failures: number }
  /** `since` is in milliseconds since the epoch. */
  Open: { readonly since: number }
  Probing: { readonly since: number }
}>
const { Closed, Open, Probing } = Data.taggedEnum<State>()

type Admission = "call" | "probe" | "refuse"

/** After `openFor` the breaker admits one call as a probe. */
export const make = Effect.fn("CircuitBreaker.make")(function* (options: {
  readonly name: string
  readonly failures: number
  readonly openFor: Duration.DurationInput
}) {
  const state = yield* Ref.make<State>(Closed({ failures: 0 }))
  const pause = Duration.toMillis(options.openFor)
  yield* Measure.circuitOpen.set(0, options.name)

  const admission = (current: State, now: number): Admission => {
    if (current._tag !== "Open") return current._tag === "Closed" ? "call" : "refuse"
    // A clock that is set back must not prolong the pause.
    return now >= current.since && now - current.since < pause ? "refuse" : "probe"
  }

  const admit = (now: number) =>
    Ref.modify(state, (current) => {
      const admitted = admission(current, now)
      return [
        admitted,
        admitted === "probe" && current._tag === "Open" ? Probing({ since: current.since }) : current
      ]
    })

  const afterFailure = (admitted: Admission, now: number) => (current: State) => {
    if (admitted === "probe") return Open({ since: now })
    if (current._tag !== "Closed") return current
    const failures = current.failures + 1
    return failures < options.failures ? Closed({ failures }) : Open({ since: now })
  }

  const afterInterruption = (admitted: Admission) => (current: State) =>
    admitted === "probe" && current._tag === "Probing" ? Open({ since: current.since }) : current

  const announce = (before: State, after: State) => {
    if (after._tag === "Open" && before._tag === "Closed")
      return Effect.zipRight(
        Measure.circuitOpen.set(1, options.name),
        Effect.logWarning(`${options.name}: ${options.failures} calls failed in a row, pausing calls`)
      )
    if (after._tag === "Closed" && before._tag !== "Closed")
      return Effect.zipRight(
        Measure.circuitOpen.set(0, options.name),
        Effect.logInfo(`${options.name}: calls succeed again`)
      )
    return Effect.void
  }

  const move = (next: (current: State) => State) =>
    Ref.modify(state, (current): [readonly [State, State], State] => {
      const after = next(current)
      return [[current, after], after]
    }).pipe(Effect.flatMap(([before, after]) => announce(before, after)))

  const settle = (admitted: Admission) => (exit: Exit.Exit<unknown, unknown>) =>
    Exit.match(exit, {
      onSuccess: () => move(() => Closed({ failures: 0 })),
      onFailure: (cause) =>
        Cause.isInterruptedOnly(cause)
          ? move(afterInterruption(admitted))
          : Effect.flatMap(Clock.currentTimeMillis, (now) => move(afterFailure(admitted, now)))
    })

  const breaker: CircuitBreaker = {
    reset: move(() => Closed({ failures: 0 })),
    protect: (call) =>
      Effect.uninterruptibleMask((restore) =>
        Effect.gen(function* () {
          const admitted = yield* Effect.flatMap(Clock.currentTimeMillis, admit)
          if (admitted === "refuse") return yield* new CircuitOpen()
          return yield* Effect.onExit(restore(call), settle(admitted))
        })
      )
  }
  return breaker
})
