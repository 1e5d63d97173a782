import { Console, Effect } from "effect"
import { count } from "./InWords.ts"

/** How often progress is told at most, in milliseconds. */
const INTERVAL = 1_000

/** Tells on the standard error how many links a command has done, and of how many. */
export const makeProgress = () => {
  let told = performance.now()
  return ({ done, total }: { readonly done: number; readonly total: number }) =>
    Effect.suspend(() => {
      const now = performance.now()
      if (now - told < INTERVAL) return Effect.void
      told = now
      return Console.error(`${done.toLocaleString("en")} of ${count(total, "link")}`)
    })
}
