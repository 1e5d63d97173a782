import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { Page } from "playwright-core"
import { manifest } from "../../web/app/manifest.ts"
import { until } from "../support/service.ts"
import { TEST_TIMEOUT, visit } from "./support/browser.ts"
import { startTinyService, type TinyService } from "./support/tinyService.ts"

setDefaultTimeout(TEST_TIMEOUT)

let service: TinyService
beforeEach(async () => {
  service = await startTinyService()
})
afterEach(() => service.shut())

/** Opens the dashboard and waits until a worker answers for it. */
const install = async (page: Page) => {
  await page.goto("/dashboard")
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
}
const heading = (page: Page) => page.locator("h1").textContent()

/** Everything any cache holds: each address, and what is kept under it. */
const kept = (page: Page) =>
  page.evaluate(async () => {
    const names = await caches.keys()
    const entries: Array<readonly [name: string, path: string, text: string]> = []
    for (const name of names) {
      const cache = await caches.open(name)
      for (const request of await cache.keys())
        entries.push([
          name,
          new URL(request.url).pathname,
          (await (await cache.match(request))?.text()) ?? ""
        ])
    }
    return entries
  })
const cacheNames = async (page: Page) => [...new Set((await kept(page)).map(([name]) => name))]

describe("the service worker", () => {
  test("starts the app without a network, below the dashboard too, from files of one version", async () => {
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

  test("keeps the shell and its files, and nothing that only the owner may see", async () => {
    await visit({ base: service.base, serviceWorker: true }, async (page) => {
      await install(page)
      // Once more, with the worker between the page and the service.
      await page.reload()
      await page.getByText(service.PRIVATE).waitFor()
      const entries = await kept(page)
      expect(entries.map(([, path]) => path).sort()).toEqual([
        "/app/icon.svg",
        "/app/main-one.js",
        "/app/shell-one.html"
      ])
      expect(entries.filter(([, , text]) => text.includes(service.PRIVATE))).toEqual([])
    })
  })

  test("shows what the service answers: a refusal, and the way to sign in", async () => {
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

  test("waits three seconds for a slow service", async () => {
    await visit({ base: service.base, serviceWorker: true }, async (page) => {
      await install(page)
      service.state.mood = "slow"
      const start = performance.now()
      await page.goto("/dashboard")
      expect(await heading(page)).toBe("Shell one")
      expect(performance.now() - start).toBeGreaterThan(2_900)
    })
  })

  test("takes over with its whole version at once, and forgets the one before", async () => {
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
      await until(async () => (await cacheNames(page)).join() === "of another,linkbower-shell-two", 20)
      await service.shut()
      problems.expect(/ERR_CONNECTION_REFUSED/)
      await page.goto("/dashboard")
      expect(await heading(page)).toBe("Shell two")
    })
  })

  test("stays with its version where the next one is not all there", async () => {
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

test("no worker is registered for the public list", async () => {
  await visit({ base: service.base, serviceWorker: true }, async (page) => {
    await page.goto("/list")
    await page.getByText(service.PRIVATE).waitFor()
    expect(await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)).toBe(0)
  })
})

describe("the manifest", () => {
  test("names pictures that are as large as it says, and small to send", () => {
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

  test("makes the dashboard installable, as Chromium sees it", async () => {
    await visit({ base: service.base, serviceWorker: true }, async (page) => {
      await install(page)
      const devtools = await page.context().newCDPSession(page)
      const { errors, manifest: read } = await devtools.send("Page.getAppManifest")
      expect(errors).toEqual([])
      expect(read).toMatchObject({ name: "Linkbower", startUrl: `${service.base}/dashboard` })
      const { installabilityErrors } = await devtools.send("Page.getInstallabilityErrors")
      // A visit's window keeps nothing, and no app can be installed from such a one.
      expect(installabilityErrors.filter(({ errorId }) => errorId !== "in-incognito")).toEqual([])
    })
  })
})
