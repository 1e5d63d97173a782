import { afterAll, beforeAll, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { Page } from "playwright-core"
import { manifest } from "../../web/app/manifest.ts"
import { until } from "../support/service.ts"
import { long } from "../support/tier.ts"
import { TEST_TIMEOUT, visit } from "./support/browser.ts"
import { startTinyService, type TinyService } from "./support/tinyService.ts"

setDefaultTimeout(TEST_TIMEOUT)

let service: TinyService
beforeAll(async () => {
  service = await startTinyService()
})
beforeEach(() => service.reset())
afterAll(() => service.shut())

/** Opens the dashboard and waits until a worker controls it. */
const install = async (page: Page) => {
  await page.goto("/dashboard")
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
}
const heading = (page: Page) => page.locator("h1").textContent()

/** The names of the caches that hold something. */
const cacheNames = (page: Page) =>
  page.evaluate(async () => {
    const names: Array<string> = []
    for (const name of await caches.keys())
      if ((await (await caches.open(name)).keys()).length > 0) names.push(name)
    return names
  })

describe("the service worker", () => {
  test("starts the app offline, also below /dashboard, from files of one version", async () => {
    await visit({ base: service.base, serviceWorker: true }, async (page, problems) => {
      await install(page)
      await service.shut()
      problems.expect(/ERR_CONNECTION_REFUSED/)
      for (const path of ["/dashboard", "/dashboard/add?url=https://example.org/"]) {
        await page.goto(path)
        expect(await heading(page)).toBe("Shell one")
        await page.getByText("no answer").waitFor()
      }
      service.reopen()
      await page.goto("/dashboard")
      expect(await heading(page)).toBe("Live one")
    })
  })

  test("shows the service's refusal and its redirect to sign in", async () => {
    await visit({ base: service.base, serviceWorker: true }, async (page, problems) => {
      await install(page)
      service.state.mood = "refusing"
      problems.expect(/status of 403/)
      const refused = await page.goto("/dashboard")
      expect([refused?.status(), await page.textContent("body")]).toEqual([403, "Not for you"])
      service.state.mood = "redirecting"
      await page.goto("/dashboard")
      expect([new URL(page.url()).pathname, await page.textContent("body")]).toEqual(["/sign-in", "Sign in"])
    })
  })

  long(test)("shows the shell after three seconds without a response", async () => {
    await visit({ base: service.base, serviceWorker: true }, async (page) => {
      await install(page)
      service.state.mood = "slow"
      const start = performance.now()
      await page.goto("/dashboard")
      expect(await heading(page)).toBe("Shell one")
      expect(performance.now() - start).toBeGreaterThan(2_900)
    })
  })

  test("activates a new version at once, and deletes the old one", async () => {
    await visit({ base: service.base, serviceWorker: true }, async (page, problems) => {
      await install(page)
      const other = await page.evaluate(() =>
        caches.open("of another").then((cache) => cache.put("/x", new Response("y")))
      )
      expect(other).toBeUndefined()
      service.state.version = "two"
      await page.reload()
      expect(await heading(page)).toBe("Live two")
      await page.evaluate(async () => void (await (await navigator.serviceWorker.ready).update()))
      await until(async () => (await cacheNames(page)).join() === "of another,linkbower-shell-two")
      await service.shut()
      problems.expect(/ERR_CONNECTION_REFUSED/)
      await page.goto("/dashboard")
      expect(await heading(page)).toBe("Shell two")
    })
  })

  test("keeps its version if the next one is incomplete", async () => {
    await visit({ base: service.base, serviceWorker: true }, async (page) => {
      await install(page)
      const registered = () =>
        page.evaluate(async () => {
          const registration = await navigator.serviceWorker.ready
          await registration.update().catch(() => undefined)
          const next = registration.installing
          if (next === null) return "none"
          return new Promise<string>((resolve) =>
            next.addEventListener("statechange", () => resolve(next.state))
          )
        })
      service.state.version = "two"
      service.state.mood = "torn"
      expect(await registered()).toBe("redundant")
      expect(await cacheNames(page)).toEqual(["linkbower-shell-one"])
    })
  })
})

test("the public list registers no worker", async () => {
  await visit({ base: service.base, serviceWorker: true }, async (page) => {
    await page.goto("/list")
    await page.getByText(service.PRIVATE).waitFor()
    expect(await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)).toBe(0)
  })
})

describe("the manifest", () => {
  test("names icons of the declared sizes, less than 60 kB together", () => {
    const icons = join(import.meta.dir, "../../web/app/icons")
    const name = (file: string) => join(icons, file)
    const { icons: named } = manifest({
      svg: name("icon.svg"),
      small: name("icon-192.png"),
      large: name("icon-512.png"),
      maskable: name("icon-maskable-512.png")
    })
    const files = named.map(({ sizes, src, type }) => ({ bytes: readFileSync(src), sizes, type }))
    for (const { bytes, sizes, type } of files)
      if (type === "image/png") expect(`${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`).toBe(sizes)
    expect(files.reduce((sum, { bytes }) => sum + bytes.length, 0)).toBeLessThan(60_000)
  })
})
