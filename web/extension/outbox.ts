import type { Captured } from "./capture.ts"
import type { Trouble } from "./send.ts"
import { fieldsOf } from "./settings.ts"

/** A capture in the outbox. */
export interface Entry extends Captured {
  readonly attempts: number
  /** The earliest time to send it, in milliseconds since 1970: until then the user can undo the capture. */
  readonly heldUntil: number
  /** Why the service rejects it; such a capture waits for the user. */
  readonly refused?: string
}

/** The state of the outbox as a whole. */
export interface Queue {
  /** Failures since the last delivery. */
  readonly failures: number
  readonly pausedUntil: number
  /** Whether the service itself asked for the pause. */
  readonly byService: boolean
  readonly trouble?: Trouble
  /** Whether the service rejected the token: nothing is sent until the user fixes it. */
  readonly rejected: boolean
}

export const QUEUE = "queue"
const PREFIX = "outbox."
const keyOf = (id: string) => PREFIX + id

/** The capture whose entry has this key in the storage; undefined for any other key. */
export const idOf = (key: string): string | undefined =>
  key.startsWith(PREFIX) ? key.slice(PREFIX.length) : undefined

/** The queue after a delivery, or after the user asked for a retry. */
export const calm: Queue = { failures: 0, pausedUntil: 0, byService: false, rejected: false }

const areAll = (type: "boolean" | "number" | "string", ...values: ReadonlyArray<unknown>) =>
  values.every((value) => typeof value === type)

const isEntry = (value: unknown): value is Entry => {
  const { at, attempts, heldUntil, id, note, url } = fieldsOf(value)
  return areAll("string", id, url, note) && areAll("number", at, attempts, heldUntil)
}

/** The stored value as an entry; undefined if the key or the value is not an entry's. */
const asEntry = (key: string, value: unknown): Entry | undefined =>
  idOf(key) !== undefined && isEntry(value) ? value : undefined

const isQueue = (value: unknown): value is Queue => {
  const { byService, failures, pausedUntil, rejected } = fieldsOf(value)
  return areAll("number", failures, pausedUntil) && areAll("boolean", byService, rejected)
}

/** The stored state of the queue; `calm` if none is stored. */
export const readQueue = (value: unknown): Queue => (isQueue(value) ? value : calm)

/** Whether the capture is waiting to be sent, which a rejected one is not. */
export const isWaiting = ({ refused }: Entry): boolean => refused === undefined

/** The outbox's environment, which tests replace. */
export interface OutboxEnvironment {
  readonly storage: {
    readonly get: (key: string | null) => Promise<Readonly<Record<string, unknown>>>
    readonly set: (items: Readonly<Record<string, unknown>>) => Promise<void>
    readonly remove: (key: string) => Promise<void>
  }
  readonly now: () => number
  /** Runs `work` under an exclusive lock of this name across all pages and workers; a lock ends with its holder. */
  readonly withLock: <A>(name: string, work: () => Promise<A>) => Promise<A>
  /** Like `withLock`, but returns undefined at once if the lock is held. */
  readonly withFreeLock: <A>(name: string, work: () => Promise<A>) => Promise<A | undefined>
  /** Schedules a wake-up for `drain`, which survives the end of all pages and workers; undefined cancels it. */
  readonly wake: (at: number | undefined) => Promise<void>
}

/** Maximum number of waiting captures. */
export const MAX_WAITING = 2_000
/** When to drain again if the sender dies, in milliseconds. */
export const FALLBACK_WAKE = 60_000

/** The captures in the outbox, oldest first, and the state of the queue. */
export interface Contents {
  readonly entries: ReadonlyArray<Entry>
  readonly queue: Queue
}

/** The number of captures that the outbox has room for. */
export const roomIn = ({ entries }: Contents): number => Math.max(MAX_WAITING - entries.length, 0)

export const sendLock = (id: string) => `send ${id}`

/**
 * An outbox of captures: each is stored before it is sent, and removed only when the service has it or the user
 * withdraws it.
 */
export const makeOutbox = ({ now, storage, wake, withFreeLock, withLock }: OutboxEnvironment) => {
  const contents = async (): Promise<Contents> => {
    const all = await storage.get(null)
    const entries = Object.entries(all).flatMap(([key, value]) => asEntry(key, value) ?? [])
    return { entries: entries.sort((a, b) => a.at - b.at), queue: readQueue(all[QUEUE]) }
  }
  const entryOf = async (id: string): Promise<Entry | undefined> =>
    asEntry(keyOf(id), (await storage.get(keyOf(id)))[keyOf(id)])
  const write = (entry: Entry) => storage.set({ [keyOf(entry.id)]: entry })
  const remove = (id: string) => storage.remove(keyOf(id))
  /** Stores captures, to be sent after `hold` milliseconds. Writes at once, because a popup may close at any moment. */
  const keep = async (captures: ReadonlyArray<Captured>, hold = 0): Promise<void> => {
    const more = { attempts: 0, heldUntil: hold === 0 ? 0 : now() + hold }
    await storage.set(
      Object.fromEntries(captures.map((capture) => [keyOf(capture.id), { ...capture, ...more }]))
    )
    await wake(now() + FALLBACK_WAKE)
  }

  /**
   * Stores as many captures as there is room for, to be sent after `hold` milliseconds, and returns their number; none if
   * the browser has no room for them.
   */
  const add = (captures: ReadonlyArray<Captured>, hold = 0): Promise<number> =>
    withLock("add", async () => {
      const taken = captures.slice(0, roomIn(await contents()))
      return keep(taken, hold).then(
        () => taken.length,
        () => 0
      )
    })

  /** Removes a capture on the user's request; false if it is being sent or already gone. */
  const withdraw = async (id: string): Promise<boolean> =>
    (await withFreeLock(sendLock(id), async () => {
      const known = (await entryOf(id)) !== undefined
      await remove(id)
      return known
    })) === true

  const change = (id: string, to: (entry: Entry) => Entry) =>
    withFreeLock(sendLock(id), async () => {
      const entry = await entryOf(id)
      if (entry !== undefined) await write(to(entry))
    })
  /** Ends the time for which a capture is held back. */
  const release = (id: string) => change(id, (entry) => ({ ...entry, heldUntil: 0 }))
  /** Makes a rejected capture wait for sending again. */
  const retry = (id: string) => change(id, ({ refused: _, ...entry }) => entry)

  return { add, keep, withdraw, release, retry, contents, entryOf, write, remove }
}
export type Outbox = ReturnType<typeof makeOutbox>
