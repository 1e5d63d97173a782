import { describe, expect, test } from "bun:test"
import type { Page, Route } from "playwright-core"
import { until } from "../support/service.ts"
import { long } from "../support/tier.ts"
import { testAccessibility } from "./support/accessibility.ts"
import { type Device, visit } from "./support/browser.ts"
import { card, dialogOf, isChange, press, pressKeys, titleIn } from "./support/dashboard.ts"
import { journeyOf } from "./support/journey.ts"
import { useLibrary } from "./support/useLibrary.ts"

const library = useLibrary(60)

const { finished, linkOf, look, some } = journeyOf(library)

const banner = (page: Page) => page.locator("#outage")

/** Cuts the page off from the service; the returned function connects it again. */
const cutOff = async (page: Page) => {
  await page.route("**/dashboard/api/**", (route) => route.abort())
  await page.context().setOffline(true)
  await banner(page).filter({ hasText: "You are offline." }).waitFor()
  return async () => {
    await page.context().setOffline(false)
    await page.unroute("**/dashboard/api/**")
    await banner(page).waitFor({ state: "detached" })
  }
}

/** A visit during which requests may fail. */
const lookOffline = (body: (page: Page) => Promise<unknown>, device?: Device) =>
  look(
    async (page, problems) => {
      problems.expect(/ERR_FAILED|ERR_INTERNET_DISCONNECTED/)
      await body(page)
    },
    device === undefined ? {} : { device }
  )

describe("an outage", () => {
  test("shows a banner and disables changes with its reason, until it ends", () =>
    lookOffline(async (page) => {
      const link = await some()
      await page.mouse.move(1, 1)
      await card(page, link.id).hover()
      const star = card(page, link.id).getByRole("button", { name: "Favorite" })
      await star.waitFor()
      const reconnect = await cutOff(page)
      expect(await star.getAttribute("aria-disabled")).toBe("true")
      expect(await star.getAttribute("aria-describedby")).toBe("outage")
      await star.click({ force: true })
      await page.waitForTimeout(100)
      expect(await page.locator(".toast").count()).toBe(0)
      const add = page.getByRole("button", { name: "Add a link" })
      await add.click({ force: true })
      expect(await dialogOf(page).count()).toBe(0)
      await reconnect()
      expect(await star.getAttribute("aria-disabled")).toBeNull()
      await press(page, link.id, "Favorite")
      await until(async () => (await linkOf(link.id))?.favorite === !link.favorite)
    }))

  test("of a part of the service is told with what to do", () =>
    look(async (page) => {
      const text = "The disk is full. Free space."
      await page.route("**/dashboard/api/meta", async (route) => {
        const answer = await route.fetch()
        const problems = [{ name: "storage-full", text }]
        await route.fulfill({ response: answer, json: { ...(await answer.json()), problems } })
      })
      await page.evaluate(() => window.dispatchEvent(new Event("online")))
      await page.locator(".outage").filter({ hasText: text }).waitFor()
    }))

  long(test)("by a service that does not answer is told from a missing network", () =>
    lookOffline(async (page) => {
      await page.route("**/dashboard/api/**", (route) => route.abort())
      const { id } = await some()
      await card(page, id).focus()
      await pressKeys(page, "f")
      await banner(page).filter({ hasText: "The service does not answer." }).waitFor()
      await page.unroute("**/dashboard/api/**")
      await banner(page).waitFor({ state: "detached" })
    })
  )

  long(test)("by a proxy without its service is one too", () =>
    look(async (page, problems) => {
      problems.expect(/502/)
      await page.route("**/dashboard/api/**", (route) =>
        route.fulfill({ status: 502, contentType: "text/html", body: "<h1>Bad gateway</h1>" })
      )
      const { id } = await some()
      await card(page, id).focus()
      await pressKeys(page, "f")
      await banner(page).filter({ hasText: "The service does not answer." }).waitFor()
    })
  )

  test("reverts a change, says so, and offers to try again", () =>
    lookOffline(async (page) => {
      const link = await some()
      await card(page, link.id).focus()
      const reconnect = await cutOff(page)
      await pressKeys(page, "f")
      const failed = page.locator(".toast", { hasText: "Not changed. You are offline." })
      await failed.waitFor()
      expect(await card(page, link.id).locator('[data-kind="favorite"]').count()).toBe(link.favorite ? 1 : 0)
      await reconnect()
      await failed.getByRole("button", { name: "Try again" }).click()
      await until(async () => (await linkOf(link.id))?.favorite === !link.favorite)
    }))

  long(test)("loses no text that was typed", () =>
    lookOffline(async (page) => {
      const link = await some()
      await card(page, link.id).focus()
      await pressKeys(page, "e")
      await titleIn(page).fill("Typed before the outage")
      const reconnect = await cutOff(page)
      await titleIn(page).press("End")
      await page.keyboard.type(", and during it")
      await pressKeys(page, "Control+Enter")
      await page.getByText("Not saved. You are offline.").waitFor()
      await reconnect()
      await titleIn(page).press("Enter")
      await titleIn(page).waitFor({ state: "detached" })
      expect((await linkOf(link.id))?.title).toBe("Typed before the outage, and during it")
    })
  )

  long(testAccessibility)((device, check) =>
    lookOffline(async (page) => {
      await page.mouse.move(300, 300)
      const reconnect = await cutOff(page)
      await check(page, "outage")
      await reconnect()
    }, device)
  )
})

const isFavorite = async (id: number) => (await linkOf(id))?.favorite
const star = (page: Page, id: number) => card(page, id).locator('[data-kind="favorite"]')

/** Holds the first change that a page sends until it is released. */
const holdFirst = async (page: Page) => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const sent: Array<unknown> = []
  let isFirst = true
  await page.route("**/mutate", async (route: Route) => {
    sent.push(route.request().postDataJSON())
    const hold = isFirst
    isFirst = false
    if (hold) await promise
    await route.continue()
  })
  return { sent, release: resolve }
}

describe("changes of one link", () => {
  long(test)("are applied in the order in which they were made, however slow the first one is", () =>
    look(async (page) => {
      const [link, other] = (await finished()).filter(({ favorite }) => !favorite)
      const { id } = link ?? { id: 0 }
      const { release, sent } = await holdFirst(page)
      await card(page, id).focus()
      await pressKeys(page, "f", "f", "f")
      await star(page, id).waitFor()
      // Another link does not wait.
      await press(page, other?.id ?? 0, "Favorite")
      await until(async () => await isFavorite(other?.id ?? 0))
      expect(sent).toEqual([
        { op: "favorite", ids: [id], favorite: true },
        { op: "favorite", ids: [other?.id], favorite: true }
      ])
      release()
      await until(() => sent.length === 4)
      expect(sent.slice(2)).toEqual([
        { op: "favorite", ids: [id], favorite: false },
        { op: "favorite", ids: [id], favorite: true }
      ])
      await until(async () => await isFavorite(id))
      expect(await star(page, id).count()).toBe(1)
    })
  )

  long(test)("wait for a change of many links", () =>
    look(async (page) => {
      const [first, second] = await finished()
      const { release, sent } = await holdFirst(page)
      for (const link of [first, second]) {
        await card(page, link?.id ?? 0).focus()
        await pressKeys(page, "x")
      }
      await pressKeys(page, "s", "Escape")
      await pressKeys(page, "s")
      await until(() => sent.length === 1)
      await page.waitForTimeout(100)
      expect(sent.length).toBe(1)
      release()
      await until(() => sent.length === 2)
      const shared = first?.shareable === true && second?.shareable === true
      await until(async () => (await linkOf(second?.id ?? 0))?.shareable === shared)
      expect((await linkOf(first?.id ?? 0))?.shareable).toBe(!shared)
    })
  )

  test("that are rejected revert only themselves", () =>
    look(async (page, problems) => {
      problems.expect(/503/)
      const link = await some()
      let count = 0
      await page.route("**/mutate", (route) =>
        ++count === 1
          ? route.fulfill({ status: 503, json: { error: "unavailable", message: "The library is busy." } })
          : route.continue()
      )
      await card(page, link.id).focus()
      await pressKeys(page, "f", "s")
      await page.getByText("Not changed. The library is busy.").waitFor()
      await until(async () => (await linkOf(link.id))?.shareable === !link.shareable)
      expect(await isFavorite(link.id)).toBe(link.favorite)
      expect(await star(page, link.id).count()).toBe(link.favorite ? 1 : 0)
    }))

  long(test)("from two tabs end alike in both", () =>
    look(async (page) => {
      const { id } = (await finished()).find(({ favorite }) => !favorite) ?? { id: 0 }
      const other = await page.context().newPage()
      await other.goto("/dashboard")
      await card(other, id).waitFor()
      const { release, sent } = await holdFirst(page)
      await card(page, id).focus()
      await pressKeys(page, "f")
      await until(() => sent.length === 1)
      await card(other, id).focus()
      await pressKeys(other, "f", "f")
      await until(async () => (await other.locator(".toast", { hasText: "Removed" }).count()) === 1)
      release()
      await until(async () => await isFavorite(id))
      for (const tab of [page, other]) await star(tab, id).waitFor()
    })
  )

  test("ask before the page is closed while they have no response", () =>
    look(async (page) => {
      const { id } = await some()
      const { release, sent } = await holdFirst(page)
      await card(page, id).focus()
      await pressKeys(page, "f")
      await until(() => sent.length === 1)
      const asked = page.waitForEvent("dialog")
      await page.close({ runBeforeUnload: true })
      const dialog = await asked
      expect(dialog.type()).toBe("beforeunload")
      await dialog.dismiss()
      const answered = page.waitForResponse((response) => isChange(response.request()))
      release()
      await answered
    }))
})

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
