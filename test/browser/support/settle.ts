import type { Page } from "playwright-core"

/** Runs in the page: whether a finite animation is running. */
const isMoving = () =>
  document
    .getAnimations()
    .some(
      ({ effect, playState }) =>
        playState === "running" && effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY
    )

/** Waits until animations have ended, for two seconds at most. Works without the page's scripts too. */
export const settle = async (page: Page): Promise<void> => {
  const end = Date.now() + 2_000
  do await Bun.sleep(40)
  while ((await page.evaluate(isMoving)) && Date.now() < end)
}
