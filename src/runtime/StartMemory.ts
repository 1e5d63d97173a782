import { Effect } from "effect"

/** When the work of a start, the loading of its indexes too, is over for most libraries. */
const DELAY = "5 seconds"

/**
 * Frees, once, the memory that a start leaves behind in this thread: garbage, and the compiled code of what never runs
 * again. Requests compile what they need anew, which costs the first of each kind some milliseconds.
 */
export const releaseStartMemory = Effect.forkScoped(
  // Deprecated without a replacement: `Bun.gc` keeps compiled code.
  Effect.delay(
    Effect.sync(() => Bun.shrink()),
    DELAY
  )
)
