import { afterAll, beforeAll, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { Page } from "playwright-core"
import { manifest } from "../../web/app/manifest.ts"
import type * as Offline from "../../web/app/reader/offline.ts"
import { until } from "../support/service.ts"
import { long } from "../support/tier.ts"
import { TEST_TIMEOUT, visit } from "./support/browser.ts"
import { startTinyService, type TinyService } from "./support/tinyService.ts"

setDefaultTimeout(TEST_TIMEOUT)

declare global {
  interface Window
    extends Pick<typeof Offline, "keepOffline" | "listOffline" | "forgetOffline" | "dropOffline"> {}
}

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

/** Keeps the articles of these links, with `pictures` pictures each. */
const keep = (page: Page, ids: ReadonlyArray<number>, pictures = 1) =>
  page.evaluate(
    async ([ids, pictures]) => {
      for (const id of ids)
        await window.keepOffline({
          id,
          title: `Title ${id}, naïve – “quoted”`,
          host: "example.org",
          updatedAt: "2026-01-01T00:00:00.000Z",
          pictures: [
            ...Array.from({ length: pictures }, (_, n) => `/dashboard/api/links/${id}/page/pictures/${n}`),
            "https://elsewhere.example/tracker.gif",
            "/dashboard/api/links/999/page/pictures/1"
          ]
        })
    },
    [ids, pictures] as const
  )

const kept = (page: Page) => page.evaluate(async () => (await window.listOffline()).map(({ id }) => id))
const hasCache = (page: Page) => page.evaluate(() => caches.has("linkbower-articles"))

/** Requests a path within the page; the body and whether it is a copy that the browser keeps. */
const request = (page: Page, path: string) =>
  page.evaluate(async (path) => {
    const answer = await fetch(path).catch(() => undefined)
    return answer === undefined ? "none" : [answer.headers.has("linkbower-copy"), await answer.text()]
  }, path)

const JSON_PATH = "/dashboard/api/links/1"
const DOCUMENT = "/dashboard/read/1/document"

describe("articles kept for reading offline", () => {
  test("are served while the service is away, and never while it is there", async () => {
    await visit({ base: service.base, serviceWorker: true }, async (page, problems) => {
      await install(page)
      await keep(page, [1])
      expect(await page.evaluate(() => window.listOffline())).toMatchObject([
        { id: 1, title: "Title 1, naïve – “quoted”", host: "example.org" }
      ])
      expect(await request(page, JSON_PATH)).toEqual([false, '{"link":{"title":"Title 1"}}'])
      problems.expect(/ERR_CONNECTION_REFUSED|ERR_FAILED|status of 50[24]/)
      service.state.mood = "badGateway"
      expect(await request(page, JSON_PATH)).toEqual([true, '{"link":{"title":"Title 1"}}'])
      await service.shut()
      expect(await request(page, JSON_PATH)).toEqual([true, '{"link":{"title":"Title 1"}}'])
      expect(await request(page, DOCUMENT)).toEqual([true, expect.stringContaining("Article 1")])
      const [isCopy] = await request(page, "/dashboard/api/links/1/page/pictures/0")
      expect(isCopy).toBe(true)
      // Neither another version, nor another article, nor another answer of the API.
      for (const path of [
        `${DOCUMENT}?version=1`,
        "/dashboard/api/links/2",
        "/dashboard/api/links/1/position"
      ])
        expect([path, await request(page, path)]).toEqual([path, "none"])
      const frame = await page.evaluate(async (path) => {
        const frame = document.createElement("iframe")
        frame.src = path
        const loaded = new Promise((resolve) => frame.addEventListener("load", resolve))
        document.body.append(frame)
        await loaded
        return frame.contentDocument?.body.textContent
      }, DOCUMENT)
      expect(frame).toBe("Article 1")
    })
  })

  long(test)("are served after three seconds without a response", async () => {
    await visit({ base: service.base, serviceWorker: true }, async (page) => {
      await install(page)
      await keep(page, [1])
      service.state.mood = "slow"
      expect(await request(page, JSON_PATH)).toEqual([true, '{"link":{"title":"Title 1"}}'])
    })
  })

  for (const mood of ["refusing", "redirecting"] as const)
    (mood === "refusing" ? test : long(test))(
      `are removed when the service is ${mood}, because nobody is signed in`,
      async () => {
        await visit({ base: service.base, serviceWorker: true }, async (page, problems) => {
          await install(page)
          await keep(page, [1, 2])
          service.state.mood = mood
          if (mood === "refusing") problems.expect(/status of 403/)
          await page.goto("/dashboard")
          await until(async () => !(await hasCache(page)))
        })
      }
    )

  long(test)("are removed when an article is refused", async () => {
    await visit({ base: service.base, serviceWorker: true }, async (page, problems) => {
      await install(page)
      await keep(page, [1])
      service.state.mood = "refusing"
      problems.expect(/status of 403/)
      await request(page, JSON_PATH)
      expect(await hasCache(page)).toBe(false)
    })
  })

  test("are not kept if all are removed while they are fetched, or if nobody is signed in", async () => {
    await visit({ base: service.base, serviceWorker: true }, async (page, problems) => {
      await install(page)
      await keep(page, [1])
      await page.evaluate(async () => {
        const article = { title: "", host: "", updatedAt: "", pictures: [] }
        const keeping = window.keepOffline({ id: 2, ...article })
        await window.forgetOffline()
        await keeping
      })
      expect(await hasCache(page)).toBe(false)
      service.state.mood = "refusing"
      problems.expect(/status of 403/)
      await keep(page, [1])
      expect(await hasCache(page)).toBe(false)
    })
  })

  long(test)("keep their limits: the ones opened longest ago go", async () => {
    await visit({ base: service.base, serviceWorker: true }, async (page) => {
      await install(page)
      await keep(
        page,
        Array.from({ length: 52 }, (_, n) => n + 1),
        0
      )
      const before = await kept(page)
      expect([before.length, before[0], before.at(-1)]).toEqual([50, 52, 3])
      await keep(page, [3], 0)
      expect((await kept(page))[0]).toBe(3)
      await page.evaluate(() => window.dropOffline(new Set([3, 4])))
      expect((await kept(page)).length).toBe(48)
      await page.evaluate(() => window.forgetOffline())
      expect([await kept(page), await hasCache(page)]).toEqual([[], false])
    })
  })
})
