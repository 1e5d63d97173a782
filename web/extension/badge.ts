import type { Contents } from "./outbox.ts"
import { isWaiting } from "./outboxState.ts"

/** What the button tells at a glance. */
export interface BadgeState {
  /** Captures on their way at this moment. */
  readonly saving: number
  /** What happened just now. */
  readonly flash: "done" | "problem" | undefined
  readonly contents: Contents
  /** The page in front was saved from here. */
  readonly seen: boolean
}

/** What stands on the button, in which colours. */
export interface Badge {
  readonly text: string
  readonly color: string
  readonly textColor: string
}

const badge = (text: string, color: string, textColor = "#ffffff"): Badge => ({ text, color, textColor })

/** The badge for a state: what happens now comes before what needs the person, and that before what waits. */
export const badgeOf = ({ contents, flash, saving, seen }: BadgeState): Badge => {
  const { entries, queue } = contents
  const waiting = entries.filter(isWaiting).length
  if (flash === "problem") return badge("!", "#b3261e")
  if (flash === "done") return badge("✓", "#0b6b4b")
  if (saving > 0) return badge("…", "#55605a")
  if (waiting < entries.length || (queue.rejected && waiting > 0)) return badge("!", "#b3261e")
  if (waiting > 0) return badge(String(waiting), "#f0b429", "#161a18")
  return seen ? badge("✓", "#55605a") : badge("", "#55605a")
}
