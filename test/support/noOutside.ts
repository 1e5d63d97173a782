import { Effect, Layer } from "effect"
import { WaybackMachine } from "../../src/enrich/archive/WaybackMachine.ts"
import { PageCheck } from "../../src/enrich/PageCheck.ts"

/** Finds every page where it was, and no copy of any. */
export const noOutside = Layer.merge(
  Layer.succeed(PageCheck, {
    look: () => Effect.succeed({ _tag: "Present" }),
    answers: () => Effect.succeed(true)
  }),
  Layer.succeed(WaybackMachine, {
    mayKnow: () => Effect.succeed(false),
    nearest: () => Effect.succeedNone,
    submit: () => Effect.void
  })
)
