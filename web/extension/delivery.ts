import type { Captured } from "./capture.ts"
import {
  calm,
  type Entry,
  FALLBACK_WAKE,
  isWaiting,
  makeOutbox,
  type OutboxEnvironment,
  QUEUE,
  type Queue,
  readQueue,
  sendLock
} from "./outbox.ts"
import type { Outcome } from "./send.ts"

const PAUSE_MINUTES = [1, 2, 5, 15, 60]
const MINUTE = 60_000
/** Maximum number of captures sent at the same time. */
const AT_ONCE = 4

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

/**
 * Why the outbox is drained: on schedule (`due`); because something has changed (`eager`: a capture, a start, the
 * network is back), which skips the pause after failures, but not one that the service asked for; or on the user's
 * request (`asked`), which skips every pause.
 */
export type Occasion = "due" | "eager" | "asked"

/** What the worker needs beside the outbox's environment to deliver its captures. */
export interface DeliveryEnvironment extends OutboxEnvironment {
  /** Makes one attempt; undefined if no service is configured. Never fails. */
  readonly send: (capture: Entry) => Promise<Outcome | undefined>
  /** Called after a delivery, before the capture is removed. */
  readonly delivered: (capture: Captured) => Promise<void>
}

/** The outbox as the worker has it, which alone delivers: pages store captures and withdraw them. */
export const makeDelivery = (environment: DeliveryEnvironment) => {
  const { delivered, now, send, storage, wake, withFreeLock, withLock } = environment
  const outbox = makeOutbox(environment)
  const { contents, entryOf, remove, write } = outbox
  const queue = async () => readQueue((await storage.get(QUEUE))[QUEUE])
  const changeQueue = (change: (queue: Queue) => Queue) =>
    withLock("queue", async () => storage.set({ [QUEUE]: change(await queue()) }))

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

  return { ...outbox, drain }
}
