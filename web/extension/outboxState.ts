import type { Captured } from "./outbox.ts"
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

export const QUEUE = "queue"
const PREFIX = "outbox."
export const keyOf = (id: string) => PREFIX + id

/** The queue after a delivery, or after the user asked for a retry. */
export const calm: Queue = { failures: 0, pausedUntil: 0, byService: false, rejected: false }
const PAUSE_MINUTES = [1, 2, 5, 15, 60]
const MINUTE = 60_000

const all = (type: "boolean" | "number" | "string", ...values: ReadonlyArray<unknown>) =>
  values.every((value) => typeof value === type)

const isEntry = (value: unknown): value is Entry => {
  const { at, attempts, heldUntil, id, note, url } = fieldsOf(value)
  return all("string", id, url, note) && all("number", at, attempts, heldUntil)
}

/** The stored value as an entry; undefined if the key or the value is not an entry's. */
export const asEntry = (key: string, value: unknown): Entry | undefined =>
  key.startsWith(PREFIX) && isEntry(value) ? value : undefined

const isQueue = (value: unknown): value is Queue => {
  const { byService, failures, pausedUntil, rejected } = fieldsOf(value)
  return all("number", failures, pausedUntil) && all("boolean", byService, rejected)
}

/** The stored state of the queue; `calm` if none is stored. */
export const readQueue = (value: unknown): Queue => (isQueue(value) ? value : calm)

/** Whether the capture is waiting to be sent, which a rejected one is not. */
export const isWaiting = ({ refused }: Entry): boolean => refused === undefined

const pauseAfter = (failures: number) =>
  MINUTE * (PAUSE_MINUTES[Math.min(failures, PAUSE_MINUTES.length) - 1] ?? 0)

/** The queue after a failure; a failure during a pause does not extend the pause, unless the service asks for it. */
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

/** When to drain next, in milliseconds since 1970; undefined if nothing waits or the user must act first. */
export const nextWake = (entries: ReadonlyArray<Entry>, queue: Queue, now: number): number | undefined => {
  const waiting = entries.filter(isWaiting)
  if (waiting.length === 0 || queue.rejected) return undefined
  const released = Math.min(...waiting.map(({ heldUntil }) => heldUntil))
  return Math.max(queue.pausedUntil, released, now + MINUTE / 2)
}
