import { describe, expect, test } from "bun:test"
import type { Frame, Page } from "playwright-core"
import { extractText, getDocumentProxy } from "unpdf"
import { articleText } from "../../src/domain/Article.ts"
import type { Highlight } from "../../web/app/api.ts"
import { found } from "../support/links.ts"
import { until } from "../support/service.ts"
import { byTier, isLong, long, sampleOf } from "../support/tier.ts"
import { testAccessibility } from "./support/accessibility.ts"
import { linksWithPages, linkWithPage } from "./support/articles.ts"
import { assertAccessible } from "./support/axe.ts"
import { phone, visit } from "./support/browser.ts"
import { card, pressKeys } from "./support/dashboard.ts"
import { journeyOf } from "./support/journey.ts"
import { useLibrary } from "./support/useLibrary.ts"

const TITLES = ["First article", "Second article", "Third article"] as const
const LAST = "This is the last paragraph of the article."

const articleOf = (title: string) =>
  `${Array.from(
    { length: 60 },
    (_, n) =>
      `<p>Paragraph ${n + 1} of the ${title.toLowerCase()}. It has a few sentences, so that it fills some lines. The boats came back one after the other, and with them the noise of winches, gulls and a radio somewhere.</p>`
  ).join("")}<p>${LAST}</p>`

const earlier = (title: string) =>
  articleOf(title)
    .replace("Paragraph 3 of the", "Paragraph three of the")
    .replace("<p>Paragraph 7 ", "<p>A paragraph that was taken out later.</p><p>Paragraph 7 ")

const bare = { ...linkWithPage("Not kept", { html: "" }), found: found({ title: "Not kept" }) }
const { page: _, ...unkept } = bare

/** The tag of the articles with earlier versions. */
const SERIAL = "serial"
const serials = TITLES.map((title) => {
  const link = { ...linkWithPage(title, { html: articleOf(title) }), tags: [SERIAL] }
  return link.page === undefined ? link : { ...link, earlierPages: [{ ...link.page, html: earlier(title) }] }
})
const short = linksWithPages.filter(({ page }) => page?.title !== "A long article")
const library = useLibrary(() => [...short, unkept, ...serials])
const { fresh, links, lookAt, mutate } = journeyOf(
  library,
  ".card, .reader-frame[data-shown=true], .reader .notice h2, main .page"
)
const serialLinks = () => links(`tag=${SERIAL}`)

/** Every link, archived ones too. */
const allLinks = () => links("q=is:unread%20or%20is:read%20or%20is:archived")
const linkOf = async (id: number) => (await allLinks()).find((link) => link.id === id)

const idOf = async (title: string) => {
  const found = (await allLinks()).find((link) => link.title === title)
  if (found === undefined) throw new Error(`there is no link ${title}`)
  return found.id
}
const pathOf = async (title: string) => `/dashboard/read/${await idOf(title)}`

interface Position {
  readonly at: number
  readonly offset: number
}
const positionOf = async (id: number): Promise<Position | null> =>
  (await (await library().client.owner("GET", `/api/links/${id}/position`)).json()).position

/** Scrolls the document to a part of it, from 0 to 1. */
const scrollTo = (page: Page, part: number) =>
  page.locator(".reader-frame").evaluate((frame, part) => {
    if (!(frame instanceof HTMLIFrameElement)) return
    const root = frame.contentDocument?.documentElement
    frame.contentWindow?.scrollTo(0, ((root?.scrollHeight ?? 0) - (root?.clientHeight ?? 0)) * part)
  }, part)

/** The text of the first paragraph that is wholly visible. */
const firstVisible = (page: Page) =>
  page.locator(".reader-frame").evaluate((frame) => {
    if (!(frame instanceof HTMLIFrameElement)) return ""
    const all = [...(frame.contentDocument?.querySelectorAll("#article p") ?? [])]
    return all.find((one) => one.getBoundingClientRect().top >= 0)?.textContent?.split(".")[0] ?? ""
  })
const numberIn = (text: string) => Number(/Paragraph (\d+)/.exec(text)?.[1])

/** Leaves the page, which sends its position. */
const leave = (page: Page) => page.goto("about:blank")

/** Makes the serial articles unread again. */
const startOver = async () => {
  const ids = (await allLinks()).filter(({ tags }) => tags.includes(SERIAL)).map(({ id }) => id)
  await mutate({ op: "state", ids, state: "unread" })
}

/** Waits until the article of this title is shown. */
const shown = (page: Page, title: string) =>
  page.locator(`.reader-frame[data-shown=true][title="${title}"]`).waitFor()

/** Waits until the reader shows that as many percent are read. */
const hasRead = (page: Page, percent: number) =>
  until(
    async () =>
      Number(await page.getByRole("progressbar", { name: "Read" }).getAttribute("aria-valuenow")) >= percent
  )

/**
 * Waits until the reader has noted where it was scrolled to, which it does a moment after the last movement: its timer
 * was set before this one in the same page and is shorter, so that it ends first however slow the page is.
 */
const hasNoted = (page: Page) => page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 250)))

const rich = "The harbour in spring"

const read = async (title: string, body: (page: Page) => Promise<unknown>, view = {}) =>
  lookAt(body, await pathOf(title), view)

const dataset = (page: Page) =>
  page.evaluate(() => ({ ...document.querySelector("iframe")?.contentDocument?.documentElement.dataset }))
const article = (page: Page) => page.frameLocator(".reader-frame").locator("#article")

describe("the position in an article", () => {
  test("is kept and resumed at the same text, on a screen of another width too", async () => {
    const id = await idOf("First article")
    const path = await pathOf("First article")
    const before = await lookAt(async (page) => {
      await scrollTo(page, 0.4)
      await hasRead(page, 30)
      await hasNoted(page)
      const seen = numberIn(await firstVisible(page))
      await leave(page)
      return seen
    }, path)
    const kept = await until(() => positionOf(id))
    expect(kept?.at).toBeWithin(0.3, 0.5)
    expect(before).toBeGreaterThan(10)
    for (const width of byTier([420], [1440, 420]))
      await fresh(
        async (page) => {
          await until(async () => Math.abs(numberIn(await firstVisible(page)) - before) <= 1)
        },
        path,
        { device: { viewport: { width, height: 900 } } }
      )
    // Opening it has not moved it.
    expect(await positionOf(id)).toEqual(kept)
    const started = await links(`q=is:started&tag=${SERIAL}`)
    expect(started.map((link) => link.id)).toEqual([id])
  })

  long(test)("stays at its text when the lines move", async () => {
    await fresh(
      async (page) => {
        await scrollTo(page, 0.6)
        await hasRead(page, 50)
        await hasNoted(page)
        const before = numberIn(await firstVisible(page))
        await page.keyboard.press("+")
        await page.keyboard.press("+")
        await until(async () => Math.abs(numberIn(await firstVisible(page)) - before) <= 1)
        await page.setViewportSize({ width: 600, height: 800 })
        await until(async () => Math.abs(numberIn(await firstVisible(page)) - before) <= 1)
      },
      await pathOf("Second article")
    )
  })

  long(test)("of another device is offered once the page is looked at again", async () => {
    const id = await idOf("Third article")
    await fresh(
      async (page) => {
        await scrollTo(page, 0.2)
        await until(() => positionOf(id))
        await library().client.owner("PUT", `/api/links/${id}/position`, { at: 0.8, offset: 9_000 })
        await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")))
        await page.getByText("You have read to 80 % elsewhere.").waitFor()
        await page.getByRole("button", { name: "Go there" }).click()
        await until(async () => numberIn(await firstVisible(page)) > 40)
      },
      await pathOf("Third article")
    )
  })
})

describe("the end of an article", () => {
  test("marks the link as read after some time, which can be undone, and leads to the next unread one", async () => {
    await startOver()
    const id = await idOf("First article")
    await lookAt(
      async (page) => {
        await scrollTo(page, 1)
        const end = page.getByRole("region", { name: "End of the page" })
        await end.waitFor()
        expect((await linkOf(id))?.state).toBe("unread")
        const undo = page.getByRole("button", { name: "Undo" })
        await undo.waitFor()
        await until(async () => (await linkOf(id))?.state === "read")
        await undo.click()
        await until(async () => (await linkOf(id))?.state === "unread")
        await end.getByRole("button", { name: "Archive" }).click()
        await until(async () => (await linkOf(id))?.state === "archived")
        await end.getByRole("link").click()
        await page.locator(`.reader-frame[data-shown=true]:not([title="First article"])`).waitFor()
      },
      await pathOf("First article")
    )
  })

  test("follows the list that the reader was opened from with a card's key, and takes keys within the text", async () => {
    await startOver()
    const [first, second, third] = await serialLinks()
    await lookAt(async (page) => {
      await card(page, second?.id ?? 0).focus()
      await pressKeys(page, "v")
      await shown(page, second?.title ?? "")
      await article(page).click({ position: { x: 2, y: 2 } })
      await pressKeys(page, "+")
      expect((await dataset(page))["size"]).toBe("4")
      await pressKeys(page, "n")
      await shown(page, third?.title ?? "")
      await pressKeys(page, "n")
      await shown(page, first?.title ?? "")
      // Back leaves the reader at once.
      await pressKeys(page, "Escape")
      await card(page, second?.id ?? 0).waitFor()
    }, `/dashboard?tag=${SERIAL}`)
  })
})

describe("keys", () => {
  test("scroll the document, also while it has the focus", async () => {
    await lookAt(
      async (page) => {
        const top = () =>
          page
            .locator(".reader-frame")
            .evaluate((frame) =>
              frame instanceof HTMLIFrameElement ? (frame.contentWindow?.scrollY ?? 0) : 0
            )
        await pressKeys(page, "Space")
        await until(async () => (await top()) > 400)
        await pressKeys(page, "Shift+Space")
        await until(async () => (await top()) === 0)
        await page.frameLocator(".reader-frame").locator("#article p").first().click()
        await pressKeys(page, "j", "j")
        await until(async () => (await top()) > 100)
        const id = await idOf("First article")
        await pressKeys(page, "f")
        await until(async () => (await linkOf(id))?.favorite === true)
        await pressKeys(page, "f")
        await until(async () => (await linkOf(id))?.favorite === false)
      },
      await pathOf("First article")
    )
  })
})

describe("sharing a page", () => {
  test("makes an address that a stranger can open until it is ended", async () => {
    await lookAt(
      async (page) => {
        await page.getByRole("button", { name: "More", exact: true }).click()
        await page.getByRole("button", { name: "Share this page…" }).click()
        const dialog = page.getByRole("dialog", { name: "Share this page" })
        await dialog.getByLabel("For").selectOption("7 days")
        await dialog.getByRole("button", { name: "Make an address" }).click()
        const address = (await dialog.getByRole("link").getAttribute("href")) ?? ""
        expect(new URL(address).pathname).toMatch(/^\/s\/.+/)
        const read = () => fetch(new URL(new URL(address).pathname, library().base))
        expect(await (await read()).text()).toContain(LAST)
        await dialog.getByRole("button", { name: /^End the address/ }).click()
        await until(async () => (await read()).status === 404)
        await dialog.getByRole("button", { name: "Make an address" }).waitFor()
      },
      await pathOf("First article")
    )
  })
})

describe("versions", () => {
  test("are listed, shown with a banner, and compared word by word", async () => {
    await lookAt(
      async (page) => {
        await page.getByRole("button", { name: "More", exact: true }).click()
        await page.getByRole("button", { name: "Versions…" }).click()
        const dialog = page.getByRole("dialog", { name: "Versions" })
        await dialog.getByRole("listitem").nth(1).getByRole("button").click()
        await page.getByText("This is an earlier version").waitFor()
        const frame = page.frameLocator(".reader-frame")
        await frame.getByText("A paragraph that was taken out later.").waitFor()
        await page.getByRole("button", { name: "What changed" }).click()
        const changes = page.getByRole("dialog", { name: "What changed" })
        await changes.locator("del", { hasText: "A paragraph that was taken out later." }).waitFor()
        expect(await changes.locator("del", { hasText: /^three$/ }).count()).toBe(1)
        expect(await changes.locator("ins", { hasText: /^3$/ }).count()).toBe(1)
        await changes.getByRole("button", { name: "Close" }).click()
        await page.getByRole("button", { name: "Show the current version" }).click()
        await page.getByText("This is an earlier version").waitFor({ state: "detached" })
        await frame.getByText("Paragraph 3 of the").waitFor()
      },
      await pathOf("Second article")
    )
  })
})

/** Runs in the page: a browser with two voices, which say at once what they are given. */
const fakeSpeech = () => {
  const said: Array<string> = []
  const voices = ["en-GB", "de-DE"].map((lang) => ({
    name: `Voice ${lang}`,
    lang,
    voiceURI: lang,
    localService: true,
    default: false
  }))
  let isCancelled = false
  class Utterance extends EventTarget {
    readonly text: string
    onend: (() => void) | null = null
    voice = null
    lang = ""
    rate = 1
    constructor(text: string) {
      super()
      this.text = text
    }
  }
  const synthesis = Object.assign(new EventTarget(), {
    getVoices: () => voices,
    cancel: () => {
      isCancelled = true
    },
    speak: (utterance: Utterance) => {
      isCancelled = false
      said.push(`${utterance.rate} ${utterance.lang}: ${utterance.text}`)
      setTimeout(() => !isCancelled && utterance.onend?.(), 50)
    }
  })
  Object.defineProperty(window, "speechSynthesis", { value: synthesis })
  Object.assign(window, { SpeechSynthesisUtterance: Utterance, said })
}
declare global {
  interface Window {
    readonly said: ReadonlyArray<string>
  }
}

describe("listening", () => {
  const said = (page: Page) => page.evaluate(() => [...window.said])

  test("says the article from where it is read, marks the paragraph, pauses and stops", async () => {
    await fresh(async (page) => {
      await page.addInitScript(fakeSpeech)
      await page.goto(await pathOf("Third article"))
      await page.locator(".reader-frame[data-shown=true]").waitFor()
      await scrollTo(page, 0.5)
      await hasRead(page, 40)
      const at = numberIn(await firstVisible(page))
      await page.getByRole("button", { name: "Listen", exact: true }).click()
      const controls = page.getByRole("region", { name: "Listen" })
      await until(async () => (await said(page)).length > 3)
      const [first = ""] = await said(page)
      expect(first).toStartWith("1 en-GB: ")
      expect(Math.abs(numberIn(first) - at)).toBeLessThanOrEqual(1)
      const marked = await page
        .locator(".reader-frame")
        .evaluate((frame) =>
          frame instanceof HTMLIFrameElement
            ? String([...(frame.contentWindow?.window.CSS.highlights.get("spoken") ?? [])][0])
            : ""
        )
      expect(marked).toStartWith("Paragraph ")
      await controls.getByRole("button", { name: "Pause" }).click()
      const paused = (await said(page)).length
      await Bun.sleep(300)
      expect((await said(page)).length).toBe(paused)
      await controls.getByRole("combobox", { name: "Rate" }).selectOption("1.5")
      await controls.getByRole("button", { name: "Next paragraph" }).click()
      await controls.getByRole("button", { name: "Play" }).click()
      await until(async () => (await said(page)).length > paused)
      expect((await said(page))[paused]).toStartWith("1.5 en-GB: Paragraph ")
      await controls.getByRole("button", { name: "Stop listening" }).click()
      await controls.waitFor({ state: "detached" })
    })
  })

  long(test)("is not offered by a browser without voices", async () => {
    await fresh(
      async (page) => {
        expect(await page.getByRole("button", { name: "Listen", exact: true }).count()).toBe(0)
      },
      await pathOf("Third article")
    )
  })
})

/** Whether this browser keeps the article of a link. */
const isKept = (page: Page, id: number) =>
  page.evaluate(
    async (path) =>
      (await caches.has("linkbower-articles")) &&
      (await (await caches.open("linkbower-articles")).match(path, { ignoreVary: true })) !== undefined,
    `/dashboard/api/links/${id}`
  )

describe("reading offline", () => {
  test("works for an article that was opened, and what is read is sent later", async () => {
    const id = await idOf("First article")
    const other = await pathOf("Second article")
    const path = await pathOf("First article")
    await fresh(
      async (page, problems) => {
        problems.expect(/ERR_INTERNET_DISCONNECTED|ERR_FAILED|Failed to fetch/)
        await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
        await page.goto(path)
        await until(() => isKept(page, id))
        const before = await positionOf(id)
        await page.context().setOffline(true)
        await page.reload()
        await page.locator(".reader-frame[data-shown=true]").waitFor()
        await page.frameLocator(".reader-frame").getByText(LAST).waitFor()
        const reported = page.waitForEvent("requestfailed", (request) => request.url().endsWith("/position"))
        await scrollTo(page, 0.3)
        // The last report of a page that is left would be sent all the same: the browser's switch does not hold for it.
        await reported
        await page.goto(other)
        await page.getByText("The link could not be loaded").waitFor()
        await page.goto("/dashboard")
        await page.getByRole("link", { name: /^First article/ }).waitFor()
        expect(await positionOf(id)).toEqual(before)
        await page.context().setOffline(false)
        await until(async () => Math.abs(((await positionOf(id))?.at ?? 0) - 0.3) < 0.05)
        // A deleted link leaves nothing here.
        await mutate({ op: "delete", ids: [id] })
        await until(async () => !(await isKept(page, id)))
        await mutate({ op: "restore", ids: [id] })
      },
      "/dashboard",
      { serviceWorker: true }
    )
  })

  long(test)("is off at the owner's choice, which removes what was kept", async () => {
    const id = await idOf("Second article")
    const path = await pathOf("Second article")
    await fresh(
      async (page) => {
        await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
        await page.goto(path)
        await until(() => isKept(page, id))
        await page.goto("/dashboard/settings#reading")
        await page.getByRole("checkbox", { name: /^Keep opened pages/ }).uncheck()
        await until(async () => !(await isKept(page, id)))
        await page.goto(path)
        await page.locator(".reader-frame[data-shown=true]").waitFor()
        await Bun.sleep(2_500)
        expect(await isKept(page, id)).toBe(false)
      },
      "/dashboard",
      { serviceWorker: true }
    )
  })
})

describe("the details of a link", () => {
  long(test)("show its kept page, and the next link's as the list is walked", async () => {
    const [first, second] = await serialLinks()
    await fresh(async (page) => {
      const pane = page.getByRole("complementary", { name: "Details" })
      await pane.getByRole("button", { name: "Show the page" }).click()
      await pane.locator(`.reader-frame[data-shown=true][title="${first?.title}"]`).waitFor()
      await pane.getByRole("button", { name: "Next link" }).click()
      await pane.locator(`.reader-frame[data-shown=true][title="${second?.title}"]`).waitFor()
      await pane.getByRole("link", { name: "Read", exact: true }).click()
      await page.waitForURL(`**/dashboard/read/${second?.id}`)
    }, `/dashboard?tag=${SERIAL}&link=${first?.id}`)
  })
})

long(testAccessibility)(async (device, check) => {
  const id = await idOf("Second article")
  await fresh(
    async (page) => {
      await page.addInitScript(fakeSpeech)
      await page.goto(`/dashboard/read/${id}`)
      await page.locator(".reader-frame[data-shown=true]").waitFor()
      await page.getByRole("button", { name: "Listen", exact: true }).click()
      await page.getByRole("button", { name: "Pause" }).click()
      await scrollTo(page, 1)
      await page.getByRole("region", { name: "End of the page" }).waitFor()
      await check(page, "reading-end")
      await page.goto(`/dashboard/read/${id}?version=1`)
      await page.getByText("This is an earlier version").waitFor()
      await page.locator(".reader-frame[data-shown=true]").waitFor()
      if (isLong) await check(page, "reading-version")
      await page.getByRole("button", { name: "What changed" }).click()
      await page.locator("ins").first().waitFor()
      await check(page, "reading-changes")
      if (!isLong) return
      await page.goto(`/dashboard?link=${id}`)
      await page.getByRole("button", { name: "Show the page" }).click()
      await page.locator(".reader-frame[data-shown=true]").waitFor()
      await check(page, "reading-details")
      await page.goto("/dashboard/settings#reading")
      await page.getByRole("checkbox", { name: /^Keep opened pages/ }).waitFor()
      await check(page, "reading-settings")
    },
    "/dashboard",
    { device }
  )
}, "reading")

describe("printing", () => {
  test("has the whole article, from the reader and from its document", async () => {
    const path = await pathOf("First article")
    // In a tab of its own: after a print, the whole Chromium no longer loads what the next test asks for.
    await fresh(async (page) => {
      for (const from of byTier([path], [path, `${path}/document`])) {
        if (from !== path) await page.goto(from)
        const document = await getDocumentProxy(new Uint8Array(await page.pdf()))
        const { text } = await extractText(document, { mergePages: true })
        expect([from, document.numPages > 3]).toEqual([from, true])
        for (const part of ["First article", "reading.example", LAST])
          expect(text.replace(/\s+/g, " ")).toContain(part)
      }
    }, path)
  })
})

describe("the reader", () => {
  test("shows the article, whose text is what positions count in", () =>
    lookAt(async (page) => {
      for (const { page: kept } of sampleOf(linksWithPages.slice(0, 5), 2)) {
        await page.goto(await pathOf(kept?.title ?? ""))
        await shown(page, kept?.title ?? "")
        expect(await article(page).evaluate((shown) => shown.textContent)).toBe(articleText(kept?.html ?? ""))
      }
    }))

  test("colours code without a change of its text, and sets texts as chosen, at once and on the next visit", () =>
    read(rich, async (page) => {
      const painted = () =>
        page.evaluate(() => {
          const view = document.querySelector("iframe")?.contentWindow
          const names = ["code-keyword", "code-string", "code-comment"]
          return names.map((name) => view?.document.defaultView?.CSS.highlights.get(name)?.size ?? 0)
        })
      await until(async () => (await painted()).every((size) => size > 0))
      expect(await article(page).locator("pre *:not(code)").count()).toBe(0)
      expect(await dataset(page)).toMatchObject({ size: "3", font: "serif", paper: "system" })
      await page.getByRole("button", { name: "Text", exact: true }).click()
      await page.getByText("Sepia", { exact: true }).click()
      await page.getByText("Sans", { exact: true }).click()
      await page.getByRole("button", { name: "Larger text" }).click()
      await page.getByLabel("Justify and hyphenate").check()
      const chosen = { size: "4", font: "sans", paper: "sepia", justified: "yes" }
      expect(await dataset(page)).toMatchObject(chosen)
      await page.reload()
      await page.locator(".reader-frame[data-shown=true]").waitFor()
      expect(await dataset(page)).toMatchObject(chosen)
    }))

  test("has contents that jump to a heading and mark the one that is read, if there are headings", () =>
    read("Three hundred headings", async (page) => {
      const items = page.getByRole("navigation", { name: "Contents" }).getByRole("button")
      expect(await items.count()).toBe(300)
      await items.nth(150).click()
      await until(async () => (await items.nth(150).getAttribute("aria-current")) === "true")
      await pressKeys(page, "i")
      await page.getByRole("navigation", { name: "Contents" }).waitFor({ state: "detached" })
      await page.goto(await pathOf("Without headings"))
      await shown(page, "Without headings")
      expect(await page.getByRole("button", { name: "Contents" }).count()).toBe(0)
    }))

  long(test)("enlarges a picture, and returns", () =>
    read(rich, async (page) => {
      await page
        .frameLocator(".reader-frame")
        .getByRole("button", { name: /^Enlarge: The harbour/ })
        .click()
      const box = page.getByRole("dialog", { name: "The harbour from the north pier" })
      await box.getByText("a week before the first boats came back").waitFor()
      await box.getByRole("button", { name: "Next picture" }).click()
      await page.getByRole("dialog", { name: "The tower" }).waitFor()
      await pressKeys(page, "Escape")
      await page.getByRole("dialog").waitFor({ state: "detached" })
    })
  )

  test("says where no page is kept and offers to read it again, and says that there is no such link", () =>
    lookAt(async (page, problems) => {
      problems.expect(/404/)
      await page.getByRole("heading", { name: "Link #99999 is not in the library" }).waitFor()
      await page.goto(await pathOf("Not kept"))
      await page.getByRole("heading", { name: "No copy of this page is kept" }).waitFor()
      expect(await page.getByRole("button", { name: "Read again" }).count()).toBe(1)
    }, "/dashboard/read/99999"))

  long(test)("fits a narrow screen and texts of twice the size", () =>
    read(
      rich,
      async (page) => {
        await page.setViewportSize({ width: 320, height: 640 })
        const overflow = () =>
          page.evaluate(() => {
            const inner = document.querySelector("iframe")?.contentDocument?.documentElement
            return [document.documentElement, inner].map(
              (one) => (one?.scrollWidth ?? 0) - (one?.clientWidth ?? 0)
            )
          })
        expect(await overflow()).toEqual([0, 0])
        for (let at = 0; at < 5; at++) await pressKeys(page, "+")
        expect(await overflow()).toEqual([0, 0])
      },
      { device: phone }
    )
  )
})

describe("the reader's page", () => {
  long(testAccessibility)(
    (device, check) =>
      read(
        rich,
        async (page) => {
          if (isLong) await check(page, "reader")
          await page.getByRole("button", { name: "Text", exact: true }).click()
          await check(page, "reader-text")
        },
        { device }
      ),
    "with its panels"
  )

  long(test)("has a document that is accessible by itself, in light and dark", async () => {
    const id = await idOf(rich)
    for (const colorScheme of byTier(["dark"] as const, ["light", "dark"] as const))
      await visit(await library().owner({ colorScheme }), async (page) => {
        await page.goto(`/dashboard/read/${id}/document`)
        await assertAccessible(page)
      })
  })
})

const highlightsOf = async (id: number): Promise<ReadonlyArray<Highlight>> =>
  (await (await library().client.owner("GET", `/api/links/${id}/highlights`)).json()).highlights

const add = async (id: number, highlight: Partial<Highlight>) =>
  (await (await library().client.owner("POST", `/api/links/${id}/highlights`, highlight)).json()).highlight

const frameOf = async (page: Page): Promise<Frame> => {
  const frame = await (await page.locator("iframe").elementHandle())?.contentFrame()
  if (frame == null) throw new Error("the page has no frame")
  return frame
}

/** Selects a part of the article that is shown, as with the mouse. */
const select = async (page: Page, quote: string) =>
  (await frameOf(page)).evaluate((quote) => {
    const article = document.querySelector("#article")
    const walker = document.createTreeWalker(article ?? document, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const at = node.nodeValue?.indexOf(quote) ?? -1
      if (at < 0) continue
      const range = document.createRange()
      range.setStart(node, at)
      range.setEnd(node, at + quote.length)
      document.getSelection()?.removeAllRanges()
      document.getSelection()?.addRange(range)
      node.parentElement?.scrollIntoView({ block: "center" })
      return
    }
    throw new Error(`the article does not have “${quote}”`)
  }, quote)

/** The painted passages by colour. */
const painted = async (page: Page) =>
  (await frameOf(page)).evaluate(() =>
    Object.fromEntries(
      [...CSS.highlights].flatMap(([name, ranges]) => {
        const texts = [...ranges].map(String)
        return name.startsWith("highlight-") && texts.length > 0 ? [[name.slice(10), texts]] : []
      })
    )
  )

/** Waits until exactly these passages are painted. */
const waitForPainted = (page: Page, passages: Readonly<Record<string, ReadonlyArray<string>>>) =>
  until(async () => Bun.deepEquals(await painted(page), passages))

const first = "the long low hum of the generator"
const second = "where they break"

describe("highlights in the reader", () => {
  test("are made with the bar, the keyboard, and a note; changed by a click, and taken back", async () => {
    const id = await idOf("The harbour in spring")
    // Those of an earlier attempt.
    for (const one of await highlightsOf(id))
      await library().client.owner("DELETE", `/api/links/${id}/highlights/${one.id}`)
    await lookAt(async (page) => {
      await select(page, second)
      await page.getByRole("region", { name: "Selected text" }).waitFor()
      await page.getByRole("button", { name: "Highlight in green" }).click()
      await until(async () => (await highlightsOf(id)).length === 1 || undefined)
      await waitForPainted(page, { green: [second] })
      expect((await highlightsOf(id))[0]).toMatchObject({ quote: second, colour: "green", isLost: false })

      await select(page, first)
      await page.getByRole("region", { name: "Selected text" }).waitFor()
      await page.keyboard.press("h")
      await until(async () => (await highlightsOf(id)).length === 2 || undefined)
      await waitForPainted(page, { green: [second, first] })

      // A click on the passage edits it.
      const box = await (await frameOf(page)).evaluate((quote) => {
        const [range] = [...(CSS.highlights.get("highlight-green") ?? [])].filter(
          (one) => String(one) === quote
        )
        const { left, top } =
          range instanceof Range ? (range.getClientRects()[0] ?? new DOMRect()) : new DOMRect()
        return { x: left + 8, y: top + 8 }
      }, first)
      const frame = await page.locator("iframe").boundingBox()
      const dialog = page.getByRole("dialog", { name: "Highlight", exact: true })
      // The page may still be waiting for the number of a highlight that the service has already stored.
      await until(async () => {
        if (await dialog.isVisible()) return true
        await page.mouse.click((frame?.x ?? 0) + box.x, (frame?.y ?? 0) + box.y)
        return undefined
      })
      await dialog.getByRole("radio", { name: "Pink" }).check()
      await dialog.getByRole("textbox", { name: "Note" }).fill("It never stops.")
      await dialog.getByRole("button", { name: "Save" }).click()
      await until(async () => (await painted(page))["pink"]?.[0] === first || undefined)
      expect((await highlightsOf(id)).find(({ quote }) => quote === first)?.note).toBe("It never stops.")

      await page.getByRole("button", { name: "Undo", exact: true }).last().click()
      await until(async () => (await painted(page))["pink"] === undefined || undefined)
      await waitForPainted(page, { green: [second, first] })
    }, `/dashboard/read/${id}`)
  })

  test("are listed, those apart that the text does not have, and lead to their places", async () => {
    const id = await idOf("Without headings")
    const there = await add(id, { quote: "nobody had dared to switch off", colour: "blue" })
    await add(id, { quote: "A passage that was taken out of the page years ago", note: "Gone." })
    await lookAt(async (page) => {
      await page.getByRole("button", { name: "Highlights" }).click()
      const panel = page.getByRole("dialog", { name: "Highlights" })
      await panel.getByRole("heading", { name: "No longer in the text" }).waitFor()
      await panel.getByText("Gone.").waitFor()
      await panel.getByRole("button", { name: "nobody had dared" }).click()
      await panel.waitFor({ state: "hidden" })
    }, `/dashboard/read/${id}#highlight-${there.id}`)
  })
})

describe("the page of all highlights", () => {
  test("searches passages and notes, and narrows them by colour", async () => {
    const id = await idOf("One word")
    await add(id, { quote: "Yes.", colour: "pink", note: "An unmistakable answer" })
    await lookAt(async (page) => {
      const rows = page.locator(".highlight")
      await page.getByRole("searchbox", { name: "Search highlights" }).fill("unmistak")
      await page.getByText("1 highlight", { exact: true }).waitFor()
      expect(await rows.count()).toBe(1)
      await page.getByRole("button", { name: "Green", exact: true }).click()
      await page.getByText("No highlight matches “unmistak”.").waitFor()
      await page.getByRole("button", { name: "Clear filters" }).click()
      await rows.nth(1).waitFor()
    }, "/dashboard/highlights")
  })
})

testAccessibility(async (device, check) => {
  const id = await idOf("The harbour in spring")
  for (const [at, colour] of (["yellow", "green", "blue", "pink"] as const).entries())
    await add(id, {
      quote:
        [
          "about sixty-five characters a line",
          "winches, gulls, a radio",
          "in the first warm week",
          "A first paragraph"
        ][at] ?? "",
      colour,
      note: at === 1 ? "The sound of spring" : ""
    })
  await fresh(
    async (page) => {
      await select(page, second)
      await page.getByRole("region", { name: "Selected text" }).waitFor()
      await check(page, "highlights-reader")
      await page.keyboard.press("Escape")
    },
    `/dashboard/read/${id}`,
    { device }
  )
  if (isLong)
    await fresh(
      async (page) => {
        await page.getByRole("button", { name: "Highlights" }).click()
        await page
          .getByRole("dialog", { name: "Highlights" })
          .getByText("The sound of spring")
          .first()
          .waitFor()
        await check(page, "highlights-panel")
      },
      `/dashboard/read/${id}`,
      { device }
    )
  await fresh(
    async (page) => {
      await page.getByRole("button", { name: "Edit this highlight" }).first().click()
      await page.getByRole("dialog", { name: "Highlight", exact: true }).waitFor()
      await check(page, "highlights-dialog")
      await page.keyboard.press("Escape")
      if (isLong) await check(page, "highlights-page")
    },
    "/dashboard/highlights",
    { device }
  )
}, "what shows highlights")
