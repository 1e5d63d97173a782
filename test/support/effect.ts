import { test } from "bun:test"
import { Effect, Layer, Logger, type Scope } from "effect"
import { onManualClock } from "./manualClock.ts"

type Run = <A, E>(effect: Effect.Effect<A, E>) => Effect.Effect<A, E>

const quiet = Logger.remove(Logger.defaultLogger)

const make =
  (run: Run) =>
  <Services>(layer: Layer.Layer<Services, unknown>) =>
  <E>(name: string, body: Effect.Effect<void, E, Services | Scope.Scope>, timeout?: number) =>
    test(
      name,
      () => Effect.runPromise(run(body.pipe(Effect.scoped, Effect.provide(Layer.merge(layer, quiet))))),
      timeout
    )

/** A test whose body is an Effect. Each test builds `layer` afresh, so nothing passes from one to the next. */
export const effectTest = make((effect) => effect)

/** The same, on a clock that only `TestClock.adjust` and `TestClock.setTime` move. */
export const clockTest = make(onManualClock)
