import { Duration, Effect, FiberRef } from "effect"

/** A person waits for a `capture`. */
type Lane = "capture" | "chat" | "background"
const lanes: ReadonlyArray<Lane> = ["capture", "chat", "background"]

const current = FiberRef.unsafeMake<Lane>("background")

/** Runs work with its fetches, including those of its child fibers, assigned to this lane. */
export const inLane =
  (lane: Lane) =>
  <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.locally(work, current, lane)

/** A slower fetch frees its lane's place for the next one. */
const SLOW_AFTER = Duration.seconds(2)
const SLOW_PER_PLACE = 4

interface Host {
  running: number
  last: Lane
  readonly waiting: Record<Lane, Array<() => void>>
}

const makeTurns = (perHost: number) => {
  const hosts = new Map<string, Host>()

  const hostOf = (name: string) => {
    const host = hosts.get(name) ?? {
      running: 0,
      last: "background" as const,
      waiting: { capture: [], chat: [], background: [] }
    }
    hosts.set(name, host)
    return host
  }

  const leave = (name: string) => {
    const host = hostOf(name)
    const after = lanes.indexOf(host.last) + 1
    const next = [...lanes.slice(after), ...lanes.slice(0, after)].find(
      (lane) => host.waiting[lane].length > 0
    )
    const enter = next === undefined ? undefined : host.waiting[next].shift()
    if (next !== undefined) host.last = next
    // Handing the turn to the next waiter leaves `running` unchanged.
    if (enter !== undefined) return enter()
    host.running--
    if (host.running === 0) hosts.delete(name)
  }

  const enter = (name: string, lane: Lane) =>
    Effect.async<void>((resume) => {
      const host = hostOf(name)
      if (host.running < perHost) {
        host.running++
        host.last = lane
        return resume(Effect.void)
      }
      let hasTurn = false
      const turn = () => {
        hasTurn = true
        resume(Effect.void)
      }
      host.waiting[lane].push(turn)
      return Effect.sync(() => {
        if (hasTurn) return leave(name)
        host.waiting[lane] = host.waiting[lane].filter((one) => one !== turn)
      })
    })

  return { enter, leave }
}

const makePlaces = Effect.fnUntraced(function* (most: number) {
  const places = yield* Effect.makeSemaphore(most)
  const slow = yield* Effect.makeSemaphore(most * SLOW_PER_PLACE)

  return <A, E, R>(fetch: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.scoped(
      Effect.gen(function* () {
        let held = places
        yield* Effect.acquireRelease(Effect.interruptible(places.take(1)), () =>
          Effect.suspend(() => held.release(1))
        )
        const move = Effect.uninterruptibleMask((restore) =>
          Effect.zipRight(
            restore(Effect.delay(slow.take(1), SLOW_AFTER)),
            Effect.suspend(() => {
              held = slow
              return places.release(1)
            })
          )
        )
        yield* Effect.forkScoped(move)
        return yield* fetch
      })
    )
})

/** Limits each host to `perHost` fetches and each lane to `inAll` that are not slow. */
export const makeHostLimits = Effect.fnUntraced(function* (perHost: number, inAll: number) {
  const { enter, leave } = makeTurns(perHost)
  const places = {
    capture: yield* makePlaces(inAll),
    chat: yield* makePlaces(inAll),
    background: yield* makePlaces(inAll)
  }

  return (host: string) =>
    <A, E, R>(fetch: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
      Effect.flatMap(FiberRef.get(current), (lane) =>
        Effect.acquireUseRelease(
          Effect.interruptible(enter(host, lane)),
          () => places[lane](fetch),
          () => Effect.sync(() => leave(host))
        )
      )
})
