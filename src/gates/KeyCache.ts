import type { KeyObject } from "node:crypto"
import { Cause, Clock, Duration, Effect, Exit, Fiber, Option, Ref, type Scope } from "effect"

/** Public keys by their id (`kid`). */
export type Keys = ReadonlyMap<string, KeyObject>

/** Keys are asked for again at this age, so that a withdrawn one does not count for longer. */
export const MAX_AGE = Duration.minutes(10)

/** Keys this old count no more, even while the key server cannot be reached. */
export const STALE_LIMIT = Duration.hours(24)

/** How long after an answer no unknown key id leads to another question. */
export const COOL_DOWN = Duration.seconds(30)

/** How long after a failure the key server is left alone. */
export const RETRY_AFTER = Duration.seconds(10)

interface State {
  readonly keys: Keys
  /** When the keys came, and when the last question ended, in ms of a clock that never runs backwards. */
  readonly fetchedAt: number
  readonly askedAt: number
  readonly failed: boolean
}

const cold: State = { keys: new Map(), fetchedAt: -Infinity, askedAt: -Infinity, failed: false }

const monotonicMillis = Effect.map(Clock.currentTimeNanos, (nanos) => Number(nanos / 1_000_000n))

const isDue = ({ askedAt, failed, fetchedAt, keys }: State, kid: string, now: number) =>
  now - askedAt >= Duration.toMillis(failed ? RETRY_AFTER : COOL_DOWN) &&
  (!keys.has(kid) || now - fetchedAt >= Duration.toMillis(MAX_AGE))

/**
 * Keeps the keys that `fetch` answers, and asks again when they age or an unknown one is wanted: one question at a
 * time, with a pause after each. A failure changes nothing: the last good keys count on, up to their limit.
 */
export const make = Effect.fnUntraced(function* (
  fetch: Effect.Effect<Keys, { readonly reason: string }>,
  scope: Scope.Scope
) {
  const state = yield* Ref.make(cold)
  const turns = yield* Effect.makeSemaphore(1)

  const ask = Effect.gen(function* () {
    const answer = yield* Effect.exit(fetch)
    const before = yield* Ref.get(state)
    const now = yield* monotonicMillis
    if (Exit.isSuccess(answer)) {
      return yield* Ref.set(state, { keys: answer.value, fetchedAt: now, askedAt: now, failed: false })
    }
    yield* Ref.set(state, { ...before, askedAt: now, failed: true })
    if (before.failed) return
    const reason = Option.match(Cause.failureOption(answer.cause), {
      onNone: () => "unexpected",
      onSome: (error) => error.reason
    })
    yield* Effect.logWarning(`The access gateway's keys cannot be fetched (${reason}); trying again.`)
  })

  const askIfDue = Effect.fnUntraced(function* (kid: string) {
    if (isDue(yield* Ref.get(state), kid, yield* monotonicMillis)) yield* ask
  })

  /** The key of this id, if there is one that counts now. */
  const find = Effect.fnUntraced(function* (kid: string) {
    const before = yield* Ref.get(state)
    if (isDue(before, kid, yield* monotonicMillis)) {
      // Apart from the request that wants the key, which may be given up half way.
      const asking = yield* Effect.forkIn(turns.withPermits(1)(askIfDue(kid)), scope)
      // While the key server is down, a key at hand need not wait for it.
      if (!before.failed || !before.keys.has(kid)) yield* Fiber.join(asking)
    }
    const { fetchedAt, keys } = yield* Ref.get(state)
    const counts = (yield* monotonicMillis) - fetchedAt < Duration.toMillis(STALE_LIMIT)
    return counts ? Option.fromNullable(keys.get(kid)) : Option.none()
  })

  return { find }
})
