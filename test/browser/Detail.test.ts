import { describe, expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { until } from "../support/service.ts"
import { testAccessibility } from "./support/accessibility.ts"
import { phone, visit } from "./support/browser.ts"
import { clipboardText } from "./support/clipboard.ts"
import { card, dashboardOf, dialogOf, focusedCard, gone, pressKeys, standsOn } from "./support/dashboard.ts"
import { useLibrary } from "./support/useLibrary.ts"

const library = useLibrary(60)

const { finished, linkOf, links, look, lookAt, mutate, some } = dashboardOf(library)

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

  test("open with what the list knows, before anything is loaded", () =>
    look(async (page) => {
      const { id, url } = await some()
      await page.route(/\/api\/links(\/|\?)/, () => undefined)
      await card(page, id).focus()
      await pressKeys(page, "Space")
      await pane(page).getByText(url, { exact: true }).waitFor()
      await page.unrouteAll({ behavior: "ignoreErrors" })
    }))

  test("stay over a reload and at a shared address, for links beyond the list too", async () => {
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

  test("say when there is no such link", () =>
    lookAt(async (page, problems) => {
      problems.expect(/404/)
      await pane(page).getByText("There is no link #999999").waitFor()
    }, "/dashboard?link=999999"))

  test("show the whole texts, the page's text, similar links and the changes, which can be undone", () =>
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
    }))

  test("change the state, favorite, and copy the address", () =>
    look(
      async (page) => {
        const { id, url } = await some()
        await mutate({ op: "state", ids: [id], state: "unread" })
        await clickCard(page, id)
        await pane(page).getByRole("button", { name: "Copy the address" }).click()
        await page.getByText("Address copied.").waitFor()
        expect(await clipboardText(page)).toBe(url)
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

  test("follow a change made in another tab, and close when the link is deleted there", async () =>
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
      await pane(other).getByRole("button", { name: "Delete", exact: true }).click()
      await pane(page).waitFor({ state: "detached" })
    }))

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

  test("leave the card's own controls and selected text alone", () =>
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
    }))
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

  test("are pasted as a list, and Escape closes the suggestions before the dialog", () =>
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
    }))

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
  test("keeps the details readable and disables what needs the service", () =>
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
    }))
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
