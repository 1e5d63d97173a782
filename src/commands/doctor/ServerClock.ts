import { Effect } from "effect"
import { ServerDates } from "../../enrich/ServerDates.ts"
import { type Check, off, ok, warn } from "./Finding.ts"

/** Tokens are good for a while before and after; a clock that is this far off (ms) soon refuses them. */
const MOST = 30_000

/** How far this machine's clock is from those of the servers that have answered by now. */
export const serverClock: Check<ServerDates> = Effect.gen(function* () {
  const { differences } = yield* ServerDates
  const [worst] = (yield* differences).toSorted((a, b) => Math.abs(b.millis) - Math.abs(a.millis))
  if (worst === undefined)
    return [off("clock", "no server has said what time it is", "Look again when one of them can be reached.")]
  const seconds = (Math.abs(worst.millis) / 1000).toFixed(1)
  const detail = `${seconds} seconds ${worst.millis > 0 ? "ahead of" : "behind"} ${worst.host}`
  return Math.abs(worst.millis) <= MOST
    ? [ok("clock", detail)]
    : [warn("clock", detail, "Have the system set its clock by NTP: tokens are judged by it.")]
})
