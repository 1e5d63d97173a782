import type { Captured } from "./outbox.ts"
import type { Outcome, Trouble } from "./send.ts"
import { fieldsOf } from "./settings.ts"

/** A capture in the outbox. */
export interface Entry extends Captured {
  readonly attempts: number
  /** It is not sent before, in milliseconds since 1970: the person may still take it back. */
  readonly heldUntil: number
  /** Why the service does not take it; such a capture waits for the person. */
  readonly refused?: string
}

/** How the outbox as a whole stands. */
export interface Queue {
  /** Failures since the last delivery. */
  readonly failures: number
  readonly pausedUntil: number
  /** The service itself asked for the pause. */
  readonly byService: boolean
  readonly trouble?: Trouble
  /** The service rejected the token: nothing is sent until the person has seen to it. */
  readonly rejected: boolean
}

export const QUEUE = "queue"
const PREFIX = "outbox."
export const keyOf = (id: string) => PREFIX + id

/** The queue after a delivery, or after the person asked for another attempt. */
export const calm: Queue = { failures: 0, pausedUntil: 0, byService: false, rejected: false }
const minutes = [1, 2, 5, 15, 60]
const MINUTE = 60_000

const all = (type: "boolean" | "number" | "string", ...values: ReadonlyArray<unknown>) =>
  values.every((value) => typeof value === type)

const isEntry = (value: unknown): value is Entry => {
  const { at, attempts, heldUntil, id, note, url } = fieldsOf(value)
  return all("string", id, url, note) && all("number", at, attempts, heldUntil)
}

/** The entry that is kept under a key; undefined for whatever else is kept there. */
export const asEntry = (key: string, value: unknown): Entry | undefined =>
  key.startsWith(PREFIX) && isEntry(value) ? value : undefined

const isQueue = (value: unknown): value is Queue => {
  const { byService, failures, pausedUntil, rejected } = fieldsOf(value)
  return all("number", failures, pausedUntil) && all("boolean", byService, rejected)
}

/** How the queue stands, of what is kept; calm where nothing is. */
export const readQueue = (value: unknown): Queue => (isQueue(value) ? value : calm)

/** Whether the capture is to be sent; one that was refused is not. */
export const isWaiting = ({ refused }: Entry): boolean => refused === undefined

const pauseAfter = (failures: number) => MINUTE * (minutes[Math.min(failures, minutes.length) - 1] ?? 0)

/** The queue after a failure; one that comes while it is paused already makes the pause no longer, unless asked to. */
export const afterFailure = (
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

/** When to go on, in milliseconds since 1970; undefined where nothing can be done without the person. */
export const nextWake = (entries: ReadonlyArray<Entry>, queue: Queue, now: number): number | undefined => {
  const waiting = entries.filter(isWaiting)
  if (waiting.length === 0 || queue.rejected) return undefined
  const released = Math.min(...waiting.map(({ heldUntil }) => heldUntil))
  return Math.max(queue.pausedUntil, released, now + MINUTE / 2)
}
