import { Effect } from "effect"

/**
 * Holds fetches back so that a host sees at most `perHost` of them at once, and the network at most `inAll`.
 *
 * A host is forgotten when nobody waits for it any more.
 */
export const makeHostLimits = Effect.fnUntraced(function* (perHost: number, inAll: number) {
  const all = yield* Effect.makeSemaphore(inAll)
  const hosts = new Map<string, { readonly semaphore: Effect.Semaphore; users: number }>()

  const take = (host: string) =>
    Effect.sync(() => {
      const known = hosts.get(host) ?? { semaphore: Effect.unsafeMakeSemaphore(perHost), users: 0 }
      known.users++
      hosts.set(host, known)
      return known
    })

  return (host: string) =>
    <A, E, R>(fetch: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
      Effect.acquireUseRelease(
        take(host),
        ({ semaphore }) => semaphore.withPermits(1)(all.withPermits(1)(fetch)),
        (used) =>
          Effect.sync(() => {
            used.users--
            if (used.users === 0) hosts.delete(host)
          })
      )
})
