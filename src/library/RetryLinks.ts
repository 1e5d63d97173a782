import { Context, Duration, Effect, Layer } from "effect"
import { LinkStore } from "../store/LinkStore.ts"
import { Refresh } from "./Refresh.ts"

/** How often it is seen whether a link is due, and how many are looked at then. */
const INTERVAL = Duration.minutes(1)
const AT_ONCE = 4
const BATCH = 50

/** Looks again, a few times over a day, at links whose page or model failed; never against what was set by hand. */
export class RetryLinks extends Context.Tag("RetryLinks")<
  RetryLinks,
  {
    /** Looks at every link that is due, once. */
    readonly due: Effect.Effect<void>
    /** Goes on doing so for ever. */
    readonly run: Effect.Effect<never>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const links = yield* LinkStore
      const refresh = yield* Refresh
      const due = Effect.gen(function* () {
        const ids = yield* links.takeDue(BATCH)
        yield* Effect.forEach(
          ids,
          (id) =>
            Effect.catchAllCause(refresh.refresh(id), (cause) =>
              Effect.logWarning(`looking again at #${id} failed`, cause)
            ),
          { concurrency: AT_ONCE, discard: true }
        )
      }).pipe(
        Effect.catchAllCause((cause) => Effect.logWarning("looking for links to retry failed", cause)),
        Effect.withSpan("RetryLinks.due")
      )
      return { due, run: Effect.forever(Effect.zipRight(due, Effect.sleep(INTERVAL))) }
    })
  )
}
