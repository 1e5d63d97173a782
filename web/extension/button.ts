import { type BadgeState, badgeOf } from "./badge.ts"
import type { Contents } from "./outbox.ts"
import { api } from "./platform.ts"
import { text } from "./text.ts"
import { waitingOf } from "./trouble.ts"

/** How long the badge shows an event, in milliseconds. */
const FLASH = { done: 1_500, problem: 4_000 }

/** The extension's toolbar button: its badge and its tooltip; `isSaved` says whether the active page is saved. */
export const makeButton = (contents: () => Promise<Contents>, isSaved: () => Promise<boolean>) => {
  let saving = 0
  let flash: BadgeState["flash"]
  let word = ""
  let timer: ReturnType<typeof setTimeout> | undefined
  let count = 1
  let painted = Promise.resolve()
  let isDue = false

  const paint = async () => {
    isDue = false
    const waiting = await contents()
    const badge = badgeOf({ saving, flash, count, contents: waiting, seen: await isSaved() })
    const detail = word || waitingOf(waiting)
    await api.action.setBadgeBackgroundColor({ color: badge.color })
    await api.action.setBadgeTextColor({ color: badge.textColor })
    await api.action.setBadgeText({ text: badge.text })
    await api.action.setTitle({ title: detail === "" ? text("actionTitle") : `${text("name")}: ${detail}` })
  }
  /** Repaints the button; repaints run one after another, so that the last state stays, and the next one serves all. */
  const refresh = (): Promise<void> => {
    if (!isDue) painted = painted.then(paint, paint)
    isDue = true
    return painted
  }
  /**
   * Shows an event about some captures on the badge for a moment. The tooltip of a problem, or of many captures, stays
   * until the next event.
   */
  const show = (kind: "done" | "problem", words: string, captures = 1): Promise<void> => {
    flash = kind
    word = words
    count = captures
    clearTimeout(timer)
    timer = setTimeout(
      () => {
        flash = undefined
        if (kind === "done" && captures === 1) word = ""
        void refresh()
      },
      FLASH[captures > 1 ? "problem" : kind]
    )
    return refresh()
  }
  /** Changes the number of captures being sent. */
  const sending = (change: 1 | -1): Promise<void> => {
    saving += change
    if (change === 1 && flash === undefined) word = ""
    return refresh()
  }
  return { refresh, show, sending }
}
export type Button = ReturnType<typeof makeButton>
