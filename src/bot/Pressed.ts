/** Two presses so close are one, in milliseconds: the first has not shown its effect yet. */
const CLOSE = 1_500
/** How many messages' last presses are remembered. */
const MOST = 1_000

/** A press of a button, by the arrival that tells of it. */
export interface Pressed {
  readonly arrival: number
  /** The message the button stands under. */
  readonly under: string
  readonly data: string
}

/**
 * Tells a button that is pressed twice at once: what it does is done once. The same arrival, taken up again after a
 * failure, is no second press.
 */
export const makePressedTwice = (now: () => number = () => performance.now()) => {
  const last = new Map<string, { readonly arrival: number; readonly data: string; readonly at: number }>()
  return ({ arrival, data, under }: Pressed): boolean => {
    const before = last.get(under)
    const at = now()
    if (before !== undefined && before.data === data && before.arrival !== arrival && at - before.at < CLOSE)
      return true
    last.delete(under)
    last.set(under, { arrival, data, at })
    const [oldest] = last.keys()
    if (last.size > MOST && oldest !== undefined) last.delete(oldest)
    return false
  }
}
