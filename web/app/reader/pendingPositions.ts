import { ApiError, api } from "../api.ts"
import { readStored, writeStored } from "../state/storage.ts"

/** A position that the service has not received. */
interface Pending {
  readonly at: number
  readonly offset: number
  /** When it was read this far, in milliseconds since 1970. */
  readonly readAt: number
}

const NAME = "positions"
/** The most articles whose positions wait; the ones read longest ago go. */
const MAX_PENDING = 200

const pendingIn = (value: unknown): Pending | undefined => {
  if (typeof value !== "object" || value === null) return undefined
  const { at, offset, readAt } = { at: 0, offset: 0, readAt: 0, ...value }
  return [at, offset, readAt].every((one) => typeof one === "number" && Number.isFinite(one))
    ? { at, offset, readAt }
    : undefined
}

const readAll = (): ReadonlyMap<number, Pending> => {
  const saved = readStored(NAME)
  return new Map(
    Object.entries(typeof saved === "object" && saved !== null ? saved : {}).flatMap(([id, value]) => {
      const one = pendingIn(value)
      return one === undefined || !/^\d+$/.test(id) ? [] : [[Number(id), one] as const]
    })
  )
}

const writeAll = (all: ReadonlyMap<number, Pending>) => {
  const latest = [...all].sort(([, a], [, b]) => b.readAt - a.readAt).slice(0, MAX_PENDING)
  writeStored(NAME, latest.length === 0 ? null : Object.fromEntries(latest))
}

/** The position of an article that waits to be sent. */
export const pendingOf = (id: number): Pending | undefined => readAll().get(id)

const remember = (id: number, position: Pending) => writeAll(new Map(readAll()).set(id, position))

const settle = (id: number, { readAt }: Pending) => {
  const all = new Map(readAll())
  // A later position of another tab waits on.
  if ((all.get(id)?.readAt ?? 0) > readAt) return
  all.delete(id)
  writeAll(all)
}

/** Whether sending again may help. */
const isTemporary = (error: unknown) =>
  !(error instanceof ApiError) || error.status === 0 || error.status === 429 || error.status >= 500

/**
 * Sends a position; it waits in this browser until the service has it. Returns the newest position of all devices, or
 * undefined if it could not be sent. With `isLast`, the request outlives the page.
 */
export const sendPosition = async (id: number, position: Pending, { isLast = false } = {}) => {
  remember(id, position)
  const age = Math.max(0, (Date.now() - position.readAt) / 1_000)
  try {
    const { position: newest } = await api.reportPosition(
      id,
      { at: position.at, offset: position.offset, ...(age < 1 ? {} : { age }) },
      isLast
    )
    settle(id, position)
    return newest
  } catch (error) {
    if (!isTemporary(error)) settle(id, position)
    return undefined
  }
}

/** Sends all positions that wait, one after the other, until one cannot be sent. */
export const sendPending = async (): Promise<void> => {
  for (const [id, position] of readAll()) {
    await sendPosition(id, position)
    if (pendingOf(id) !== undefined) return
  }
}

export const forgetPending = (): void => writeAll(new Map())
