import { describe, expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { until } from "../support/service.ts"
import { long } from "../support/tier.ts"
import { visit } from "./support/browser.ts"
import { useLibrary } from "./support/useLibrary.ts"

const library = useLibrary(60)

/** Opens the dashboard and waits until its worker controls it. */
const install = async (page: Page) => {
  await page.goto("/dashboard")
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
}

const cached = (page: Page) =>
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
  long(test)("is installable", async () => {
    await visit(await library().owner({ serviceWorker: true }), async (page) => {
      await install(page)
      const devtools = await page.context().newCDPSession(page)
      const { errors, manifest } = await devtools.send("Page.getAppManifest")
      expect(errors).toEqual([])
      expect(manifest).toMatchObject({ name: "Linkbower", startUrl: `${library().base}/dashboard` })
      const { installabilityErrors } = await devtools.send("Page.getInstallabilityErrors")
      // A visit's window stores nothing, and apps cannot be installed from such a window.
      expect(installabilityErrors.filter(({ errorId }) => errorId !== "in-incognito")).toEqual([])
    })
  })

  test("caches the app's files, and no private response", async () => {
    const [link] = await library().client.links("?limit=1")
    await visit(await library().owner({ serviceWorker: true }), async (page) => {
      await install(page)
      // Loads again, with the worker between the page and the service.
      await page.reload()
      await page
        .getByText(link?.title ?? "no link")
        .first()
        .waitFor()
      const entries = await cached(page)
      expect(entries.length).toBeGreaterThan(4)
      expect(entries.filter(({ path }) => !path.startsWith("/app/"))).toEqual([])
      expect(entries.filter(({ text }) => text.includes(link?.url ?? "no link"))).toEqual([])
    })
  })

  long(test)("starts without the service, showing the app and no link", async () => {
    const [link] = await library().client.links("?limit=1")
    await visit(await library().owner({ serviceWorker: true }), async (page, problems) => {
      await install(page)
      await library().service.stop()
      // Requests that were running when the service stopped, and later ones.
      problems.expect(/net::ERR_|status of 503/)
      const answer = await page.goto("/dashboard")
      expect([answer?.fromServiceWorker(), await page.title()]).toEqual([true, "Linkbower"])
      await until(async () => ((await page.locator("#app").textContent()) ?? "").length > 0)
      expect(await page.content()).not.toContain(link?.url ?? "no link")
    })
  })
})
