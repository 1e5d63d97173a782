import type { Entry, Queue } from "./outboxState.ts"
import { afterFailure, asEntry, calm, isWaiting, keyOf, nextWake, QUEUE, readQueue } from "./outboxState.ts"
import type { Outcome } from "./send.ts"

/** A page as it was captured. */
export interface Captured {
  readonly id: string
  readonly url: string
  readonly note: string
  /** The browser's own view of the page: untrusted text. */
  readonly title?: string
  readonly description?: string
  readonly selection?: string
  /** When, in milliseconds since 1970. */
  readonly at: number
}

/** Where the outbox lives, and what it may do. Everything of it is replaced in tests. */
export interface OutboxWorld {
  readonly storage: {
    readonly get: (key: string | null) => Promise<Readonly<Record<string, unknown>>>
    readonly set: (items: Readonly<Record<string, unknown>>) => Promise<void>
    readonly remove: (key: string) => Promise<void>
  }
  readonly now: () => number
  /** One attempt; undefined where there is nowhere to send to. Never fails. */
  readonly send: (capture: Captured) => Promise<Outcome | undefined>
  /** Runs `work` alone under this name, in all of the extension's pages and workers; they free it when they end. */
  readonly alone: <A>(name: string, work: () => Promise<A>) => Promise<A>
  /** The same, but gives undefined at once where the name is taken. */
  readonly ifFree: <A>(name: string, work: () => Promise<A>) => Promise<A | undefined>
  /** Asks to be woken for `drain` at that time, though everything ends before; undefined: never. */
  readonly wake: (at: number | undefined) => Promise<void>
  /** Hears of a delivery before the capture is removed. */
  readonly delivered: (capture: Captured) => Promise<void>
}

/** At most so many captures wait. */
export const MAX_WAITING = 500
/** How many are sent at the same time. */
const AT_ONCE = 4
/** When whoever sends may be thought dead, in milliseconds. */
const SAFETY = 60_000

/**
 * Why the outbox is emptied: in its time (`due`); because something has changed (`eager`: a capture, a start, the network
 * is back), which does not wait for a pause after failures; or because the person asked (`asked`), which waits for nothing.
 */
export type Occasion = "due" | "eager" | "asked"

/** What waits, oldest first, and how the queue stands. */
export interface Contents {
  readonly entries: ReadonlyArray<Entry>
  readonly queue: Queue
}

/** How many more may wait. */
export const roomIn = ({ entries }: Contents): number => Math.max(MAX_WAITING - entries.length, 0)

const sendLock = (id: string) => `send ${id}`

/**
 * Captures that are on their way: written down before they are sent, removed when the service has them or the person says
 * so, and by nothing else.
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

  /** Keeps captures, to be sent when `hold` milliseconds are over. Writes at once, for a popup may close any moment. */
  const keep = async (captures: ReadonlyArray<Captured>, hold = 0): Promise<void> => {
    const more = { attempts: 0, heldUntil: hold === 0 ? 0 : now() + hold }
    await storage.set(
      Object.fromEntries(captures.map((capture) => [keyOf(capture.id), { ...capture, ...more }]))
    )
    await wake(now() + SAFETY)
  }

  /** Keeps as many captures as there is room for; gives their number. */
  const add = (captures: ReadonlyArray<Captured>): Promise<number> =>
    alone("add", async () => {
      const taken = captures.slice(0, roomIn(await contents()))
      await keep(taken)
      return taken.length
    })

  /** Takes a capture out because the person says so; false where it is being sent at this moment, or gone already. */
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
  /** Ends the time a capture is held back. */
  const release = (id: string) => change(id, (entry) => ({ ...entry, heldUntil: 0 }))
  /** Lets a refused capture wait again. */
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

  /** One attempt with one capture; whether more may be sent after it. */
  const attempt = async (id: string): Promise<boolean> => {
    const goOn = await ifFree(sendLock(id), async () => {
      // What was read before the lock was had may be out of date.
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

  /** Sends what waits, where the occasion allows it; ends when every attempt has. */
  const drain = async (occasion: Occasion = "due"): Promise<void> => {
    if (occasion === "asked") await changeQueue(() => calm)
    const { entries, queue } = await contents()
    const isPaused = queue.pausedUntil > now() && (occasion === "due" || queue.byService)
    const due = entries.filter((entry) => isWaiting(entry) && entry.heldUntil <= now())
    if (due.length > 0 && !isPaused && !queue.rejected) {
      await wake(now() + SAFETY)
      // What has failed most goes last, so that it keeps nothing else from being delivered.
      await sendAll(due.sort((a, b) => a.attempts - b.attempts || a.at - b.at).map(({ id }) => id))
    }
    await plan()
  }

  return { add, keep, withdraw, release, retry, drain, contents }
}
export type Outbox = ReturnType<typeof makeOutbox>
