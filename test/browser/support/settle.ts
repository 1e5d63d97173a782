import type { Page } from "playwright-core"

/** Runs in the page; what moves for ever is not waited for. */
const isMoving = () =>
  document
    .getAnimations()
    .some(
      ({ effect, playState }) =>
        playState === "running" && effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY
    )

/** Waits until what moves for a while has come to rest, for two seconds at most. Works with the page's scripts off too. */
export const settle = async (page: Page): Promise<void> => {
  const end = Date.now() + 2_000
  do await Bun.sleep(40)
  while ((await page.evaluate(isMoving)) && Date.now() < end)
}
