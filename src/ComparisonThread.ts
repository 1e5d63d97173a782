import { type Comparison, helpCompare } from "./search/kernel/Comparison.ts"

/** Worker thread that takes part in the comparison of all links of a plan, in the memory of the plan's thread. */
self.addEventListener("message", async ({ data }: MessageEvent<Comparison>) => {
  for (const _ of helpCompare(data)) await new Promise((resolve) => setImmediate(resolve))
})
