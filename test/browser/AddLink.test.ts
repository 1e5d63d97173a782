import { beforeEach, describe, expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { long } from "../support/tier.ts"
import { testAccessibility } from "./support/accessibility.ts"
import { journeyOf } from "./support/journey.ts"
import { useLibrary } from "./support/useLibrary.ts"

const library = useLibrary(0)
const { empty, fresh, lookAt: look, pageCalled } = journeyOf(library, "main")

beforeEach(empty)

/** Shows the fields that the form folds away. */
const unfold = (page: Page) => page.getByText("Tags, collection, note").last().click()

describe("the Add page", () => {
  const address = (page: Page) => page.getByRole("textbox", { name: "Address" })
  const note = (page: Page) => page.getByRole("textbox", { name: "Note" })
  const save = (page: Page) => page.getByRole("button", { name: "Save", exact: true })

  long(test)(
    "extracts the address from a phone's share, and saves nothing before Save is clicked",
    async () => {
      const shared = pageCalled("A shared page")
      await look(
        async (page) => {
          await save(page).waitFor()
          expect(await address(page).inputValue()).toBe(shared)
          expect(await note(page).inputValue()).toBe("look it is good")
          await page.waitForTimeout(300)
          expect(await library().client.links()).toEqual([])
          await save(page).click()
          await page.getByText("Reading the page…").waitFor()
          expect(await library().client.links()).toMatchObject([{ url: shared, note: "look it is good" }])
          await page.getByRole("link", { name: "Show it in the library" }).click()
          await page.getByRole("heading", { name: "A shared page" }).first().waitFor()
        },
        `/dashboard/add?${new URLSearchParams({ title: "From the app", text: `look ${shared} it is good` })}`
      )
    }
  )

  long(test)("rejects an invalid address, and keeps the typed text when saving fails", () =>
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
        if (!(await note(page).isVisible())) await unfold(page)
        await note(page).fill("A long thought")
        await page.getByText("Enter a web address").waitFor({ state: "detached" })
      }
      // Whole, so that no other address is saved.
      await address(page).fill(`https://example.org/${"a".repeat(9_000)}`)
      await save(page).click()
      await page.getByText("The address is longer than 8,192 characters.").waitFor()
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
    }, "/dashboard/add")
  )

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
  const dialog = (page: Page) => page.getByRole("dialog", { name: "Add a link" })
  const address = (page: Page) => dialog(page).getByRole("textbox", { name: "Address" })
  const openAdd = (page: Page) => page.getByRole("button", { name: "Add a link" }).click()

  test("shows the link at once, while its page is still being read, with its tags and collection", () =>
    look(async (page) => {
      const { pages } = library().world
      const held = `${pages.url}/held?t=Slow`
      await openAdd(page)
      await address(page).fill(held)
      await unfold(page)
      const tags = dialog(page).getByRole("combobox", { name: "Tags" })
      await tags.fill("To Read")
      await tags.press("Enter")
      await tags.fill(".mine,")
      await dialog(page).getByRole("combobox", { name: "Collection" }).fill("Slow / Things")
      await dialog(page).getByRole("textbox", { name: "Note" }).fill("for later")
      await dialog(page).getByRole("button", { name: "Save" }).click()
      await dialog(page).waitFor({ state: "detached" })
      const card = page.locator(".card[aria-busy=true]", { hasText: "#to-read" })
      await card.waitFor()
      expect(await card.textContent()).toContain("Slow / Things")
      await page.getByRole("button", { name: "Show" }).click()
      await page.getByRole("complementary", { name: "Details" }).getByText(held, { exact: true }).waitFor()
      expect(await library().client.links()).toMatchObject([
        { url: held, tags: ["to-read", ".mine"], note: "for later", enrichment: "pending" }
      ])
      pages.release()
      await page
        .getByRole("complementary", { name: "Details" })
        .getByRole("heading", { name: "Slow" })
        .waitFor()
      expect(await library().client.links()).toMatchObject([
        { title: "Slow", tags: ["to-read", ".mine", "some-tag"], collection: { name: "Slow / Things" } }
      ])
    }))

  test("says that a link is there already, since when, and shows it", () =>
    look(async (page) => {
      const url = pageCalled("Known")
      await library().client.capture({ url })
      await openAdd(page)
      await address(page).fill(url)
      await unfold(page)
      await dialog(page).getByRole("textbox", { name: "Note" }).fill("again")
      await address(page).press("Enter")
      const today = new Date().toLocaleDateString("en-GB", { dateStyle: "medium", timeZone: "UTC" })
      await dialog(page).getByText(`Already in your library, saved ${today}. “Known”`).waitFor()
      await dialog(page).getByRole("button", { name: "Show it" }).click()
      await page.getByRole("complementary", { name: "Details" }).getByText("again", { exact: true }).waitFor()
      expect(await library().client.links()).toHaveLength(1)
    }))

  long(test)("asks before it discards typed text, or before the page is closed", () =>
    fresh(async (page) => {
      await openAdd(page)
      await address(page).fill(pageCalled("One"))
      const asked = page.waitForEvent("dialog")
      // A visit that is refused never ends, so nothing waits for it.
      void page.evaluate(() => location.reload())
      await (await asked).dismiss()
      expect(await address(page).inputValue()).toBe(pageCalled("One"))
      await page.keyboard.press("Escape")
      await dialog(page).getByText("Discard what you typed?").waitFor()
      await dialog(page).getByRole("button", { name: "Discard" }).click()
      await dialog(page).waitFor({ state: "detached" })
      expect(await library().client.links()).toEqual([])
    })
  )

  test("opens with an address that is pasted outside a field", () =>
    look(async (page) => {
      const paste = (text: string) =>
        page.evaluate((text) => {
          const clipboardData = new DataTransfer()
          clipboardData.setData("text/plain", text)
          document.activeElement?.dispatchEvent(
            new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true })
          )
        }, text)
      await page.getByRole("combobox", { name: "Search" }).focus()
      await paste("https://example.org/in-a-field")
      await page.evaluate(
        () => document.activeElement instanceof HTMLElement && document.activeElement.blur()
      )
      await paste("no address")
      expect(await dialog(page).count()).toBe(0)
      await paste("https://example.org/pasted")
      await dialog(page).waitFor()
      expect(await address(page).inputValue()).toBe("https://example.org/pasted")
    }))
})

testAccessibility(
  (device, check) =>
    look(
      async (page) => {
        await page.getByRole("textbox", { name: "Address" }).waitFor()
        await check(page, "add")
        await page.goto("/dashboard")
        await page.getByRole("button", { name: /^Add( a link)?$/ }).click()
        await page.getByRole("dialog", { name: "Add a link" }).waitFor()
        await check(page)
      },
      "/dashboard/add?text=https://example.org/a&title=A%20page",
      { device }
    ),
  "adding a link"
)
