import { describe, expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { UNSORTED } from "../../src/shared/Category.ts"
import { until } from "../support/service.ts"
import { long } from "../support/tier.ts"
import { testAccessibility } from "./support/accessibility.ts"
import { phone, visit } from "./support/browser.ts"
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
          await pane(page).locator("summary", { hasText: "Changes" }).click()
          await pane(page).getByRole("button", { name: "Undo You changed its title and summary" }).click()
          await heading(page, title).waitFor()
          expect((await linkOf(id))?.title).toBe(title)
        })
    )

    test("change the state, favorite, and copy the address", () =>
      look(async (page) => {
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
      }))

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
        // A tag that is still being typed is added too.
        await field(page).fill("fresh")
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
        await pane(page)
          .getByRole("button", { name: "Edit the title", exact: true, disabled: true })
          .waitFor()
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
          await page
            .getByRole("button", { name: /^(Edit the|Add a) note$/ })
            .first()
            .click()
          await page.getByRole("textbox", { name: "Note" }).waitFor()
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

  const pane = (page: Page) => page.getByRole("complementary", { name: "Details" })
  const field = (page: Page, name: string) => pane(page).getByRole("textbox", { name, exact: true })
  /** Starts editing a text where the details show it. */
  const edit = (page: Page, name: string) =>
    pane(page)
      .getByRole("button", { name: new RegExp(`^(Edit the|Add a) ${name}$`) })
      .click()
  const openPane = async (page: Page, id: number) => {
    await card(page, id).focus()
    await pressKeys(page, "Space")
    await pane(page).waitFor()
  }

  describe("editing a link in its details", () => {
    test("saves each field by itself, and undoes each by itself", () =>
      look(async (page) => {
        const link = await some()
        await press(page, link.id, "Edit")
        expect(await titleIn(page).inputValue()).toBe(link.title)
        expect(await titleIn(page).evaluate((field) => field === document.activeElement)).toBe(true)
        const saves = async (act: () => Promise<unknown>, change: object) => {
          const request = page.waitForRequest(isChange)
          await act()
          expect((await request).postDataJSON()).toEqual({ ids: [link.id], ...change })
          await page.locator(".toast").first().waitFor()
        }
        await titleIn(page).fill("  A title by hand ")
        await saves(() => page.keyboard.press("Enter"), { op: "edit", title: "A title by hand" })
        await card(page, link.id).getByText("A title by hand").waitFor()
        await edit(page, "address")
        await field(page, "Address").fill("example.org/moved")
        await saves(() => page.keyboard.press("Enter"), { op: "edit", url: "https://example.org/moved" })
        await edit(page, "note")
        await field(page, "Note").fill("Why I keep it.")
        await saves(() => pane(page).locator(".detail-facts").click(), { op: "edit", note: "Why I keep it." })
        await edit(page, "summary")
        await summaryIn(page).fill("In the owner’s words.")
        await saves(() => page.keyboard.press("Control+Enter"), {
          op: "edit",
          summary: "In the owner’s words."
        })
        await pane(page)
          .getByRole("button", { name: /^(File|Move)$/ })
          .click()
        await page.keyboard.type("Shelf / New")
        await saves(() => page.keyboard.press("Enter"), { op: "collection", collection: "Shelf / New" })
        await pane(page).getByRole("button", { name: "Change" }).click()
        await page.keyboard.type("Things")
        await saves(() => page.keyboard.press("Enter"), { op: "category", category: "things" })
        await pane(page)
          .getByRole("button", { name: /^(Add|Edit) tags$/ })
          .click()
        await page.keyboard.type("fresh")
        await saves(() => page.keyboard.press("Enter"), { op: "tags", add: ["fresh"] })
        const made = {
          title: "A title by hand",
          url: "https://example.org/moved",
          host: "example.org",
          note: "Why I keep it.",
          summary: "In the owner’s words.",
          category: "things",
          collection: { name: "Shelf / New" },
          tags: [...link.tags, "fresh"]
        }
        await until(async () => (await linkOf(link.id))?.tags.includes("fresh"))
        expect(await linkOf(link.id)).toMatchObject(made)
        await page.locator(".toast").getByRole("button", { name: "Undo" }).click()
        await until(async () => (await linkOf(link.id))?.tags.includes("fresh") === false)
        expect(await linkOf(link.id)).toMatchObject({ ...made, tags: link.tags })
      }))

    test("gives up on Escape, saves nothing that did not change, and says what is wrong at the field", () =>
      look(async (page) => {
        const link = await some()
        let sent = 0
        page.on("request", (request) => {
          if (isChange(request)) sent += 1
        })
        await press(page, link.id, "Edit")
        await titleIn(page).fill("Half a thought")
        await page.keyboard.press("Escape")
        await pane(page).getByRole("heading", { level: 2, name: link.title, exact: true }).waitFor()
        await edit(page, "title")
        await titleIn(page).press("Enter")
        await titleIn(page).waitFor({ state: "detached" })
        await edit(page, "title")
        await titleIn(page).fill(" ")
        await titleIn(page).press("Enter")
        await pane(page).getByText("A link needs a title.").waitFor()
        expect(await titleIn(page).getAttribute("aria-invalid")).toBe("true")
        await titleIn(page).fill("x".repeat(290))
        await pane(page).getByText("10 characters left").waitFor()
        await titleIn(page).fill("x".repeat(301))
        await pane(page).getByText("1 character too many").waitFor()
        await page.keyboard.press("Escape")
        await edit(page, "address")
        await field(page, "Address").fill("mailto:a@b.example")
        await page.keyboard.press("Enter")
        await pane(page).getByText("Enter a web address").waitFor()
        await page.keyboard.press("Escape")
        expect(sent).toBe(0)
        expect((await linkOf(link.id))?.title).toBe(link.title)
      }))

    test("says that a text was changed elsewhere, and keeps the typed one until asked", () =>
      look(async (page) => {
        const { id } = await some()
        await openPane(page, id)
        await edit(page, "summary")
        await summaryIn(page).fill("Being typed here")
        await mutate({ op: "edit", ids: [id], title: "Written elsewhere", summary: "Also elsewhere" })
        await pane(page).getByRole("heading", { level: 2, name: "Written elsewhere" }).waitFor()
        await pane(page).getByText("Changed elsewhere in the meantime.").waitFor()
        expect(await summaryIn(page).inputValue()).toBe("Being typed here")
        await pane(page).getByRole("button", { name: "Show the new summary" }).click()
        await pane(page).getByText("Also elsewhere").waitFor()
        expect((await linkOf(id))?.summary).toBe("Also elsewhere")
      }))

    test("shows the link that has the address already", () =>
      look(async (page, problems) => {
        problems.expect(/409/)
        const [link, other] = await finished()
        await openPane(page, link?.id ?? 0)
        await edit(page, "address")
        await field(page, "Address").fill(other?.url ?? "")
        await page.keyboard.press("Enter")
        await pane(page).getByText(`Link #${other?.id} already has this address.`).waitFor()
        await pane(page).getByRole("button", { name: "Show that link" }).click()
        await pane(page)
          .getByRole("heading", { name: other?.title ?? "" })
          .waitFor()
      }))

    test("keeps the text over a failed save and a closed page, and asks before the page is closed", () =>
      look(async (page, problems) => {
        problems.expect(/status of 503/)
        const link = await some()
        await refuse(page)
        await openPane(page, link.id)
        await edit(page, "note")
        await field(page, "Note").fill("Half a thought")
        await page.keyboard.press("Control+Enter")
        await pane(page).getByText("Not saved. The library is busy.").waitFor()
        expect(await card(page, link.id).getByText("Half a thought").count()).toBe(0)
        await page.unroute("**/mutate")
        const asked = page.waitForEvent("dialog")
        const left = page.reload()
        await (await asked).accept()
        await left
        await field(page, "Note").waitFor()
        expect(await field(page, "Note").inputValue()).toBe("Half a thought")
        await field(page, "Note").press("Control+Enter")
        await until(async () => (await linkOf(link.id))?.note === "Half a thought")
        await field(page, "Note").waitFor({ state: "detached" })
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
        await press(page, id, /^(Favorite|Remove from favorites)$/)
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
        await press(page, id, /^(Share on the public list|Make private)/)
        await message.hover()
        await page.clock.fastForward("00:11")
        expect(await message.count()).toBe(1)
        await page.mouse.move(900, 300)
        await page.clock.fastForward("00:02")
        await message.waitFor({ state: "detached" })
        await press(page, id, /^(Share on the public list|Make private)/)
        await message.getByRole("button", { name: "Dismiss" }).press("Enter")
        await message.waitFor({ state: "detached" })
        expect(await focusedCard(page)).toBe(id)
      }))

    long(test)("never cover the focused card", async () => {
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
          for (const name of ["Category…", "Tags…"]) {
            await card(page, id)
              .getByRole("button", { name: `More for ${title}` })
              .click()
            await menuOf(page).getByRole("menuitem", { name }).click()
            await dialogOf(page)
              .getByRole("heading", { name: /^(Category|Tags)/ })
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
          for (const key of ["c", "m", "t"]) {
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
          for (const key of ["c", "t"]) {
            await card(page, id).focus()
            await page.keyboard.press(key)
            await dialogOf(page).waitFor()
            await check(page)
            const box = await dialogOf(page).boundingBox()
            const size = page.viewportSize()
            if (device === phone) expect((box?.y ?? 0) + (box?.height ?? 0)).toBe(size?.height ?? -1)
            await page.keyboard.press("Escape")
            await gone(page)
          }
        },
        { device }
      )
    )
  })
})
