import { describe, expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { UNSORTED } from "../../src/shared/Category.ts"
import { until } from "../support/service.ts"
import { long } from "../support/tier.ts"
import { testAccessibility } from "./support/accessibility.ts"
import { desktop, phone, tablet, visit } from "./support/browser.ts"
import { clipboardText } from "./support/clipboard.ts"
import {
  card,
  confirmTrash,
  dialogOf,
  focused,
  focusedCard,
  gone,
  isChange,
  menuOf,
  openMenu,
  press,
  pressKeys,
  refuse,
  standsOn,
  summaryIn,
  titleIn
} from "./support/dashboard.ts"
import { journeyOf } from "./support/journey.ts"
import { keyToFrame } from "./support/measure.ts"
import { useLibrary } from "./support/useLibrary.ts"

const library = useLibrary(30)
const journey = journeyOf(library)

describe("detail", () => {
  const { finished, linkOf, links, look, lookAt, mutate, some } = journey

  const pane = (page: Page) => page.getByRole("complementary", { name: "Details" })
  const sheet = (page: Page) => page.getByRole("dialog", { name: "Details" })
  const heading = (page: Page, title: string) =>
    pane(page).getByRole("heading", { level: 2, name: title, exact: true })
  const shownIn = (page: Page) => new URL(page.url()).searchParams.get("link")

  /** Clicks where a card has neither text nor a control. */
  const clickCard = (page: Page, id: number) =>
    card(page, id)
      .locator(".card-body")
      .click({ position: { x: 300, y: 2 } })

  describe("the details of a link", () => {
    test("stand beside the list after a click on its card, follow j and k, and close on Escape", () =>
      look(async (page) => {
        const [first, second] = await finished()
        await clickCard(page, first?.id ?? 0)
        await pane(page)
          .getByText(first?.url ?? "", { exact: true })
          .waitFor()
        expect(shownIn(page)).toBe(String(first?.id))
        await card(page, first?.id ?? 0).focus()
        await pressKeys(page, "j")
        await pane(page)
          .getByText(second?.url ?? "", { exact: true })
          .waitFor()
        await pressKeys(page, "k")
        await pane(page)
          .getByText(first?.url ?? "", { exact: true })
          .waitFor()
        await pressKeys(page, "Escape")
        await pane(page).waitFor({ state: "detached" })
        expect(shownIn(page)).toBeNull()
        expect(await focusedCard(page)).toBe(first?.id ?? 0)
      }))

    test("open and close on Space, and take the focus on d", () =>
      look(async (page) => {
        const { id } = await some()
        await card(page, id).focus()
        await pressKeys(page, "Space")
        await pane(page).waitFor()
        expect(await focusedCard(page)).toBe(id)
        await pressKeys(page, "Space")
        await pane(page).waitFor({ state: "detached" })
        await pressKeys(page, "d")
        await until(() => page.evaluate(() => document.activeElement?.id === "detail"))
      }))

    long(test)("open with what the list knows, before anything is loaded", () =>
      look(async (page) => {
        const { id, url } = await some()
        await page.route(/\/api\/links(\/|\?)/, () => undefined)
        await card(page, id).focus()
        await pressKeys(page, "Space")
        await pane(page).getByText(url, { exact: true }).waitFor()
        await page.unrouteAll({ behavior: "ignoreErrors" })
      })
    )

    long(test)("stay over a reload and at a shared address, for links beyond the list too", async () => {
      const all = await (await library().client.owner("GET", "/api/links?sort=oldest&limit=1")).json()
      const [oldest] = all.links
      await lookAt(async (page) => {
        await pane(page).getByText(oldest.url, { exact: true }).waitFor()
        await page.reload()
        await pane(page).getByText(oldest.url, { exact: true }).waitFor()
        // Another view keeps them.
        await page.getByRole("link", { name: "Favorites" }).click()
        await page.waitForURL(/favorite=true/)
        expect(shownIn(page)).toBe(String(oldest.id))
      }, `/dashboard?link=${oldest.id}`)
    })

    long(test)("say when there is no such link, as an address does that no page has", () =>
      lookAt(async (page, problems) => {
        problems.expect(/404/)
        await pane(page).getByText("There is no link #999999").waitFor()
        await page.goto("/dashboard/nope")
        await page.getByRole("heading", { name: "There is no such page" }).waitFor()
        expect([await page.title(), await page.locator(".card").count()]).toEqual([
          "No such page · Linkbower",
          0
        ])
      }, "/dashboard?link=999999")
    )

    long(test)(
      "show the whole texts, the page's text, similar links and the changes, which can be undone",
      () =>
        look(async (page) => {
          const { id, title } = await some()
          const summary = `${"A long summary that three lines cannot hold. ".repeat(20)}The end of it.`
          await mutate({ op: "edit", ids: [id], title: "Renamed", summary })
          await clickCard(page, id)
          await heading(page, "Renamed").waitFor()
          const end = pane(page).getByText("The end of it.")
          const box = await end.boundingBox()
          expect(box?.height).toBeGreaterThan(150)
          await pane(page).getByRole("heading", { name: "Similar links" }).waitFor()
          await pane(page).getByRole("button", { name: "Undo You changed its title and summary" }).click()
          await heading(page, title).waitFor()
          expect((await linkOf(id))?.title).toBe(title)
        })
    )

    test("change the state, favorite, and copy the address", () =>
      look(
        async (page) => {
          const { id, title, url } = await some()
          await mutate({ op: "state", ids: [id], state: "unread" })
          await clickCard(page, id)
          const inMenu = async (name: string) => {
            await pane(page)
              .getByRole("button", { name: /^More for/ })
              .click()
            await menuOf(page).getByRole("menuitem", { name, exact: true }).click()
          }
          await inMenu("Copy the address")
          await page.getByText("Copied.").waitFor()
          expect(await clipboardText(page)).toBe(url)
          await inMenu("Copy as Markdown")
          await until(async () => (await clipboardText(page)).startsWith(`[${title}](${url})`))
          await pane(page).getByRole("button", { name: "Read", exact: true }).click()
          await until(async () => (await linkOf(id))?.state === "read")
          expect(await card(page, id).getByRole("img", { name: "Unread" }).count()).toBe(0)
          await card(page, id).focus()
          await pressKeys(page, "u")
          await until(async () => (await linkOf(id))?.state === "unread")
          await card(page, id).getByRole("img", { name: "Unread" }).waitFor()
        },
        { permissions: ["clipboard-read", "clipboard-write"] }
      ))

    test("follow the next link when theirs is archived and so leaves the list, until that is undone", () =>
      look(async (page) => {
        const [first, second] = await finished()
        const id = first?.id ?? 0
        await card(page, id).focus()
        await pressKeys(page, "Space")
        await pane(page)
          .getByText(first?.url ?? "", { exact: true })
          .waitFor()
        await pressKeys(page, "y")
        await card(page, id).waitFor({ state: "detached" })
        await pane(page)
          .getByText(second?.url ?? "", { exact: true })
          .waitFor()
        await until(async () => (await links("q=is:archived&limit=1000")).some((link) => link.id === id))
        await page.locator(".toast").getByRole("button", { name: "Undo" }).click()
        await card(page, id).waitFor()
      }))

    test("say why a link was filed, and take it out for good", () =>
      look(async (page) => {
        const [link, reason] = await finished()
        const id = link?.id ?? 0
        await mutate({ op: "collection", ids: [id], collection: "Filed by itself" })
        await page.route(`**/api/links/${id}`, async (route) => {
          const body = await (await route.fetch()).json()
          const filedBecause = [{ id: reason?.id, similarity: 0.92 }]
          await route.fulfill({ json: { ...body, link: { ...body.link, filedBecause } } })
        })
        await card(page, id).focus()
        await pressKeys(page, "Space")
        await pane(page).getByText("Filed because it resembles").waitFor()
        await pane(page).getByText("92% similar").waitFor()
        await page.unroute(`**/api/links/${id}`)
        const request = page.waitForRequest(/mutate/)
        await pane(page).getByRole("button", { name: "Not here" }).click()
        expect((await request).postDataJSON()).toEqual({ op: "refuse", ids: [id] })
        await until(async () => (await linkOf(id))?.collection === null)
        await pane(page).getByText("None", { exact: true }).waitFor()
      }))

    long(test)("follow a change made in another tab, and close when the link is deleted there", async () =>
      visit(await library().owner(), async (page) => {
        const link = await some()
        await page.goto(`/dashboard?link=${link.id}`)
        const other = await page.context().newPage()
        await other.goto(`/dashboard?link=${link.id}`)
        await pane(other).waitFor()
        await pane(page).getByText(link.url, { exact: true }).waitFor()
        for (const tab of [page, other])
          await pane(tab).getByRole("heading", { name: "Similar links" }).waitFor()
        // Both load the link again after its change, before it is deleted.
        const loaded = [page, other].map((tab) =>
          tab.waitForResponse((answer) => answer.url().endsWith(`/api/links/${link.id}`))
        )
        await pane(other).getByRole("button", { name: "Archived" }).click()
        await pane(page).getByRole("button", { name: "Archived", pressed: true }).waitFor()
        await Promise.all(loaded)
        await pane(other)
          .getByRole("button", { name: /^More for/ })
          .click()
        await menuOf(other).getByRole("menuitem", { name: "Delete…" }).click()
        await confirmTrash(other)
        await pane(page).waitFor({ state: "detached" })
      })
    )

    test("are a sheet on a phone, which the back button closes", () =>
      look(
        async (page) => {
          const [first, second] = await finished()
          await card(page, first?.id ?? 0)
            .locator(".card-source")
            .click({ position: { x: 2, y: 2 } })
          await sheet(page)
            .getByText(first?.url ?? "", { exact: true })
            .waitFor()
          await sheet(page).getByRole("button", { name: "Next link" }).click()
          await sheet(page)
            .getByText(second?.url ?? "", { exact: true })
            .waitFor()
          await page.goBack()
          await gone(page)
          expect(shownIn(page)).toBeNull()
          await card(page, first?.id ?? 0)
            .locator(".card-source")
            .click({ position: { x: 2, y: 2 } })
          await sheet(page).getByRole("button", { name: "Close the details" }).click()
          await gone(page)
          expect(shownIn(page)).toBeNull()
          expect(await page.locator(".card").count()).toBeGreaterThan(0)
        },
        { device: phone }
      ))

    long(test)("leave the card's own controls and selected text alone", () =>
      look(async (page) => {
        const { id } = await some()
        await card(page, id).hover()
        await card(page, id).getByRole("checkbox").check()
        await card(page, id).getByRole("button", { name: "Favorite", exact: true }).click()
        const host = await card(page, id).locator(".card-source span").first().boundingBox()
        const y = (host?.y ?? 0) + (host?.height ?? 0) / 2
        await page.mouse.move((host?.x ?? 0) + 1, y)
        await page.mouse.down()
        await page.mouse.move((host?.x ?? 0) + 60, y)
        await page.mouse.up()
        expect(await page.evaluate(() => String(getSelection()))).not.toBe("")
        expect(shownIn(page)).toBeNull()
      })
    )
  })

  describe("tags", () => {
    const field = (page: Page) => dialogOf(page).getByRole("combobox")

    test("of one link complete themselves, and are changed from the keyboard alone", () =>
      look(async (page) => {
        const link = await some()
        await mutate({ op: "tags", ids: [link.id], set: ["one", "two"] })
        const others = (await finished()).slice(1, 4).map(({ id }) => id)
        await mutate({ op: "tags", ids: others, add: ["quantum-field"] })
        await page.reload()
        await card(page, link.id).focus()
        await pressKeys(page, "t")
        await field(page).waitFor()
        await page.keyboard.type("quan")
        await dialogOf(page)
          .getByRole("option", { name: /quantum-field/ })
          .waitFor()
        await pressKeys(page, "ArrowDown", "Enter")
        await page.keyboard.type("My Own,")
        await page.keyboard.type(".secret")
        await pressKeys(page, "Enter", "Backspace", "Backspace")
        expect(await dialogOf(page).locator(".tag-chip").allTextContents()).toEqual([
          "#oneRemove one",
          "#twoRemove two",
          "#quantum-fieldRemove quantum-field"
        ])
        const request = page.waitForRequest(/mutate/)
        await pressKeys(page, "Control+Enter")
        if ((await dialogOf(page).count()) > 0)
          await dialogOf(page).getByRole("button", { name: "Save" }).click()
        expect((await request).postDataJSON()).toEqual({ op: "tags", ids: [link.id], add: ["quantum-field"] })
        await gone(page)
        await standsOn(page, link.id)
      }))

    long(test)("are pasted as a list, and Escape closes the suggestions before the dialog", () =>
      look(async (page) => {
        const { id } = await some()
        await mutate({ op: "tags", ids: [id], set: [] })
        await page.reload()
        await card(page, id).focus()
        await pressKeys(page, "t")
        await field(page).evaluate((input) => {
          const clipboardData = new DataTransfer()
          clipboardData.setData("text/plain", "Red, deep blue\ngreen; red")
          input.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }))
        })
        expect(await dialogOf(page).locator(".tag-chip > span").allTextContents()).toEqual([
          "#red",
          "#deep-blue",
          "#green"
        ])
        await field(page).fill("o")
        await dialogOf(page).getByRole("listbox").waitFor()
        await pressKeys(page, "Escape")
        await dialogOf(page).getByRole("listbox").waitFor({ state: "hidden" })
        expect(await dialogOf(page).count()).toBe(1)
        await pressKeys(page, "Escape")
        await dialogOf(page).getByText("Discard changes?").waitFor()
      })
    )

    test("of a selection are added to all and removed from some, as one change", () =>
      look(async (page) => {
        const [first, second] = await finished()
        const ids = [first?.id ?? 0, second?.id ?? 0]
        await mutate({ op: "tags", ids, set: ["both"] })
        await mutate({ op: "tags", ids: ids.slice(0, 1), add: ["half"] })
        await page.reload()
        for (const id of ids) {
          await card(page, id).focus()
          await pressKeys(page, "x")
        }
        await page.getByRole("toolbar").getByRole("button", { name: "Tags…" }).click()
        await dialogOf(page).getByText("1 of 2").waitFor()
        await dialogOf(page).getByRole("checkbox", { name: /#half/ }).click()
        await dialogOf(page).getByRole("checkbox", { name: /#both/ }).click()
        await field(page).fill("fresh")
        await pressKeys(page, "Enter")
        const request = page.waitForRequest(/mutate/)
        await dialogOf(page).getByRole("button", { name: "Save" }).click()
        expect((await request).postDataJSON()).toEqual({
          op: "tags",
          ids,
          add: ["fresh", "half"],
          remove: ["both"]
        })
        await until(async () => (await linkOf(ids[1] ?? 0))?.tags.join() === "fresh,half")
        await page.locator(".toast").getByRole("button", { name: "Undo" }).click()
        await until(async () => (await linkOf(ids[1] ?? 0))?.tags.join() === "both")
      }))
  })

  describe("an outage", () => {
    long(test)("keeps the details readable and disables what needs the service", () =>
      look(async (page, problems) => {
        problems.expect(/ERR_INTERNET_DISCONNECTED/)
        const [first, second] = await finished()
        await clickCard(page, first?.id ?? 0)
        await pane(page).waitFor()
        await page.context().setOffline(true)
        await card(page, first?.id ?? 0).focus()
        await pressKeys(page, "j")
        await pane(page)
          .getByText(second?.url ?? "", { exact: true })
          .waitFor()
        await pane(page).getByRole("button", { name: "Favorite", exact: true, disabled: true }).waitFor()
        await page.context().setOffline(false)
      })
    )
  })

  testAccessibility(
    (device, check) =>
      lookAt(
        async (page) => {
          await page.locator(".detail-content").waitFor()
          await page.waitForLoadState("networkidle").catch(() => undefined)
          await check(page, "detail")
          await page.locator(".detail-tools").getByRole("button", { name: "Edit" }).click()
          await page.getByRole("dialog", { name: "Edit" }).waitFor()
          await check(page, "edit")
        },
        "/dashboard?link=1",
        { device }
      ),
    "the details of a link"
  )
})

describe("editing", () => {
  const { finished, linkOf, links, look, mutate, some } = journey

  describe("editing title and summary", () => {
    long(test)("saves only the changed field", () =>
      look(async (page) => {
        const link = await some()
        await press(page, link.id, "Edit…")
        expect(await titleIn(page).inputValue()).toBe(link.title)
        expect(await summaryIn(page).inputValue()).toBe(link.summary)
        await titleIn(page).fill("  A title by hand ")
        const request = page.waitForRequest(isChange)
        await page.getByRole("button", { name: "Save" }).click()
        expect((await request).postDataJSON()).toEqual({
          op: "edit",
          ids: [link.id],
          title: "A title by hand"
        })
        await gone(page)
        expect(await card(page, link.id).locator(".card-title").textContent()).toBe("A title by hand")
        expect(await focusedCard(page)).toBe(link.id)
        const after = await linkOf(link.id)
        expect([after?.title, after?.summary]).toEqual(["A title by hand", link.summary])
      })
    )

    long(test)("saves on Ctrl+Enter in the summary", () =>
      look(async (page) => {
        const link = await some()
        await press(page, link.id, "Edit…")
        await summaryIn(page).fill("In the owner's words.")
        await page.keyboard.press("Control+Enter")
        await gone(page)
        expect((await linkOf(link.id))?.summary).toBe("In the owner's words.")
      })
    )

    test("asks before it discards typed text", () =>
      look(async (page) => {
        const link = await some()
        await press(page, link.id, "Edit…")
        await titleIn(page).fill("Half a thought")
        await page.keyboard.press("Escape")
        await dialogOf(page).getByText("Discard changes?").waitFor()
        expect(await focused(page)).toBe("Keep editing")
        await page.keyboard.press("Escape")
        await page.mouse.click(5, 5)
        await page.getByRole("button", { name: "Keep editing" }).click()
        expect(await titleIn(page).inputValue()).toBe("Half a thought")
        await page.getByRole("button", { name: "Cancel" }).click()
        await page.getByRole("button", { name: "Discard" }).click()
        await gone(page)
        expect((await linkOf(link.id))?.title).toBe(link.title)
      }))

    long(test)("closes at once if nothing changed: on Escape, Cancel or a click outside", () =>
      look(async (page) => {
        const { id } = await some()
        for (const leave of [
          () => page.keyboard.press("Escape"),
          () => page.getByRole("button", { name: "Cancel" }).click(),
          () => page.mouse.click(5, 5)
        ]) {
          await press(page, id, "Edit…")
          await dialogOf(page).waitFor()
          await leave()
          await gone(page)
          expect(await focusedCard(page)).toBe(id)
        }
      })
    )

    long(test)("requires a title, and shows how many characters are left", () =>
      look(async (page) => {
        const { id } = await some()
        await press(page, id, "Edit…")
        await titleIn(page).fill(" ")
        await page.getByRole("button", { name: "Save" }).click()
        await dialogOf(page).getByText("A link needs a title.").waitFor()
        await titleIn(page).fill("x".repeat(290))
        await dialogOf(page).getByText("10 characters left").waitFor()
        await titleIn(page).fill("x".repeat(301))
        await dialogOf(page).getByText("1 character too many").waitFor()
        await page.getByRole("button", { name: "Save" }).click()
        await dialogOf(page).getByText("The title is too long.").waitFor()
      })
    )

    long(test)("stays open with the typed text if the service rejects it", () =>
      look(async (page, problems) => {
        problems.expect(/status of 503/)
        const link = await some()
        await refuse(page)
        await press(page, link.id, "Edit…")
        await titleIn(page).fill("Not to be lost")
        await page.getByRole("button", { name: "Save" }).click()
        await dialogOf(page).getByText("Not saved. The library is busy.").waitFor()
        expect(await titleIn(page).inputValue()).toBe("Not to be lost")
        expect(await card(page, link.id).locator(".card-title").textContent()).toBe(link.title)
        await page.unroute("**/mutate")
        await page.getByRole("button", { name: "Save" }).click()
        await gone(page)
        expect((await linkOf(link.id))?.title).toBe("Not to be lost")
      })
    )

    test("reports a change made elsewhere, and keeps the typed text until asked", () =>
      look(async (page) => {
        const { id } = await some()
        await press(page, id, "Edit…")
        await summaryIn(page).fill("Being typed here")
        await mutate({ op: "edit", ids: [id], title: "Written elsewhere" })
        const take = dialogOf(page).getByRole("button", { name: "show its new title" })
        await take.waitFor()
        expect(await summaryIn(page).inputValue()).toBe("Being typed here")
        expect(await titleIn(page).inputValue()).not.toBe("Written elsewhere")
        await take.click()
        expect(await titleIn(page).inputValue()).toBe("Written elsewhere")
        expect(await summaryIn(page).inputValue()).toBe("Being typed here")
      }))
  })

  describe("editing a link", () => {
    const field = (page: Page, name: string) => dialogOf(page).getByLabel(name, { exact: true })
    const save = (page: Page) => dialogOf(page).getByRole("button", { name: "Save" }).click()

    /** Runs in the page: whether two fields overlap, something is cut off sideways, or a button is out of sight. */
    const faults = () => {
      const dialog = document.querySelector("dialog[open]")
      const boxes = (selector: string) =>
        [...(dialog?.querySelectorAll(selector) ?? [])].map((one) => one.getBoundingClientRect())
      const fields = boxes(".input")
      return {
        overlap: fields.some((a, at) =>
          fields
            .slice(at + 1)
            .some((b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom)
        ),
        sideways: (dialog?.scrollWidth ?? 0) > (dialog?.clientWidth ?? 0),
        hidden: boxes(".dialog-header button, .dialog-actions button").filter(
          ({ bottom, height, top }) => height === 0 || top < 0 || bottom > innerHeight
        ).length
      }
    }

    test("saves everything in one change, and undoes it as one", () =>
      look(async (page) => {
        const link = await some()
        await press(page, link.id, "Edit…")
        // As wide as in a font with wide letters.
        await field(page, "Collection").evaluate((input) => input.setAttribute("size", "40"))
        for (const viewport of [phone.viewport, tablet.viewport, desktop.viewport])
          if (viewport) {
            await page.setViewportSize(viewport)
            expect(await page.evaluate(faults)).toEqual({ overlap: false, sideways: false, hidden: 0 })
          }
        await dialogOf(page).getByRole("button", { name: "Close" }).click()
        await gone(page)
        await press(page, link.id, "Edit…")
        await field(page, "Address").fill("example.org/moved")
        await field(page, "Note").fill("Why I keep it.")
        await field(page, "Collection").fill("Shelf / New")
        await field(page, "Category").fill("Things")
        await field(page, "Tags").fill("fresh")
        await page.keyboard.press("Enter")
        const request = page.waitForRequest(isChange)
        await save(page)
        expect((await request).postDataJSON()).toEqual({
          op: "edit",
          ids: [link.id],
          url: "https://example.org/moved",
          collection: "Shelf / New",
          category: "things",
          tags: [...link.tags, "fresh"],
          note: "Why I keep it."
        })
        await gone(page)
        expect(await linkOf(link.id)).toMatchObject({
          url: "https://example.org/moved",
          host: "example.org",
          note: "Why I keep it.",
          category: "things",
          collection: { name: "Shelf / New" },
          tags: [...link.tags, "fresh"]
        })
        await page.locator(".toast").getByRole("button", { name: "Undo" }).click()
        await until(async () => (await linkOf(link.id))?.url === link.url)
        expect(await linkOf(link.id)).toMatchObject({
          note: link.note,
          category: link.category,
          tags: link.tags
        })
      }))

    test("shows the link that has the address already", () =>
      look(async (page, problems) => {
        problems.expect(/409/)
        const [link, other] = await finished()
        await press(page, link?.id ?? 0, "Edit…")
        await field(page, "Address").fill(other?.url ?? "")
        await save(page)
        await dialogOf(page).getByText(`Link #${other?.id} already has this address.`).waitFor()
        expect(await field(page, "Address").getAttribute("aria-invalid")).toBe("true")
        await dialogOf(page).getByRole("button", { name: "Show that link" }).click()
        await page
          .getByRole("complementary", { name: "Details" })
          .getByRole("heading", { name: other?.title ?? "" })
          .waitFor()
      }))

    long(test)("names what is wrong, at the field that it is about", () =>
      look(async (page) => {
        await press(page, (await some()).id, "Edit…")
        await field(page, "Address").fill("mailto:a@b.example")
        await save(page)
        await dialogOf(page).getByText("Enter a web address").waitFor()
        expect(await page.evaluate(() => document.activeElement?.id)).toBe("edit-url")
      })
    )

    test("keeps the text over a failed save and a closed page, and asks before the page is closed", () =>
      look(async (page, problems) => {
        problems.expect(/status of 503/)
        const link = await some()
        await refuse(page)
        await press(page, link.id, "Edit…")
        await field(page, "Note").fill("Half a thought")
        await save(page)
        await dialogOf(page).getByText("Not saved. The library is busy.").waitFor()
        await page.unroute("**/mutate")
        const asked = page.waitForEvent("dialog")
        const left = page.reload()
        await (await asked).accept()
        await left
        await page.locator(".card").first().waitFor()
        await press(page, link.id, "Edit…")
        await dialogOf(page).getByText("Your unsaved changes are back.").waitFor()
        expect(await field(page, "Note").inputValue()).toBe("Half a thought")
        await save(page)
        await gone(page)
        expect((await linkOf(link.id))?.note).toBe("Half a thought")
        await press(page, link.id, "Edit…")
        expect(await dialogOf(page).getByText("Your unsaved changes are back.").count()).toBe(0)
      }))
  })

  describe("picking a category or a collection", () => {
    const field = (page: Page) => dialogOf(page).getByRole("combobox")

    long(test)("accepts an existing name from the keyboard alone", () =>
      look(async (page) => {
        const link = await some()
        const others = (await links()).map(({ category }) => category).filter((one) => one !== link.category)
        // A card does not show this one.
        const name = others.find((one) => one !== UNSORTED) ?? ""
        await press(page, link.id, "Category…")
        expect(await dialogOf(page).getByRole("option", { selected: true }).textContent()).toContain(
          link.category
        )
        await field(page).fill(name)
        await page.keyboard.press("Enter")
        await gone(page)
        await card(page, link.id).locator("[data-kind=category]", { hasText: name }).waitFor()
        await until(async () => (await linkOf(link.id))?.category === name)
      })
    )

    long(test)("creates a category in its normal form", () =>
      look(async (page) => {
        const { id } = await some()
        await press(page, id, "Category…")
        await field(page).fill("  Things Made   of Paper! ")
        await dialogOf(page).getByRole("option", { name: "Create “things made of paper”" }).click()
        await gone(page)
        await until(async () => (await linkOf(id))?.category === "things made of paper")
      })
    )

    test("creates a collection, finds it in any case, and removes the link from it", () =>
      look(async (page) => {
        const [first, second] = await finished()
        for (const link of [first, second]) {
          const id = link?.id ?? 0
          await press(page, id, "File in a collection…")
          await field(page).fill(id === first?.id ? "Slow Reading" : "slow READING")
          expect(
            await dialogOf(page)
              .getByRole("option", { name: /^Create/ })
              .count()
          ).toBe(id === first?.id ? 1 : 0)
          await page.keyboard.press("Enter")
          await gone(page)
          await until(async () => (await linkOf(id))?.collection?.name === "Slow Reading")
          // The names arrive with the counts, which are refreshed a little later.
          await page.locator(".sidebar").getByText("Slow Reading").waitFor()
        }
        await press(page, first?.id ?? 0, "File in a collection…")
        expect(await dialogOf(page).getByRole("option", { selected: true }).textContent()).toContain(
          "Slow Reading"
        )
        await page.keyboard.press("ArrowUp")
        await page.keyboard.press("Enter")
        await until(async () => (await linkOf(first?.id ?? 0))?.collection === null)
      }))

    long(test)("filters twelve thousand names quickly, and renders sixty", () =>
      look(async (page) => {
        const { id } = await some()
        const many = Array.from({ length: 12_000 }, (_, i) => ({ id: i + 1, name: `Shelf ${i}`, count: 1 }))
        await page.route("**/api/meta", async (route) => {
          const meta: object = await (await route.fetch()).json()
          await route.fulfill({ json: { ...meta, collections: many } })
        })
        // Any change refreshes the counts.
        await press(page, id, /^Favorite$/)
        await page.getByRole("button", { name: "All 12,000 collections" }).waitFor()
        await press(page, id, "File in a collection…")
        await page.getByRole("option", { name: "Shelf 1", exact: false }).first().waitFor()
        const options = dialogOf(page).getByRole("option")
        expect(await options.count()).toBe(61)
        await field(page).fill("shelf 1199")
        const took = await keyToFrame(
          page,
          "8",
          () => document.querySelectorAll("[role=option]").length === 1
        )
        expect(await options.textContent()).toContain("Shelf 11998")
        expect(took).toBeLessThan(400)
      })
    )

    long(test)("changes nothing for the current name or on Escape", () =>
      look(async (page) => {
        const { id } = await some()
        let changes = 0
        page.on("request", (request) => {
          if (isChange(request)) changes++
        })
        await press(page, id, "Category…")
        await page.keyboard.press("Enter")
        await gone(page)
        await press(page, id, "Category…")
        await field(page).fill("something else")
        await page.keyboard.press("Escape")
        await gone(page)
        expect(await focusedCard(page)).toBe(id)
        expect(changes).toBe(0)
      })
    )
  })
})

describe("dialogs", () => {
  const { finished, linkOf, look, some } = journey

  describe("deleting", () => {
    test("moves the link to the trash, moves the focus to the next one, and offers to undo", () =>
      look(async (page) => {
        const [first, second] = await finished()
        const id = first?.id ?? 0
        await press(page, id, "Delete")
        await dialogOf(page).getByText("It stays there for 30 days").waitFor()
        expect(await focused(page)).toBe("Cancel")
        await confirmTrash(page)
        await page.getByText(`Moved “${first?.title}” to the trash.`).waitFor()
        expect(await card(page, id).count()).toBe(0)
        expect(await linkOf(id)).toBeUndefined()
        await standsOn(page, second?.id)
        await page.getByRole("button", { name: "Undo" }).click()
        await card(page, id).waitFor()
        expect((await linkOf(id))?.title).toBe(first?.title)
      }))

    test("restores the link if the service rejects the deletion", () =>
      look(async (page, problems) => {
        problems.expect(/status of 503/)
        const { id } = await some()
        await refuse(page)
        await card(page, id).focus()
        await page.keyboard.press("#")
        await confirmTrash(page)
        await page.getByText("Not deleted. The library is busy.").waitFor()
        await card(page, id).waitFor()
      }))
  })

  describe("messages", () => {
    long(test)("offer to undo a change", () =>
      look(async (page) => {
        const { id } = (await finished()).find(({ favorite }) => !favorite) ?? (await some())
        const tool = (name: string) => card(page, id).getByRole("button", { name, exact: true })
        await press(page, id, /^Favorite$/)
        await until(async () => (await linkOf(id))?.favorite)
        await tool("Remove from favorites").waitFor()
        await page.getByRole("button", { name: "Undo" }).click()
        await page.getByText(/^Undone: added/).waitFor()
        expect((await linkOf(id))?.favorite).toBe(false)
        await tool("Favorite").waitFor()
      })
    )

    long(test)("report a rejected change, which is rolled back", () =>
      look(async (page, problems) => {
        problems.expect(/status of 503/)
        const { id } = (await finished()).find(({ shareable }) => !shareable) ?? (await some())
        await refuse(page)
        await press(page, id, "Share on the public list")
        await page.locator("[aria-live=assertive]").getByText("Not changed. The library is busy.").waitFor()
        await openMenu(page, id)
        await menuOf(page).getByRole("menuitem", { name: "Share on the public list" }).waitFor()
        expect((await linkOf(id))?.shareable).toBe(false)
      })
    )

    test("stay while hovered, then disappear; Dismiss returns the focus", () =>
      look(async (page) => {
        await page.clock.install()
        const { id, title } = await some()
        const message = page.locator(".toast", { hasText: title })
        await press(page, id, "Share on the public list")
        await message.hover()
        await page.clock.fastForward("00:11")
        expect(await message.count()).toBe(1)
        await page.mouse.move(900, 300)
        await page.clock.fastForward("00:02")
        await message.waitFor({ state: "detached" })
        await press(page, id, "Share on the public list")
        await message.getByRole("button", { name: "Dismiss" }).press("Enter")
        await message.waitFor({ state: "detached" })
        expect(await focusedCard(page)).toBe(id)
      }))

    long(test)("cover neither a card on a wide screen nor the focused card on a phone", async () => {
      const { id } = await some()
      const covered = (page: Page) =>
        page.evaluate((id) => {
          const card = document.getElementById(`link-${id}`)?.getBoundingClientRect()
          const toast = document.querySelector(".toast")?.getBoundingClientRect()
          if (card === undefined || toast === undefined) throw new Error("one of them is not there")
          return (
            card.top < toast.bottom &&
            toast.top < card.bottom &&
            card.left < toast.right &&
            toast.left < card.right
          )
        }, id)
      for (const view of [{}, { device: phone }])
        await look(async (page) => {
          await card(page, id).focus()
          await page.keyboard.press("f")
          await page.locator(".toast").waitFor()
          expect(await covered(page)).toBe(false)
        }, view)
    })
  })

  describe("on a phone", () => {
    long(test)("returns the focus to the card from every dialog of its menu", () =>
      look(
        async (page) => {
          const { id, title } = await some()
          for (const name of ["Edit…", "Category…", "Tags…"]) {
            await card(page, id)
              .getByRole("button", { name: `More for ${title}` })
              .click()
            await menuOf(page).getByRole("menuitem", { name }).click()
            await dialogOf(page)
              .getByRole("heading", { name: /^(Edit|Category|Tags)/ })
              .waitFor()
            await page.keyboard.press("Escape")
            await gone(page)
            expect(await focusedCard(page)).toBe(id)
          }
        },
        { device: phone }
      )
    )

    long(test)("fits every dialog on a very small screen, without motion if motion is reduced", () =>
      look(
        async (page) => {
          const { id } = await some()
          for (const key of ["e", "c", "m", "t"]) {
            await card(page, id).focus()
            await page.keyboard.press(key)
            await dialogOf(page).waitFor()
            const seen = await dialogOf(page).evaluate((dialog) => {
              const { bottom, left, right, top } = dialog.getBoundingClientRect()
              return {
                inside: left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight,
                sideways:
                  dialog.scrollWidth > dialog.clientWidth ||
                  document.documentElement.scrollWidth > innerWidth,
                moves: getComputedStyle(dialog).transitionDuration
              }
            })
            expect(seen).toEqual({ inside: true, sideways: false, moves: "0s, 0s" })
            await page.keyboard.press("Escape")
            await gone(page)
          }
        },
        { device: { ...phone, viewport: { width: 320, height: 480 } }, reducedMotion: true }
      )
    )
  })

  describe("every dialog", () => {
    testAccessibility((device, check) =>
      look(
        async (page) => {
          const { id } = await some()
          // The dialogs for a category and for a collection are the same.
          for (const key of ["e", "c", "t"]) {
            await card(page, id).focus()
            await page.keyboard.press(key)
            await dialogOf(page).waitFor()
            await check(page, key === "e" ? "edit" : undefined)
            const box = await dialogOf(page).boundingBox()
            const size = page.viewportSize()
            if (device === phone) expect((box?.y ?? 0) + (box?.height ?? 0)).toBe(size?.height ?? -1)
            await page.keyboard.press("Escape")
            await gone(page)
          }
          await card(page, id).focus()
          await page.keyboard.press("e")
          await titleIn(page).fill("")
          await page.keyboard.press("Escape")
          await check(page)
        },
        { device }
      )
    )
  })
})
