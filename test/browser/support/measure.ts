import type { Page } from "playwright-core"

/** Metrics of a page's first load; times in milliseconds since the navigation began (web.dev, Web Vitals). */
export interface Vitals {
  readonly firstContentfulPaint: number
  readonly largestContentfulPaint: number
  /** The worst burst of shifts without input: at most five seconds, with no gap of a second. */
  readonly cumulativeLayoutShift: number
  /** The shifted elements, as tag and class. */
  readonly shifted: ReadonlyArray<string>
  /** Durations of the tasks that blocked the page for 50 milliseconds or more. */
  readonly longTasks: ReadonlyArray<number>
}

/** Reads the browser's observations of the page so far. */
export const vitals = (page: Page): Promise<Vitals> =>
  page.evaluate(async () => {
    interface LayoutShift extends PerformanceEntry {
      readonly value: number
      readonly hadRecentInput: boolean
      readonly sources: ReadonlyArray<{ readonly node: Node | null }>
    }
    const observed = (type: string) =>
      new Promise<ReadonlyArray<PerformanceEntry>>((resolve) => {
        const entries: Array<PerformanceEntry> = []
        const observer = new PerformanceObserver((list) => entries.push(...list.getEntries()))
        observer.observe({ type, buffered: true })
        // Buffered entries are delivered in a separate task.
        setTimeout(() => {
          observer.disconnect()
          resolve(entries)
        }, 100)
      })
    const isShift = (entry: PerformanceEntry): entry is LayoutShift => "value" in entry
    const nameOf = (node: Node | null) =>
      node instanceof Element ? `${node.localName}.${node.className}` : (node?.nodeName ?? "gone")
    const [paints, largest, shifts, tasks] = await Promise.all(
      ["paint", "largest-contentful-paint", "layout-shift", "longtask"].map(observed)
    )
    const moved = (shifts ?? []).filter(isShift).filter(({ hadRecentInput }) => !hadRecentInput)
    let worst = 0
    let burst = { value: 0, start: 0, end: Number.NEGATIVE_INFINITY }
    for (const shift of moved) {
      const goesOn = shift.startTime - burst.end < 1_000 && shift.startTime - burst.start < 5_000
      burst = {
        value: (goesOn ? burst.value : 0) + shift.value,
        start: goesOn ? burst.start : shift.startTime,
        end: shift.startTime
      }
      worst = Math.max(worst, burst.value)
    }
    return {
      firstContentfulPaint:
        paints?.find(({ name }) => name === "first-contentful-paint")?.startTime ?? Number.NaN,
      largestContentfulPaint: largest?.at(-1)?.startTime ?? Number.NaN,
      cumulativeLayoutShift: worst,
      shifted: moved.flatMap(({ sources }) => sources.map(({ node }) => nameOf(node))),
      longTasks: (tasks ?? []).map(({ duration }) => duration)
    }
  })

/** The received bytes, heads and compressed bodies. */
export interface Traffic {
  readonly total: () => number
  /** Addresses with their bytes, in the order of completion. */
  readonly answers: ReadonlyArray<{ readonly url: string; readonly bytes: number }>
}

/** Counts the bytes that the page receives from now on. */
export const countTraffic = async (page: Page): Promise<Traffic> => {
  const devtools = await page.context().newCDPSession(page)
  const urls = new Map<string, string>()
  const answers: Array<{ url: string; bytes: number }> = []
  devtools.on("Network.requestWillBeSent", ({ request, requestId }) => urls.set(requestId, request.url))
  devtools.on("Network.loadingFinished", ({ encodedDataLength, requestId }) =>
    answers.push({ url: urls.get(requestId) ?? "", bytes: encodedDataLength })
  )
  await devtools.send("Network.enable")
  return { answers, total: () => answers.reduce((sum, { bytes }) => sum + bytes, 0) }
}

/** The size of the page's heap after a garbage collection, in bytes. */
export const heapUsed = async (page: Page): Promise<number> => {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send("HeapProfiler.collectGarbage")
  const { usedSize } = await devtools.send("Runtime.getHeapUsage")
  await devtools.detach()
  return usedSize
}

/** Frames per second, and times between frames in milliseconds. */
export interface Smoothness {
  readonly framesPerSecond: number
  readonly p95: number
  readonly longest: number
}

/** Scrolls by the wheel for `milliseconds`, at about 3,000 pixels a second, and measures the frames. */
export const scrollByWheel = async (page: Page, milliseconds = 2_000): Promise<Smoothness> => {
  const size = page.viewportSize() ?? { width: 800, height: 600 }
  await page.mouse.move(size.width / 2, size.height / 2)
  const frames = page.evaluate(
    (duration) =>
      new Promise<ReadonlyArray<number>>((resolve) => {
        const gaps: Array<number> = []
        const start = performance.now()
        let last = start
        const frame = () => {
          const now = performance.now()
          gaps.push(now - last)
          last = now
          if (now - start < duration) requestAnimationFrame(frame)
          else resolve(gaps)
        }
        requestAnimationFrame(frame)
      }),
    milliseconds
  )
  const end = performance.now() + milliseconds
  while (performance.now() < end) {
    await page.mouse.wheel(0, 100)
    await Bun.sleep(33)
  }
  const gaps = [...(await frames)].sort((a, b) => a - b)
  const sum = gaps.reduce((total, gap) => total + gap, 0)
  return {
    framesPerSecond: (gaps.length / sum) * 1_000,
    p95: gaps[Math.floor(gaps.length * 0.95)] ?? Number.NaN,
    longest: gaps.at(-1) ?? Number.NaN
  }
}

/**
 * Presses a key and returns the milliseconds from the page's keydown to the end of the first frame in which `stands` is
 * true. `stands` runs in the page, once per frame, with `given`.
 *
 * Fails if it is not true within five seconds.
 */
export const keyToFrame = async (
  page: Page,
  key: string,
  stands: (given: string) => boolean,
  given = ""
): Promise<number> => {
  // A string, because the page's policy forbids creating a function from a text.
  const condition = await page.evaluateHandle<{ readonly stands: (given: string) => boolean }>(
    `({ stands: ${String(stands)} })`
  )
  const measured = await page.evaluateHandle(
    ([condition, given]) => {
      const { promise, reject, resolve } = Promise.withResolvers<number>()
      const limit = performance.now() + 5_000
      let pressed = Number.NaN
      const listen = ({ timeStamp }: Event) => {
        pressed = timeStamp
      }
      addEventListener("keydown", listen, { capture: true, once: true })
      const frame = () => {
        if (performance.now() > limit) reject(new Error("the condition is not true within five seconds"))
        else if (Number.isNaN(pressed) || !condition.stands(given)) requestAnimationFrame(frame)
        // The task after a frame's callbacks runs when the frame has been drawn.
        else setTimeout(() => resolve(performance.now() - pressed))
      }
      requestAnimationFrame(frame)
      // Wrapped in an object, so that it is not awaited before the key is pressed.
      return { promise }
    },
    [condition, given] as const
  )
  await page.keyboard.press(key)
  return measured.evaluate(({ promise }) => promise)
}
