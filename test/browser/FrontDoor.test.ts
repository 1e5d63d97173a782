import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test"
import type { Page } from "playwright-core"
import { makeWorld, type Running, startService, until, type World } from "../support/service.ts"
import { long } from "../support/tier.ts"
import { TEST_TIMEOUT, visit } from "./support/browser.ts"
import type { Problems } from "./support/problems.ts"

setDefaultTimeout(TEST_TIMEOUT)

let world: World
let service: Running
beforeAll(async () => {
  world = await makeWorld()
  // Only the check of the requesting site protects the dashboard here.
  service = await startService({ ...world.settings, DEV_NO_AUTH: "1", METRICS_PORT: "0" })
})
afterAll(async () => {
  await service.stop()
  service.clean()
  await world.stop()
})

/** The number of requests rejected because of the requesting site. */
const refusals = async () => {
  const address = await until(() => service.output().match(/metrics are at (http:[^"]+)"/)?.[1])
  const text = await (await fetch(address)).text()
  return Number(text.match(/^linkbower_gate_refusals_total\{gate="same-site"\} (\d+)$/m)?.[1] ?? 0)
}

/** A page of another site with links to the service; `localhost` and `127.0.0.1` are different sites. */
const elsewhere = () => {
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: () =>
      new Response(
        `<!doctype html><title>Elsewhere</title>
        <h1>Elsewhere</h1>
        <a href="${service.base}/dashboard?q=tea">Look at this</a>
        <a href="${service.base}/dashboard/api/export">Take this</a>
        <a href="${service.base}/app/">Open the app</a>`,
        { headers: { "content-type": "text/html" } }
      )
  })
  return { url: `http://localhost:${server.port}/`, stop: () => server.stop(true) }
}

/** Runs `body` on a page of another site; returns the status and path of every response of the service. */
const fromElsewhere = async (body: (page: Page, problems: Problems) => Promise<void>, worker = false) => {
  const other = elsewhere()
  const seen: Array<string> = []
  try {
    await visit({ base: service.base, serviceWorker: worker }, async (page, problems) => {
      problems.expect(/localhost/)
      page.on("response", (response) => {
        const { origin, pathname } = new URL(response.url())
        if (origin === service.base) seen.push(`${response.status()} ${pathname}`)
      })
      if (worker) {
        await page.goto("/dashboard")
        await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
      }
      await page.goto(other.url)
      seen.length = 0
      await body(page, problems)
    })
  } finally {
    await other.stop()
  }
  return seen
}

describe("a page of another site", () => {
  const opens = async (worker: boolean) => {
    const seen = await fromElsewhere(async (page) => {
      await page.getByText("Look at this").click()
      await page.waitForURL(/\/dashboard\?q=tea$/)
      expect(await page.title()).toContain("Linkbower")
      await page.goBack()
      await page.getByText("Open the app").click()
      await page.waitForURL(/\/dashboard$/)
    }, worker)
    expect(seen).toContain("200 /dashboard")
    const app = seen.indexOf("303 /app/")
    expect(seen.slice(app, app + 2)).toEqual(["303 /app/", "200 /dashboard"])
  }

  test("opens the dashboard by a link, also by one to /app/", () => opens(false))
  long(test)("opens the dashboard by a link through the service worker", () => opens(true))

  test("reads and changes nothing private", async () => {
    const before = await refusals()
    const seen = await fromElsewhere(async (page, problems) => {
      problems.expect(/Failed to load resource/)
      problems.expect(/Framing .* violates/)
      await page.evaluate(async (base) => {
        const settled = (element: HTMLElement) =>
          new Promise((done) => {
            element.addEventListener("load", done)
            element.addEventListener("error", done)
            document.body.append(element)
          })
        const quietly = (path: string, init: RequestInit) => fetch(base + path, init).catch(() => undefined)
        await quietly("/dashboard/api/meta", { mode: "no-cors", credentials: "include" })
        await quietly("/dashboard/api/links", { credentials: "include" })
        await quietly("/dashboard/api/mutate", {
          method: "POST",
          mode: "no-cors",
          body: '{"op":"delete","ids":[1]}'
        })
        await settled(
          Object.assign(document.createElement("img"), { src: `${base}/dashboard/api/links/1/image` })
        )
        await settled(Object.assign(document.createElement("script"), { src: `${base}/dashboard/api/jobs` }))
        await settled(Object.assign(document.createElement("iframe"), { src: `${base}/dashboard` }))
        await settled(Object.assign(document.createElement("iframe"), { src: `${base}/app/` }))
        await new Promise((done) => {
          const events = new EventSource(`${base}/dashboard/api/events`, { withCredentials: true })
          events.addEventListener("error", done)
          events.addEventListener("open", done)
        })
      }, service.base)
      await page.getByText("Take this").click()
      await page.waitForURL(/\/dashboard\/api\/export$/)
    })
    // The browser hides some responses from the page, so the service counts the rejected requests.
    expect(seen.filter((one) => !/ \/app\/./.test(one)).sort()).toEqual([
      "200 /app/",
      "403 /dashboard",
      "403 /dashboard/api/export"
    ])
    const attempts = ["meta", "links", "mutate", "image", "jobs", "the page in a frame", "events", "export"]
    expect((await refusals()) - before).toBe(attempts.length)
  })
})
