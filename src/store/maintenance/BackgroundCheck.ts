import { Duration, Effect, Layer } from "effect"
import { Health, type HealthProblem } from "../../domain/Health.ts"
import { inspectBehind } from "./Inspection.ts"

const EVERY = Duration.days(1)
/**
 * How often it is looked whether there is damage, which is checked again: a repair or a better disk may have ended it.
 */
const LOOK = Duration.minutes(1)

/** After the start, daily, and while there is damage, which ends saving: a broken index hides and doubles links. */
export const layer = (filename: string) =>
  Layer.scopedDiscard(
    Effect.gen(function* () {
      const health = yield* Health
      const report = (problem: HealthProblem, what: string, [first]: ReadonlyArray<string>) =>
        health.set(problem, first !== undefined, `${what} ${filename} is damaged (${first})`)

      const check = Effect.gen(function* () {
        const damage = yield* inspectBehind(filename)
        // A log that lost pages makes every other finding meaningless.
        if (damage === undefined || (yield* health.has("log-damaged"))) return
        const { indexes, search, tables } = damage
        yield* tables.length > 0
          ? report("storage-damaged", "nothing can be saved, because the database", tables)
          : report("storage-damaged", "nothing can be saved, because an index in", indexes)
        yield* report("search-damaged", "searches miss links, because the search index in", search)
      }).pipe(
        Effect.catchAllCause((cause) => Effect.logWarning("checking the library failed", cause)),
        Effect.withSpan("BackgroundCheck.check")
      )

      const isDamaged = Effect.zipWith(
        health.has("storage-damaged"),
        health.has("search-damaged"),
        (storage, search) => storage || search
      )
      const wait = Effect.delay(isDamaged, LOOK).pipe(
        Effect.repeat({ until: (damaged) => damaged, times: Duration.toMinutes(EVERY) })
      )
      yield* Effect.forkScoped(Effect.forever(Effect.zipRight(check, wait)))
    })
  ).pipe(Layer.provide(Health.layer))
