import { getPriority } from "node:os"
import { Effect } from "effect"
import { yieldProcessor } from "../../src/runtime/ThreadWork.ts"

/** Posts its priority before and after it yields the processor. */
const before = getPriority()
Effect.runSync(yieldProcessor)
self.postMessage([before, getPriority()])
