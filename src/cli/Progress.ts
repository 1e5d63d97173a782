import { Console, Effect } from "effect"
import { makeThrottle } from "../runtime/Throttle.ts"
import { count } from "../shared/Format.ts"

/** A duration given in milliseconds, in seconds. */
export const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`

/** Minimum interval between two lines of progress. */
const INTERVAL = "1 second"

/** Returns a function that prints progress in links to standard error, at most once a second; not at the start. */
export const makeProgress = () => {
  const throttle = makeThrottle(INTERVAL, { first: "later" })
  return ({ done, total }: { readonly done: number; readonly total: number }) =>
    throttle(Effect.suspend(() => Console.error(`${done.toLocaleString("en")} of ${count(total, "link")}`)))
}
