import { test } from "bun:test"
import { Effect, Layer, Logger, type Scope } from "effect"
import type { YieldWrap } from "effect/Utils"
import { onManualClock } from "./manualClock.ts"

type Run = <A, E>(effect: Effect.Effect<A, E>) => Effect.Effect<A, E>

/** A test's body: an Effect, or the function that `Effect.gen` takes. */
type Body<E, R> =
  | Effect.Effect<void, E, R>
  | (() => Generator<YieldWrap<Effect.Effect<unknown, unknown, R>>, void, never>)

const quiet = Logger.remove(Logger.defaultLogger)

const make =
  (run: Run) =>
  <Services>(layer: Layer.Layer<Services, unknown>) =>
  <E>(name: string, body: Body<E, Services | Scope.Scope>, timeout?: number) => {
    const effect = Effect.isEffect(body) ? body : Effect.gen(body)
    return test(
      name,
      () => Effect.runPromise(run(effect.pipe(Effect.scoped, Effect.provide(Layer.merge(layer, quiet))))),
      timeout
    )
  }

/** A test whose body is an Effect. Each test builds `layer` afresh, so nothing passes from one to the next. */
export const effectTest = make((effect) => effect)

/** The same, on a clock that only `TestClock.adjust` and `TestClock.setTime` move. */
export const clockTest = make(onManualClock)
