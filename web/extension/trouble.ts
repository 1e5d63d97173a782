import { type Contents, isWaiting } from "./outbox.ts"
import { text } from "./text.ts"

/** Why the waiting captures were not delivered, for the user; empty if nothing has failed. */
export const troubleOf = ({ entries, queue }: Contents): string => {
  if (!entries.some(isWaiting)) return ""
  if (queue.rejected) return text("trouble_token")
  return queue.trouble === undefined ? "" : text(`trouble_${queue.trouble}`)
}

/** How many captures wait, and why; empty if none does. */
export const waitingOf = (contents: Contents): string => {
  const count = contents.entries.filter(isWaiting).length
  const words = count === 1 ? text("waitingOne") : text("waitingMany", count)
  return count === 0 ? "" : `${words} ${troubleOf(contents)}`.trim()
}
