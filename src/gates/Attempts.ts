import { Data, Duration, Effect } from "effect"
import { LruMap } from "../runtime/LruMap.ts"
import { monotonicMillis } from "../runtime/Throttle.ts"
import { Callers } from "./Callers.ts"
import type { Request } from "./Verifier.ts"

/** A limit: at most this many attempts in any such time. */
interface Limit {
  readonly attempts: number
  readonly within: Duration.Duration
}

const limit = (attempts: number, within: Duration.DurationInput): Limit => ({
  attempts,
  within: Duration.decode(within)
})

/** The limits of a client's attempts at a secret that a person chose or types. */
export const GUESSES: ReadonlyArray<Limit> = [limit(5, "1 minute"), limit(20, "1 hour")]
/** The limit of all strangers' attempts at the password, however many clients there are. */
export const GUESSES_IN_ALL: ReadonlyArray<Limit> = [limit(100, "1 hour")]
/** The limits of a client's requests for a challenge, whose answer cannot be guessed. */
export const CHALLENGES: ReadonlyArray<Limit> = [limit(20, "1 minute"), limit(200, "1 hour")]

/** Maximum number of clients tracked; the least recently seen one is evicted first. */
const MAX_CLIENTS = 10_000

/** There were too many attempts; the next one is possible after `seconds`. */
export class TooManyAttempts extends Data.TaggedError("TooManyAttempts")<{ readonly seconds: number }> {}

/** Returns the milliseconds until the limits allow another attempt after those at `times`, the oldest first. */
const waitAfter = (limits: ReadonlyArray<Limit>, times: ReadonlyArray<number>, now: number): number =>
  Math.max(
    0,
    ...limits.map(({ attempts, within }) => {
      const oldest = times.at(-attempts)
      return oldest === undefined ? 0 : oldest + Duration.toMillis(within) - now
    })
  )

const longest = (limits: ReadonlyArray<Limit>) => Math.max(0, ...limits.map(({ attempts }) => attempts))

/** What a guard limits. */
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
    const clients = new LruMap<string, ReadonlyArray<number>>(MAX_CLIENTS)
    let all: ReadonlyArray<number> = []

    return Effect.fnUntraced(function* <A, E, R>(request: Request, work: Effect.Effect<A, E, R>) {
      const { isKnown, key } = yield* callers.find(request)
      const now = yield* monotonicMillis
      const own = clients.get(key) ?? []
      const wait = Math.max(waitAfter(perClient, own, now), isKnown ? 0 : waitAfter(inAll, all, now))
      if (wait > 0) return yield* new TooManyAttempts({ seconds: Math.ceil(wait / 1000) })
      clients.set(key, [...own, now].slice(-longest(perClient)))
      if (!isKnown && inAll.length > 0) all = [...all, now].slice(-longest(inAll))
      const done = yield* work
      if (countsAll) return done
      clients.delete(key)
      const index = all.indexOf(now)
      if (index !== -1) all = all.toSpliced(index, 1)
      return done
    })
  })
