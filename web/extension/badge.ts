import { type Contents, isWaiting } from "./outbox.ts"

/** The state that the button's badge shows. */
export interface BadgeState {
  /** The number of captures being sent. */
  readonly saving: number
  /** The latest event, shown for a moment. */
  readonly flash: "done" | "problem" | undefined
  /** The number of captures that the event is about; 1 is not shown. */
  readonly count: number
  readonly contents: Contents
  /** Whether the active page was saved from this browser. */
  readonly seen: boolean
}

/** The badge's text and colours. */
export interface Badge {
  readonly text: string
  readonly color: string
  readonly textColor: string
}

const badge = (text: string, color: string, textColor = "#ffffff"): Badge => ({ text, color, textColor })

/** The badge for a state: current events win over problems that need the user, and those over waiting captures. */
export const badgeOf = ({ contents, count, flash, saving, seen }: BadgeState): Badge => {
  const { entries, queue } = contents
  const waiting = entries.filter(isWaiting).length
  if (flash === "problem") return badge("!", "#b3261e")
  if (flash === "done") return badge(count > 1 ? `${count}` : "✓", "#0b6b4b")
  if (saving > 0) return badge("…", "#55605a")
  if (waiting < entries.length || (queue.rejected && waiting > 0)) return badge("!", "#b3261e")
  if (waiting > 0) return badge(String(waiting), "#f0b429", "#161a18")
  return seen ? badge("✓", "#55605a") : badge("", "#55605a")
}
