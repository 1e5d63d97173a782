import { describe, expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { extractText, getDocumentProxy } from "unpdf"
import { until } from "../support/service.ts"
import { testAccessibility } from "./support/accessibility.ts"
import { linkWithPage } from "./support/articles.ts"
import { card, dashboardOf, pressKeys } from "./support/dashboard.ts"
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

const library = useLibrary(() =>
  TITLES.map((title) => {
    const link = linkWithPage(title, { html: articleOf(title) })
    return link.page === undefined
      ? link
      : { ...link, earlierPages: [{ ...link.page, html: earlier(title) }] }
  })
)
const { links, lookAt, mutate } = dashboardOf(library, ".reader-frame[data-shown=true]")
const list = dashboardOf(library)

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

/** Makes every link unread again. */
const startOver = async () => {
  const ids = (await allLinks()).map(({ id }) => id)
  await mutate({ op: "state", ids, state: "unread" })
}

describe("the position in an article", () => {
  test("is kept and resumed at the same text, on a screen of another width too", async () => {
    const id = await idOf("First article")
    const path = await pathOf("First article")
    const before = await lookAt(async (page) => {
      await scrollTo(page, 0.4)
      await until(() => page.getByRole("progressbar", { name: "Read" }).getAttribute("aria-valuenow"), 5)
      await Bun.sleep(400)
      const seen = numberIn(await firstVisible(page))
      await leave(page)
      return seen
    }, path)
    const kept = await until(() => positionOf(id), 10)
    expect(kept?.at).toBeWithin(0.3, 0.5)
    expect(before).toBeGreaterThan(10)
    for (const width of [1440, 420])
      await lookAt(
        async (page) => {
          await until(async () => Math.abs(numberIn(await firstVisible(page)) - before) <= 1, 10)
        },
        path,
        { device: { viewport: { width, height: 900 } } }
      )
    // Opening it has not moved it.
    expect(await positionOf(id)).toEqual(kept)
    expect((await links("q=is:started")).map((link) => link.id)).toEqual([id])
  })

  test("stays at its text when the lines move", async () => {
    await lookAt(
      async (page) => {
        await scrollTo(page, 0.6)
        await Bun.sleep(400)
        const before = numberIn(await firstVisible(page))
        await page.keyboard.press("+")
        await page.keyboard.press("+")
        await until(async () => Math.abs(numberIn(await firstVisible(page)) - before) <= 1, 5)
        await page.setViewportSize({ width: 600, height: 800 })
        await until(async () => Math.abs(numberIn(await firstVisible(page)) - before) <= 1, 5)
      },
      await pathOf("Second article")
    )
  })

  test("of another device is offered once the page is looked at again", async () => {
    const id = await idOf("Third article")
    await lookAt(
      async (page) => {
        await scrollTo(page, 0.2)
        await until(() => positionOf(id), 10)
        await library().client.owner("PUT", `/api/links/${id}/position`, { at: 0.8, offset: 9_000 })
        await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")))
        await page.getByText("You have read to 80 % elsewhere.").waitFor()
        await page.getByRole("button", { name: "Go there" }).click()
        await until(async () => numberIn(await firstVisible(page)) > 40, 5)
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
        await until(async () => (await linkOf(id))?.state === "read", 20)
        await page.getByRole("button", { name: "Undo" }).click()
        await until(async () => (await linkOf(id))?.state === "unread", 10)
        await end.getByRole("button", { name: "Archive" }).click()
        await until(async () => (await linkOf(id))?.state === "archived", 10)
        await end.getByRole("link").click()
        await page.locator(`.reader-frame[data-shown=true]:not([title="First article"])`).waitFor()
      },
      await pathOf("First article")
    )
  })

  test("follows the list that the reader was opened from", async () => {
    await startOver()
    const [first, second, third] = await links()
    await list.look(async (page) => {
      await card(page, second?.id ?? 0).focus()
      await pressKeys(page, "v")
      await page.locator(`.reader-frame[data-shown=true][title="${second?.title}"]`).waitFor()
      await pressKeys(page, "n")
      await page.locator(`.reader-frame[data-shown=true][title="${third?.title}"]`).waitFor()
      await pressKeys(page, "n")
      await page.locator(`.reader-frame[data-shown=true][title="${first?.title}"]`).waitFor()
      // Back leaves the reader at once.
      await pressKeys(page, "Escape")
      await card(page, second?.id ?? 0).waitFor()
    })
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
        await until(async () => (await top()) > 400, 5)
        await pressKeys(page, "Shift+Space")
        await until(async () => (await top()) === 0, 5)
        await page.frameLocator(".reader-frame").locator("#article p").first().click()
        await pressKeys(page, "j", "j")
        await until(async () => (await top()) > 100, 5)
        const id = await idOf("First article")
        await pressKeys(page, "f")
        await until(async () => (await linkOf(id))?.favorite === true, 10)
        await pressKeys(page, "f")
        await until(async () => (await linkOf(id))?.favorite === false, 10)
      },
      await pathOf("First article"),
      { reducedMotion: true }
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
    await list.lookAt(async (page) => {
      await page.addInitScript(fakeSpeech)
      await page.goto(await pathOf("Third article"))
      await page.locator(".reader-frame[data-shown=true]").waitFor()
      await scrollTo(page, 0.5)
      await Bun.sleep(300)
      const at = numberIn(await firstVisible(page))
      await page.getByRole("button", { name: "Listen", exact: true }).click()
      const controls = page.getByRole("region", { name: "Listen" })
      await until(async () => (await said(page)).length > 3, 10)
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
      await until(async () => (await said(page)).length > paused, 5)
      expect((await said(page))[paused]).toStartWith("1.5 en-GB: Paragraph ")
      await controls.getByRole("button", { name: "Stop listening" }).click()
      await controls.waitFor({ state: "detached" })
    })
  })

  test("is not offered by a browser without voices", async () => {
    await lookAt(
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
    await list.lookAt(
      async (page, problems) => {
        problems.expect(/ERR_INTERNET_DISCONNECTED|ERR_FAILED|Failed to fetch/)
        await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
        await page.goto(path)
        await until(() => isKept(page, id), 20)
        const before = await positionOf(id)
        await page.context().setOffline(true)
        await page.reload()
        await page.locator(".reader-frame[data-shown=true]").waitFor()
        await page.frameLocator(".reader-frame").getByText(LAST).waitFor()
        await scrollTo(page, 0.3)
        // The last report of a page that is left would be sent all the same: the browser's switch does not hold for it.
        await Bun.sleep(5_000)
        await page.goto(other)
        await page.getByText("The link could not be loaded").waitFor()
        await page.goto("/dashboard")
        await page.getByRole("link", { name: /^First article/ }).waitFor()
        expect(await positionOf(id)).toEqual(before)
        await page.context().setOffline(false)
        await until(async () => Math.abs(((await positionOf(id))?.at ?? 0) - 0.3) < 0.05, 20)
        // A deleted link leaves nothing here.
        await mutate({ op: "delete", ids: [id] })
        await until(async () => !(await isKept(page, id)), 20)
        await mutate({ op: "restore", ids: [id] })
      },
      "/dashboard",
      { serviceWorker: true }
    )
  })

  test("is off at the owner's choice, which removes what was kept", async () => {
    const id = await idOf("Second article")
    const path = await pathOf("Second article")
    await list.lookAt(
      async (page) => {
        await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
        await page.goto(path)
        await until(() => isKept(page, id), 20)
        await page.goto("/dashboard/settings")
        await page.getByRole("checkbox", { name: /^Keep opened pages/ }).uncheck()
        await until(async () => !(await isKept(page, id)), 10)
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
  test("show its kept page, and the next link's as the list is walked", async () => {
    const [first, second] = await links()
    await list.lookAt(async (page) => {
      const pane = page.getByRole("complementary", { name: "Details" })
      await pane.getByRole("button", { name: "Show the page" }).click()
      await pane.locator(`.reader-frame[data-shown=true][title="${first?.title}"]`).waitFor()
      await pane.getByRole("button", { name: "Next link" }).click()
      await pane.locator(`.reader-frame[data-shown=true][title="${second?.title}"]`).waitFor()
      await pane.getByRole("link", { name: "Read here" }).click()
      await page.waitForURL(`**/dashboard/read/${second?.id}`)
    }, `/dashboard?link=${first?.id}`)
  })
})

testAccessibility(async (device, check) => {
  const id = await idOf("Second article")
  await list.lookAt(
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
      await check(page, "reading-version")
      await page.getByRole("button", { name: "What changed" }).click()
      await page.locator("ins").first().waitFor()
      await check(page, "reading-changes")
      await page.goto(`/dashboard?link=${id}`)
      await page.getByRole("button", { name: "Show the page" }).click()
      await page.locator(".reader-frame[data-shown=true]").waitFor()
      await check(page, "reading-details")
      await page.goto("/dashboard/settings")
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
    await lookAt(async (page) => {
      for (const from of [path, `${path}/document`]) {
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
