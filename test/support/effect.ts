import { afterAll, test } from "bun:test"
import { Effect, Layer, Logger, ManagedRuntime, type Scope } from "effect"
import type { YieldWrap } from "effect/Utils"
import { LibraryReset } from "./library.ts"
import { onManualClock } from "./manualClock.ts"

type Run = <A, E>(effect: Effect.Effect<A, E>) => Effect.Effect<A, E>

/** The body of a test: an effect, or the generator function that `Effect.gen` would take. */
type Body<Services> =
  | Effect.Effect<void, unknown, Services>
  | (() => Generator<YieldWrap<Effect.Effect<unknown, unknown, Services>>, void, never>)

type Test<Services> = (name: string, body: Body<Services | Scope.Scope>, timeout?: number) => void

const quiet = Logger.remove(Logger.defaultLogger)

const effectOf = <Services>(body: Body<Services>): Effect.Effect<void, unknown, Services> =>
  typeof body === "function" ? Effect.gen(body) : body

const make =
  (run: Run) =>
  <Services>(layer: Layer.Layer<Services, unknown>): Test<Services> =>
  (name, body, timeout) =>
    test(
      name,
      () =>
        Effect.runPromise(run(effectOf(body).pipe(Effect.scoped, Effect.provide(Layer.merge(layer, quiet))))),
      timeout
    )

/** A test whose body is an Effect. Each test builds `layer` afresh, so nothing passes from one to the next. */
export const effectTest = make((effect) => effect)

/** The same, on a clock that only `TestClock.adjust` and `TestClock.setTime` move. */
export const clockTest = make(onManualClock)

/**
 * The same as `effectTest`, with one `layer` for the whole file, whose library is empty again before each test. What the
 * services of `layer` remember themselves stays: a test about that is an `effectTest`.
 */
export const libraryTest = <Services>(
  layer: Layer.Layer<Services | LibraryReset, unknown>
): Test<Services> => {
  const runtime = ManagedRuntime.make(Layer.merge(layer, quiet))
  afterAll(() => runtime.dispose())
  const reset = Effect.flatten(LibraryReset)
  return (name, body, timeout) =>
    test(name, () => runtime.runPromise(Effect.zipRight(reset, Effect.scoped(effectOf(body)))), timeout)
}

/** The same as `effectTest`, with one `layer` for the whole file: for services that keep nothing from a test. */
export const sharedTest = <Services>(layer: Layer.Layer<Services, unknown>): Test<Services> => {
  const runtime = ManagedRuntime.make(Layer.merge(layer, quiet))
  afterAll(() => runtime.dispose())
  return (name, body, timeout) => test(name, () => runtime.runPromise(Effect.scoped(effectOf(body))), timeout)
}
