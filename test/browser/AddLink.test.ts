import { beforeEach, describe, expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { testAccessibility } from "./support/accessibility.ts"
import { dashboardOf } from "./support/dashboard.ts"
import { useLibrary } from "./support/useLibrary.ts"

const library = useLibrary(0)
const { empty, lookAt: look, pageCalled } = dashboardOf(library, "main")

beforeEach(empty)

describe("the Add page", () => {
  const address = (page: Page) => page.getByRole("textbox", { name: "Address" })
  const note = (page: Page) => page.getByRole("textbox", { name: "Note" })
  const save = (page: Page) => page.getByRole("button", { name: "Save", exact: true })

  test("extracts the address from a phone's share, and saves nothing before Save is clicked", async () => {
    const shared = pageCalled("A shared page")
    await look(
      async (page) => {
        await save(page).waitFor()
        expect(await address(page).inputValue()).toBe(shared)
        expect(await note(page).inputValue()).toBe("look it is good")
        await page.waitForTimeout(300)
        expect(await library().client.links()).toEqual([])
        await save(page).click()
        await page.getByText("Saved “A shared page”.").waitFor()
        expect(await library().client.links()).toMatchObject([{ url: shared, note: "look it is good" }])
        await page.getByRole("link", { name: "Open library" }).click()
        await page.locator(".card", { hasText: "A shared page" }).waitFor()
      },
      `/dashboard/add?${new URLSearchParams({ title: "From the app", text: `look ${shared} it is good` })}`
    )
  })

  test("rejects an invalid address, and keeps the typed text when saving fails", () =>
    look(async (page, problems) => {
      problems.expect(/503/)
      for (const wrong of [
        "",
        "word",
        "not an address",
        "mailto:a@b.example",
        "javascript:alert(1)",
        "ftp://a.example"
      ]) {
        await address(page).fill(wrong)
        await save(page).click()
        await page.getByText("Enter a web address").waitFor()
        await note(page).fill("A long thought")
        await page.getByText("Enter a web address").waitFor({ state: "detached" })
      }
      await address(page).fill("example.org/a?b=c")
      await page.route("**/dashboard/api/links", (route) =>
        route.fulfill({ status: 503, json: { error: "unavailable", message: "The disk is full." } })
      )
      await save(page).click()
      await page.getByText("Not saved. The disk is full.").waitFor()
      expect(await note(page).inputValue()).toBe("A long thought")
      await page.unroute("**/dashboard/api/links")
      await save(page).click()
      await page
        .getByText(/Saved|Kept/)
        .first()
        .waitFor()
      expect(await library().client.links()).toMatchObject([
        { url: "https://example.org/a?b=c", note: "A long thought" }
      ])
    }, "/dashboard/add"))

  test("is opened by the bookmarklet with the page's address, title and selection", () =>
    look(async (page) => {
      await page.locator(".step > summary", { hasText: "From any browser" }).click()
      const mark = page.getByRole("link", { name: "Save to Linkbower" })
      const code = (await mark.getAttribute("href")) ?? ""
      expect(code).toStartWith("javascript:")
      expect(await mark.evaluate((anchor) => anchor instanceof HTMLAnchorElement && anchor.draggable)).toBe(
        true
      )
      await mark.click()
      await page.getByText("Drag it to your bookmarks bar").waitFor()
      await page.goto(`/list?q=${encodeURIComponent('a "quoted" & odd thing')}`)
      await page.evaluate(() =>
        getSelection()?.selectAllChildren(document.querySelector("h1") ?? document.body)
      )
      const heading = await page.evaluate(() => String(getSelection()).trim())
      const opened = page.context().waitForEvent("page")
      await page.evaluate(code.slice("javascript:".length))
      const form = await opened
      await save(form).waitFor()
      expect(await address(form).inputValue()).toBe(page.url())
      expect(await note(form).inputValue()).toBe(heading)
      expect(await form.evaluate(() => window.opener)).toBeNull()
      await save(form).click()
      await form
        .getByText(/Saved|Kept/)
        .first()
        .waitFor()
      const closed = form.waitForEvent("close")
      // The page may close before the click is reported as done.
      await form
        .getByRole("button", { name: "Close" })
        .click()
        .catch(() => undefined)
      await closed
    }))
})

describe("the Add dialog", () => {
  test("saves several links, and asks before it discards typed text", () =>
    look(async (page) => {
      const dialog = page.getByRole("dialog", { name: "Add a link" })
      await page.getByRole("button", { name: "Add a link" }).click()
      const address = dialog.getByRole("textbox", { name: "Address" })
      await address.fill(pageCalled("One"))
      await page.keyboard.press("Escape")
      await dialog.getByText("Discard what you typed?").waitFor()
      await address.fill(pageCalled("One"))
      await address.press("Enter")
      await dialog.getByText("Saved “One”.").waitFor()
      await dialog.getByRole("button", { name: "Add another" }).click()
      await address.fill(pageCalled("Two"))
      await address.press("Enter")
      await dialog.getByText("Saved “Two”.").waitFor()
      await page.keyboard.press("Escape")
      await dialog.waitFor({ state: "detached" })
      expect((await library().client.links()).map(({ title }) => title)).toEqual(["Two", "One"])
    }))
})

testAccessibility(
  (device, check) =>
    look(
      async (page) => {
        await page.getByRole("textbox", { name: "Address" }).waitFor()
        await check(page, "add")
        await page.goto("/dashboard")
        await page.getByRole("button", { name: "Add a link" }).click()
        await page.getByRole("dialog", { name: "Add a link" }).waitFor()
        await check(page)
      },
      "/dashboard/add?text=https://example.org/a&title=A%20page",
      { device }
    ),
  "adding a link"
)
