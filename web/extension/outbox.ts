import type { Entry, Queue } from "./outboxState.ts"
import { afterFailure, asEntry, calm, isWaiting, keyOf, nextWake, QUEUE, readQueue } from "./outboxState.ts"
import type { Outcome } from "./send.ts"

/** A captured page. */
export interface Captured {
  readonly id: string
  readonly url: string
  readonly note: string
  /** The browser's own view of the page: untrusted text. */
  readonly title?: string
  readonly description?: string
  readonly selection?: string
  /** The time of the capture, in milliseconds since 1970. */
  readonly at: number
}

/** The outbox's environment, which tests replace. */
export interface OutboxWorld {
  readonly storage: {
    readonly get: (key: string | null) => Promise<Readonly<Record<string, unknown>>>
    readonly set: (items: Readonly<Record<string, unknown>>) => Promise<void>
    readonly remove: (key: string) => Promise<void>
  }
  readonly now: () => number
  /** Makes one attempt; undefined if no service is configured. Never fails. */
  readonly send: (capture: Captured) => Promise<Outcome | undefined>
  /** Runs `work` under an exclusive lock of this name across all pages and workers; a lock ends with its holder. */
  readonly alone: <A>(name: string, work: () => Promise<A>) => Promise<A>
  /** Like `alone`, but returns undefined at once if the lock is held. */
  readonly ifFree: <A>(name: string, work: () => Promise<A>) => Promise<A | undefined>
  /** Schedules a wake-up for `drain`, which survives the end of all pages and workers; undefined cancels it. */
  readonly wake: (at: number | undefined) => Promise<void>
  /** Called after a delivery, before the capture is removed. */
  readonly delivered: (capture: Captured) => Promise<void>
}

/** Maximum number of waiting captures. */
export const MAX_WAITING = 500
/** Maximum number of captures sent at the same time. */
const AT_ONCE = 4
/** After this time the sender may be presumed dead, in milliseconds. */
const SAFETY = 60_000

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
export const makeOutbox = ({ alone, delivered, ifFree, now, send, storage, wake }: OutboxWorld) => {
  const contents = async (): Promise<Contents> => {
    const all = await storage.get(null)
    const entries = Object.entries(all).flatMap(([key, value]) => asEntry(key, value) ?? [])
    return { entries: entries.sort((a, b) => a.at - b.at), queue: readQueue(all[QUEUE]) }
  }
  const entryOf = async (id: string): Promise<Entry | undefined> =>
    asEntry(keyOf(id), (await storage.get(keyOf(id)))[keyOf(id)])
  const write = (entry: Entry) => storage.set({ [keyOf(entry.id)]: entry })
  const queue = async () => readQueue((await storage.get(QUEUE))[QUEUE])
  const changeQueue = (change: (queue: Queue) => Queue) =>
    alone("queue", async () => storage.set({ [QUEUE]: change(await queue()) }))

  /** Stores captures, to be sent after `hold` milliseconds. Writes at once, because a popup may close at any moment. */
  const keep = async (captures: ReadonlyArray<Captured>, hold = 0): Promise<void> => {
    const more = { attempts: 0, heldUntil: hold === 0 ? 0 : now() + hold }
    await storage.set(
      Object.fromEntries(captures.map((capture) => [keyOf(capture.id), { ...capture, ...more }]))
    )
    await wake(now() + SAFETY)
  }

  /** Stores as many captures as there is room for, and returns their number. */
  const add = (captures: ReadonlyArray<Captured>): Promise<number> =>
    alone("add", async () => {
      const taken = captures.slice(0, roomIn(await contents()))
      await keep(taken)
      return taken.length
    })

  /** Removes a capture on the user's request; false if it is being sent or already gone. */
  const withdraw = async (id: string): Promise<boolean> =>
    (await ifFree(sendLock(id), async () => {
      const known = (await entryOf(id)) !== undefined
      await storage.remove(keyOf(id))
      return known
    })) === true

  const change = (id: string, to: (entry: Entry) => Entry) =>
    ifFree(sendLock(id), async () => {
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
      await storage.remove(keyOf(entry.id))
      return changeQueue(() => calm)
    }
    if (outcome.kind === "refused") return write({ ...entry, refused: outcome.message })
    await write({ ...entry, attempts: entry.attempts + 1 })
    return changeQueue((queue) => afterFailure(queue, outcome, now()))
  }

  /** Attempts to send one capture; returns whether to go on with others. */
  const attempt = async (id: string): Promise<boolean> => {
    const goOn = await ifFree(sendLock(id), async () => {
      // Reads the entry again, because it may have changed before the lock was acquired.
      const entry = await entryOf(id)
      if (entry === undefined || !isWaiting(entry) || entry.heldUntil > now()) return true
      const outcome = await send(entry)
      if (outcome === undefined) return false
      await settle(entry, outcome)
      return outcome.kind === "delivered" || outcome.kind === "refused"
    })
    return goOn ?? true
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
      await wake(now() + SAFETY)
      // Captures with the most failures go last, so that they do not hold up the others.
      await sendAll(due.sort((a, b) => a.attempts - b.attempts || a.at - b.at).map(({ id }) => id))
    }
    await plan()
  }

  return { add, keep, withdraw, release, retry, drain, contents }
}
export type Outbox = ReturnType<typeof makeOutbox>
