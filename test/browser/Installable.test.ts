import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test"
import type { Page } from "playwright-core"
import { until } from "../support/service.ts"
import { TEST_TIMEOUT, visit } from "./support/browser.ts"
import { type StartedLibrary, startLibrary } from "./support/library.ts"

setDefaultTimeout(TEST_TIMEOUT)

let library: StartedLibrary
beforeAll(async () => {
  library = await startLibrary(60)
})
afterAll(() => library.stop())

/** Opens the dashboard and waits until its worker answers for it. */
const install = async (page: Page) => {
  await page.goto("/dashboard")
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
}

const kept = (page: Page) =>
  page.evaluate(async () => {
    const entries: Array<{ readonly path: string; readonly text: string }> = []
    for (const name of await caches.keys()) {
      const cache = await caches.open(name)
      for (const request of await cache.keys()) {
        const answer = await cache.match(request)
        entries.push({ path: new URL(request.url).pathname, text: (await answer?.text()) ?? "" })
      }
    }
    return entries
  })

describe("the installed dashboard", () => {
  test("can be installed", async () => {
    await visit(await library.owner({ serviceWorker: true }), async (page) => {
      await install(page)
      const devtools = await page.context().newCDPSession(page)
      expect((await devtools.send("Page.getAppManifest")).errors).toEqual([])
      const { installabilityErrors } = await devtools.send("Page.getInstallabilityErrors")
      expect(installabilityErrors.filter(({ errorId }) => errorId !== "in-incognito")).toEqual([])
    })
  })

  test("keeps the app's files, and no answer that only the owner may see", async () => {
    const [link] = await library.client.links("?limit=1")
    await visit(await library.owner({ serviceWorker: true }), async (page) => {
      await install(page)
      // Once more, with the worker between the page and the service.
      await page.reload()
      await page
        .getByText(link?.title ?? "no link")
        .first()
        .waitFor()
      const entries = await kept(page)
      expect(entries.length).toBeGreaterThan(4)
      expect(entries.filter(({ path }) => !path.startsWith("/app/"))).toEqual([])
      expect(entries.filter(({ text }) => text.includes(link?.url ?? "no link"))).toEqual([])
    })
  })

  test("shows that nobody is signed in, rather than what it has kept", async () => {
    await visit(await library.owner({ serviceWorker: true }), async (page, problems) => {
      await install(page)
      await page.context().clearCookies()
      problems.expect(/status of 403/)
      const answer = await page.goto("/dashboard")
      expect(answer?.status()).toBe(403)
    })
  })

  test("starts without the service, showing the app and no link", async () => {
    const other = await startLibrary(20)
    const [link] = await other.client.links("?limit=1")
    await visit(await other.owner({ serviceWorker: true }), async (page, problems) => {
      await install(page)
      await other.service.stop()
      // What was under way when the service went, and what is asked afterwards.
      problems.expect(/net::ERR_|status of 503/)
      const answer = await page.goto("/dashboard")
      expect([answer?.fromServiceWorker(), await page.title()]).toEqual([true, "Linkbower"])
      await until(async () => ((await page.locator("#app").textContent()) ?? "").length > 0)
      expect(await page.content()).not.toContain(link?.url ?? "no link")
    }).finally(other.stop)
  })
})
