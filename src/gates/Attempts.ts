import { Data, Effect } from "effect"
import { type Limit, makeRateLimit } from "../runtime/RateLimit.ts"
import { monotonicMillis } from "../runtime/Throttle.ts"
import { Callers } from "./Callers.ts"
import type { Request } from "./Verifier.ts"

const limit = (times: number, within: Limit["within"]): Limit => ({ times, within })

export const GUESSES: ReadonlyArray<Limit> = [limit(5, "1 minute"), limit(20, "1 hour")]
/** The limit of all strangers' attempts at the password, however many clients there are. */
export const GUESSES_IN_ALL: ReadonlyArray<Limit> = [limit(100, "1 hour")]
/** The limits of a client's requests for a challenge, whose answer cannot be guessed. */
export const CHALLENGES: ReadonlyArray<Limit> = [limit(20, "1 minute"), limit(200, "1 hour")]

/** Maximum number of clients tracked; the least recently seen one is evicted first. */
const MAX_CLIENTS = 10_000
const ALL = ""

/** There were too many attempts; the next one is possible after `seconds`. */
export class TooManyAttempts extends Data.TaggedError("TooManyAttempts")<{ readonly seconds: number }> {}

interface Guarded {
  readonly perClient: ReadonlyArray<Limit>
  readonly inAll?: ReadonlyArray<Limit>
  /** Whether an attempt that succeeds counts too. */
  readonly countsAll?: boolean
}

/**
 * Makes a guard that limits attempts by caller and in all. An attempt is counted before it runs, so that concurrent
 * attempts cannot pass together; what a caller sends is read as part of it. Success clears the caller's count. A
 * browser that the owner has used is counted by itself alone. The guard uses a monotonic clock, and a restart clears
 * all counts.
 */
export const makeAttempts = ({ countsAll = false, inAll = [], perClient }: Guarded) =>
  Effect.map(Callers, (callers) => {
    const clients = makeRateLimit(perClient, MAX_CLIENTS)
    const strangers = makeRateLimit(inAll)

    return Effect.fnUntraced(function* <A, E, R>(request: Request, work: Effect.Effect<A, E, R>) {
      const { isKnown, key } = yield* callers.find(request)
      const now = yield* monotonicMillis
      const wait = Math.max(clients.wait(key, now), isKnown ? 0 : strangers.wait(ALL, now))
      if (wait > 0) return yield* new TooManyAttempts({ seconds: Math.ceil(wait / 1000) })
      clients.count(key, now)
      if (!isKnown) strangers.count(ALL, now)
      const done = yield* work
      if (countsAll) return done
      clients.forget(key)
      if (!isKnown) strangers.takeBack(ALL, now)
      return done
    })
  })
