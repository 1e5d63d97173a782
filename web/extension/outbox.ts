import type { Captured } from "./capture.ts"
import type { Outcome, Trouble } from "./send.ts"
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

const QUEUE = "queue"
const PREFIX = "outbox."
const keyOf = (id: string) => PREFIX + id

/** The queue after a delivery, or after the user asked for a retry. */
const calm: Queue = { failures: 0, pausedUntil: 0, byService: false, rejected: false }
const PAUSE_MINUTES = [1, 2, 5, 15, 60]
const MINUTE = 60_000

const areAll = (type: "boolean" | "number" | "string", ...values: ReadonlyArray<unknown>) =>
  values.every((value) => typeof value === type)

const isEntry = (value: unknown): value is Entry => {
  const { at, attempts, heldUntil, id, note, url } = fieldsOf(value)
  return areAll("string", id, url, note) && areAll("number", at, attempts, heldUntil)
}

/** The stored value as an entry; undefined if the key or the value is not an entry's. */
const asEntry = (key: string, value: unknown): Entry | undefined =>
  key.startsWith(PREFIX) && isEntry(value) ? value : undefined

const isQueue = (value: unknown): value is Queue => {
  const { byService, failures, pausedUntil, rejected } = fieldsOf(value)
  return areAll("number", failures, pausedUntil) && areAll("boolean", byService, rejected)
}

/** The stored state of the queue; `calm` if none is stored. */
export const readQueue = (value: unknown): Queue => (isQueue(value) ? value : calm)

/** Whether the capture is waiting to be sent, which a rejected one is not. */
export const isWaiting = ({ refused }: Entry): boolean => refused === undefined

const pauseAfter = (failures: number) =>
  MINUTE * (PAUSE_MINUTES[Math.min(failures, PAUSE_MINUTES.length) - 1] ?? 0)

/** The queue after a failure; a failure during a pause does not extend the pause, unless the service asks for it. */
const afterFailure = (
  queue: Queue,
  outcome: Extract<Outcome, { kind: "token" | "later" }>,
  now: number
): Queue => {
  if (outcome.kind === "token") return { ...queue, rejected: true }
  const isPaused = queue.pausedUntil > now
  const failures = isPaused ? queue.failures : queue.failures + 1
  const pause = isPaused ? queue.pausedUntil - now : pauseAfter(failures)
  return {
    ...queue,
    failures,
    pausedUntil: now + Math.max(pause, outcome.after ?? 0),
    byService: outcome.after !== undefined || (isPaused && queue.byService),
    trouble: outcome.trouble
  }
}

/** When to drain next, in milliseconds since 1970; undefined if nothing waits or the user must act first. */
const nextWake = (entries: ReadonlyArray<Entry>, queue: Queue, now: number): number | undefined => {
  const waiting = entries.filter(isWaiting)
  if (waiting.length === 0 || queue.rejected) return undefined
  const released = Math.min(...waiting.map(({ heldUntil }) => heldUntil))
  return Math.max(queue.pausedUntil, released, now + MINUTE / 2)
}

/** The outbox's environment, which tests replace. */
export interface OutboxEnvironment {
  readonly storage: {
    readonly get: (key: string | null) => Promise<Readonly<Record<string, unknown>>>
    readonly set: (items: Readonly<Record<string, unknown>>) => Promise<void>
    readonly remove: (key: string) => Promise<void>
  }
  readonly now: () => number
  /** Makes one attempt; undefined if no service is configured. Never fails. */
  readonly send: (capture: Entry) => Promise<Outcome | undefined>
  /** Runs `work` under an exclusive lock of this name across all pages and workers; a lock ends with its holder. */
  readonly withLock: <A>(name: string, work: () => Promise<A>) => Promise<A>
  /** Like `withLock`, but returns undefined at once if the lock is held. */
  readonly withFreeLock: <A>(name: string, work: () => Promise<A>) => Promise<A | undefined>
  /** Schedules a wake-up for `drain`, which survives the end of all pages and workers; undefined cancels it. */
  readonly wake: (at: number | undefined) => Promise<void>
  /** Called after a delivery, before the capture is removed. */
  readonly delivered: (capture: Captured) => Promise<void>
  /** Called after a capture was removed, delivered or not. */
  readonly removed: (id: string) => Promise<void>
}

/** Maximum number of waiting captures. */
export const MAX_WAITING = 2_000
/** Maximum number of captures sent at the same time. */
const AT_ONCE = 4
/** When to drain again if the sender dies, in milliseconds. */
const FALLBACK_WAKE = 60_000

/**
 * Why the outbox is drained: on schedule (`due`); because something has changed (`eager`: a capture, a start, the
 * network is back), which skips the pause after failures, but not one that the service asked for; or on the user's
 * request (`asked`), which skips every pause.
 */
export type Occasion = "due" | "eager" | "asked"

/** The captures in the outbox, oldest first, and the state of the queue. */
export interface Contents {
  readonly entries: ReadonlyArray<Entry>
  readonly queue: Queue
}

/** The number of captures that the outbox has room for. */
export const roomIn = ({ entries }: Contents): number => Math.max(MAX_WAITING - entries.length, 0)

const sendLock = (id: string) => `send ${id}`

/**
 * An outbox of captures: each is stored before it is sent, and removed only when the service has it or the user
 * withdraws it.
 */
export const makeOutbox = ({
  delivered,
  now,
  removed,
  send,
  storage,
  wake,
  withFreeLock,
  withLock
}: OutboxEnvironment) => {
  const contents = async (): Promise<Contents> => {
    const all = await storage.get(null)
    const entries = Object.entries(all).flatMap(([key, value]) => asEntry(key, value) ?? [])
    return { entries: entries.sort((a, b) => a.at - b.at), queue: readQueue(all[QUEUE]) }
  }
  const entryOf = async (id: string): Promise<Entry | undefined> =>
    asEntry(keyOf(id), (await storage.get(keyOf(id)))[keyOf(id)])
  const write = (entry: Entry) => storage.set({ [keyOf(entry.id)]: entry })
  const remove = async (id: string) => {
    await storage.remove(keyOf(id))
    await removed(id)
  }
  const queue = async () => readQueue((await storage.get(QUEUE))[QUEUE])
  const changeQueue = (change: (queue: Queue) => Queue) =>
    withLock("queue", async () => storage.set({ [QUEUE]: change(await queue()) }))

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

  const settle = async (entry: Entry, outcome: Outcome): Promise<void> => {
    if (outcome.kind === "delivered") {
      await delivered(entry)
      await remove(entry.id)
      return changeQueue(() => calm)
    }
    if (outcome.kind === "refused") return write({ ...entry, refused: outcome.message })
    await write({ ...entry, attempts: entry.attempts + 1 })
    return changeQueue((queue) => afterFailure(queue, outcome, now()))
  }

  /** Attempts to send one capture; returns whether to go on with others. */
  const attempt = async (id: string): Promise<boolean> => {
    const shouldContinue = await withFreeLock(sendLock(id), async () => {
      // Reads the entry again, because it may have changed before the lock was acquired.
      const entry = await entryOf(id)
      if (entry === undefined || !isWaiting(entry) || entry.heldUntil > now()) return true
      const outcome = await send(entry)
      if (outcome === undefined) return false
      await settle(entry, outcome)
      return outcome.kind === "delivered" || outcome.kind === "refused"
    })
    return shouldContinue ?? true
  }

  const sendAll = async (ids: Array<string>) => {
    let halted = false
    const worker = async () => {
      for (let id = ids.shift(); id !== undefined && !halted; id = ids.shift())
        if (!(await attempt(id))) halted = true
    }
    await Promise.all(Array.from({ length: AT_ONCE }, worker))
  }

  const plan = async () => {
    const { entries, queue } = await contents()
    await wake(nextWake(entries, queue, now()))
  }

  /** Sends the waiting captures if the occasion allows it; resolves when every attempt has ended. */
  const drain = async (occasion: Occasion = "due"): Promise<void> => {
    if (occasion === "asked") await changeQueue(() => calm)
    const { entries, queue } = await contents()
    const isPaused = queue.pausedUntil > now() && (occasion === "due" || queue.byService)
    const due = entries.filter((entry) => isWaiting(entry) && entry.heldUntil <= now())
    if (due.length > 0 && !isPaused && !queue.rejected) {
      await wake(now() + FALLBACK_WAKE)
      // Captures with the most failures go last, so that they do not hold up the others.
      await sendAll(due.sort((a, b) => a.attempts - b.attempts || a.at - b.at).map(({ id }) => id))
    }
    await plan()
  }

  return { add, keep, withdraw, release, retry, drain, contents }
}
export type Outbox = ReturnType<typeof makeOutbox>
