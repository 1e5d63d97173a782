import type { Captured } from "../../../web/extension/capture.ts"
import { type DeliveryEnvironment, makeDelivery } from "../../../web/extension/delivery.ts"
import type { Outcome } from "../../../web/extension/send.ts"

const never = <A>() => new Promise<A>(() => {})
const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

/** A service as the outbox sees it: returns the outcome of sending a capture. */
export type Service = (capture: Captured) => Outcome | Promise<Outcome> | undefined

/**
 * A fake browser: storage that outlives the extension's workers, a manual clock, locks that end with their holder, and
 * workers that can be killed between any two steps.
 */
export const fakeBrowser = (service: Service) => {
  const kept = new Map<string, unknown>()
  const held = new Map<string, number>()
  const state = { now: 1_700_000_000_000, wake: undefined as number | undefined, service }
  const sent: Array<string> = []
  const delivered: Array<string> = []
  const active = new Map<string, number>()
  const overlaps: Array<string> = []
  const dead = new Set<number>()
  let workers = 0

  const kill = (worker: number) => {
    dead.add(worker)
    for (const [name, holder] of held) if (holder === worker) held.delete(name)
    // A browser aborts the requests of a worker that it terminates.
    for (const [id, sender] of active) if (sender === worker) active.delete(id)
  }

  /** Starts a worker or another page; it dies after `steps` steps. */
  const start = (steps = Number.POSITIVE_INFINITY) => {
    const me = workers++
    let left = steps
    const step = async <A>(work: () => A): Promise<A> => {
      if (left-- <= 0 && !dead.has(me)) kill(me)
      if (dead.has(me)) return never()
      await turn()
      return dead.has(me) ? never() : work()
    }
    const holding = async <A>(name: string, work: () => Promise<A>): Promise<A> => {
      held.set(name, me)
      try {
        return await work()
      } finally {
        if (held.get(name) === me) held.delete(name)
      }
    }
    const world: DeliveryEnvironment = {
      storage: {
        get: (key) =>
          step(() => structuredClone(Object.fromEntries(key === null ? kept : [[key, kept.get(key)]]))),
        set: (items) =>
          step(() => {
            for (const [key, value] of Object.entries(items)) kept.set(key, structuredClone(value))
          }),
        remove: (key) => step(() => void kept.delete(key))
      },
      now: () => state.now,
      send: async (capture) => {
        if (dead.has(me)) return never()
        if (active.has(capture.id)) overlaps.push(capture.id)
        active.set(capture.id, me)
        sent.push(capture.id)
        const outcome = await state.service(capture)
        return step(() => {
          active.delete(capture.id)
          return outcome
        })
      },
      withLock: async (name, work) => {
        while (held.has(name)) await turn()
        return dead.has(me) ? never() : holding(name, work)
      },
      withFreeLock: async (name, work) => (held.has(name) ? undefined : holding(name, work)),
      wake: (at) =>
        step(() => {
          state.wake = at
        }),
      delivered: ({ id }) => step(() => void delivered.push(id))
    }
    return { outbox: makeDelivery(world), kill: () => kill(me), isDead: () => dead.has(me) }
  }

  return {
    state,
    kept,
    sent,
    delivered,
    overlaps,
    start,
    /** The ids of the captures in the outbox. */
    inOutbox: () => [...kept.keys()].filter((key) => key.startsWith("outbox.")).map((key) => key.slice(7)),
    advance: (minutes: number) => {
      state.now += minutes * 60_000
    }
  }
}

let count = 0

/** A capture of a page. */
export const capture = (more: Partial<Captured> = {}): Captured => ({
  id: `capture-${++count}`,
  url: `https://example.org/${count}`,
  note: "",
  at: 1_700_000_000_000 + count,
  ...more
})

export const ok: Outcome = { kind: "delivered" }
export const down: Outcome = { kind: "later", trouble: "unreachable", after: undefined }
export const rejected: Outcome = { kind: "token" }
export const refused: Outcome = { kind: "refused", message: "No." }
export const busyFor = (seconds: number): Outcome => ({
  kind: "later",
  trouble: "busy",
  after: seconds * 1_000
})
