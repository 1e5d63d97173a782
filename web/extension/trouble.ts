import { type Contents, isWaiting } from "./outbox.ts"
import type { Skipped } from "./pages.ts"
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

/** How many tabs were saved, and how many were skipped and why. */
export const tabsText = (saved: number, skipped: ReadonlyMap<Skipped, number>): string => {
  const words = saved === 0 ? text("tabsNone") : saved === 1 ? text("tabsOne") : text("tabsMany", saved)
  const total = [...skipped.values()].reduce((sum, count) => sum + count, 0)
  const reasons = [...skipped].map(([reason, count]) => `${text(`skipped_${reason}`)}: ${count}`)
  return total === 0 ? words : `${words} ${text("skipped", total, reasons.join(", "))}`
}
