import type { Page } from "playwright-core"

interface Point {
  readonly x: number
  readonly y: number
}

/** Puts a finger on the page and moves it in a straight line; `lift` takes it away. */
export const drawFinger = async (page: Page, from: Point, to: Point) => {
  const devtools = await page.context().newCDPSession(page)
  const touch = (type: "touchStart" | "touchMove" | "touchEnd", points: Array<Point>) =>
    devtools.send("Input.dispatchTouchEvent", { type, touchPoints: points })
  const steps = 12
  await touch("touchStart", [from])
  for (let step = 1; step <= steps; step++)
    await touch("touchMove", [
      { x: from.x + ((to.x - from.x) * step) / steps, y: from.y + ((to.y - from.y) * step) / steps }
    ])
  return { lift: () => touch("touchEnd", []) }
}
