import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test"
import { existsSync, readFileSync, rmSync } from "node:fs"
import { long } from "../support/tier.ts"
import { assertAccessible, findBarriers } from "./support/axe.ts"
import { browser, desktop, phone, TEST_TIMEOUT, type View, visit } from "./support/browser.ts"
import { countTraffic, heapUsed, keyToFrame, scrollByWheel, vitals } from "./support/measure.ts"
import { shoot } from "./support/shoot.ts"

setDefaultTimeout(TEST_TIMEOUT)

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; " +
  "frame-ancestors 'none'; require-trusted-types-for 'script'"

const page = (body: string, head = "") =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A page</title>
  <meta name="viewport" content="width=device-width"><link rel="stylesheet" href="/style.css">${head}</head>
  <body><main><h1>A page</h1>${body}</main></body></html>`

const scripts: Readonly<Record<string, string>> = {
  logs: `console.error("the app is unwell")`,
  throws: `null.oops`,
  rejects: `Promise.reject(new Error("nobody catches this"))`,
  writes: `document.querySelector("h1").innerHTML = "<b>text as code</b>"`,
  calls: `fetch("http://127.0.0.2:9/").catch(() => undefined)`,
  misses: `fetch("/missing")`,
  busy: `setTimeout(() => { const end = performance.now() + 150; while (performance.now() < end); }, 50)`,
  shifts: `setTimeout(() => document.querySelector("h1").style.setProperty("margin-top", "300px"), 100)`,
  answers: `addEventListener("keydown", ({ key }) => setTimeout(() => { document.querySelector("h1").textContent = key }, 120))`
}

const style =
  "body { margin: 0; font: 1rem sans-serif } .pale { color: #bbb } .long { height: 20000px } p { min-height: 4rem }"

const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  fetch: (request) => {
    const { pathname } = new URL(request.url)
    const name = pathname.slice(1)
    const html = (text: string) =>
      new Response(text, {
        headers: { "content-type": "text/html; charset=utf-8", "content-security-policy": POLICY }
      })
    if (name.endsWith(".js"))
      return new Response(scripts[name.slice(0, -3)] ?? "", {
        headers: { "content-type": "text/javascript" }
      })
    if (name === "favicon.ico") return new Response(null, { status: 204 })
    if (name === "style.css") return new Response(style, { headers: { "content-type": "text/css" } })
    if (name === "clean") return html(page("<p>Nothing is wrong here.</p>"))
    if (name === "who")
      return html(page(`<p>${Bun.escapeHTML(request.headers.get("cookie") ?? "nobody")}</p>`))
    if (name === "long") return html(page(`<div class="long">${"<p>line</p>".repeat(300)}</div>`))
    if (name === "inline") return html(page("<p>text</p>", "<script>window.ran = true</script>"))
    if (name === "barred") return html(page(`<p class="pale">faint words</p><img src="/style.css">`))
    if (name === "noscript") return html(page(`<noscript><p>without scripts</p></noscript>`))
    return name in scripts
      ? html(page("<p>text</p>", `<script defer src="/${name}.js"></script>`))
      : new Response("not found", { status: 404 })
  }
})
const base = `http://127.0.0.1:${server.port}`
afterAll(() => server.stop(true))

/** Returns the message of a failure, else "". (Bun's `expect().rejects` would block the browser.) */
const failure = (work: Promise<unknown>) =>
  work.then(
    () => "",
    (error: Error) => error.message
  )

/** Visits a page until a problem occurs in it, briefly if none can occur; returns the visit's failure. */
const failureOf = (path: string, view: Partial<View> = {}, expected?: RegExp) =>
  failure(
    visit({ base, ...view }, async (page, problems) => {
      if (expected !== undefined) problems.expect(expected)
      await page.goto(path)
      const end = Date.now() + (path === "/clean" || view.scripts === false ? 300 : 2_000)
      while (problems.all.length === 0 && Date.now() < end) await Bun.sleep(50)
    })
  )

describe("a visit", () => {
  test("fails on an error in a page", async () => {
    expect(await failureOf("/clean")).toBe("")
    expect(await failureOf("/logs")).toContain("the app is unwell")
    expect(await failureOf("/throws")).toContain("uncaught: TypeError")
    expect(await failureOf("/rejects")).toContain("nobody catches this")
    expect(await failureOf("/misses")).toContain("404")
  })

  long(test)("fails on a violation of the page's policy: inline code, text as code", async () => {
    expect(await failureOf("/inline")).toContain("Content-Security-Policy: script-src-elem forbids inline")
    expect(await failureOf("/writes")).toContain("Content-Security-Policy: require-trusted-types-for")
    expect(await failureOf("/inline", { scripts: false })).toBe("")
  })

  long(test)("fails on a request to another origin", async () => {
    expect(await failureOf("/calls")).toContain("connect-src forbids http://127.0.0.2:9")
    const elsewhere = visit({ base }, async (page) => {
      await page.goto("http://localhost:9/").catch(() => undefined)
    })
    expect(await failure(elsewhere)).toContain("request to another origin: http://localhost:9/")
  })

  long(test)("accepts an expected error, and fails if it does not occur", async () => {
    expect(await failureOf("/misses", {}, /status of 404/)).toBe("")
    expect(await failureOf("/clean", {}, /status of 404/)).toContain("expected and not met")
  })

  long(test)("fails if its body fails, and closes its context", async () => {
    const broken = visit({ base }, async (page) => {
      await page.goto("/clean")
      throw new Error("the test's own failure")
    })
    expect(await failure(broken)).toContain("the test's own failure")
    expect((await browser()).contexts()).toEqual([])
  })

  long(test)("starts a new browser if the old one has ended", async () => {
    const ended = await browser()
    await ended.close()
    expect(await failureOf("/clean")).toBe("")
    expect((await browser()) === ended).toBe(false)
  })

  long(test)("applies the view: screen, touch, colour scheme, reduced motion", async () => {
    const seen = (view: Partial<View>) =>
      visit({ base, ...view }, async (page) => {
        await page.goto("/clean")
        return page.evaluate(() =>
          [
            innerWidth,
            innerHeight,
            matchMedia("(pointer: coarse)").matches && "touch",
            matchMedia("(prefers-color-scheme: dark)").matches && "dark",
            matchMedia("(prefers-reduced-motion: reduce)").matches && "still"
          ].filter((part) => part !== false)
        )
      })
    expect(await seen({})).toEqual([1440, 900])
    expect(await seen({ device: phone, colorScheme: "dark" })).toEqual([390, 844, "touch", "dark"])
    expect(await seen({ device: desktop, reducedMotion: true })).toEqual([1440, 900, "still"])
  })

  long(test)("signs in with the gateway's cookie, and can disable scripts", async () => {
    const text = (path: string, view: Partial<View>) =>
      visit({ base, ...view }, async (page) => {
        await page.goto(path)
        return page.locator("p").textContent()
      })
    expect(await text("/who", {})).toBe("nobody")
    expect(await text("/who", { token: "a.b.c" })).toBe("CF_Authorization=a.b.c")
    expect(await text("/noscript", { scripts: false })).toBe("without scripts")
  })
})

describe("axe, under a strict policy", () => {
  long(test)("finds nothing in a clean page, with and without scripts", async () => {
    for (const scripts of [true, false])
      await visit({ base, scripts }, async (page) => {
        await page.goto("/clean")
        await assertAccessible(page)
      })
  })

  long(test)("finds a picture without a text and faint text, and says where", async () => {
    await visit({ base }, async (page) => {
      await page.goto("/barred")
      const barriers = (await findBarriers(page)).join("\n")
      expect(barriers).toContain("image-alt: ")
      expect(barriers).toMatch(/color-contrast: .*\n {2}p {2}<p class="pale">.*\n.*contrast/)
      expect((await findBarriers(page, { within: "h1" })).join()).toBe("")
      expect(await failure(assertAccessible(page))).toContain("image-alt")
    })
  })
})

describe("a measurement", () => {
  long(test)("takes a screenshot as large as the screen", async () => {
    await visit({ base, device: phone }, async (page) => {
      await page.goto("/clean")
      const path = await shoot(page, "harness")
      const header = readFileSync(path)
      expect([header.readUInt32BE(16), header.readUInt32BE(20)]).toEqual([780, 1688])
      rmSync(path)
      expect(existsSync(path)).toBe(false)
    })
  })

  long(test)("reports paints, layout shifts and long tasks", async () => {
    await visit({ base }, async (page) => {
      await page.goto("/busy", { waitUntil: "networkidle" })
      const { cumulativeLayoutShift, firstContentfulPaint, largestContentfulPaint, longTasks } =
        await vitals(page)
      expect(firstContentfulPaint).toBeGreaterThan(0)
      expect(largestContentfulPaint).toBeGreaterThanOrEqual(firstContentfulPaint)
      expect(cumulativeLayoutShift).toBe(0)
      expect(Math.max(...longTasks)).toBeGreaterThanOrEqual(150)
      await page.goto("/shifts", { waitUntil: "networkidle" })
      const moved = await vitals(page)
      expect(moved.cumulativeLayoutShift).toBeGreaterThan(0.05)
      expect(moved.shifted).toContain("body.")
    })
  })

  long(test)("counts the received bytes", async () => {
    await visit({ base }, async (page) => {
      const traffic = await countTraffic(page)
      await page.goto("/long", { waitUntil: "networkidle" })
      const bytes = (path: string) => traffic.answers.find(({ url }) => url === base + path)?.bytes ?? 0
      expect(bytes("/long")).toBeGreaterThan(300 * "<p>line</p>".length)
      expect(bytes("/style.css")).toBeGreaterThan(style.length)
      expect(traffic.total()).toBeGreaterThanOrEqual(bytes("/long") + bytes("/style.css"))
    })
  })

  long(test)("reports the heap size", async () => {
    await visit({ base }, async (page) => {
      await page.goto("/clean")
      const before = await heapUsed(page)
      await page.evaluate(() =>
        Object.assign(window, { held: Array.from({ length: 500_000 }, (_, n) => ({ n })) })
      )
      expect(await heapUsed(page)).toBeGreaterThan(before + 4_000_000)
    })
  })

  long(test)("reports frames while scrolling, and the time from a key to its frame", async () => {
    await visit({ base }, async (page) => {
      await page.goto("/long")
      const { framesPerSecond, longest, p95 } = await scrollByWheel(page, 500)
      expect(await page.evaluate(() => scrollY)).toBeGreaterThan(100)
      expect(framesPerSecond).toBeGreaterThan(0)
      expect(longest).toBeGreaterThanOrEqual(p95)
      await page.goto("/answers")
      const took = await keyToFrame(
        page,
        "x",
        (key) => document.querySelector("h1")?.textContent === key,
        "x"
      )
      expect(took).toBeGreaterThanOrEqual(120)
    })
  })
})
