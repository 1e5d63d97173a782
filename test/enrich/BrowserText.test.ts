import { describe, expect, test } from "bun:test"
import { type BrowserText, clearlyLonger } from "../../src/domain/BrowserPage.ts"
import { blankPage, type Page } from "../../src/domain/Link.ts"
import { withBrowserText } from "../../src/enrich/BrowserText.ts"

const url = new URL("https://news.example.org/quokkas")
const words = (length: number, word = "word ") =>
  word.repeat(Math.ceil(length / word.length)).slice(0, length)

const pageOf = (more: Partial<Page>): Page => ({ ...blankPage(url.href), ...more })
const textOf = (more: Partial<BrowserText>): BrowserText => ({
  title: "Counting quokkas",
  description: "How many.",
  text: words(5_000, "seen "),
  article: "<p>seen</p>",
  author: "Ada",
  language: "en",
  ...more
})
const fetched = (more: Partial<Page>) => ({
  page: pageOf(more),
  fellBack: [],
  mayPass: false,
  failures: []
})
const failed = (kind: "blocked" | "lasting" | "passing") => ({
  page: pageOf({}),
  fellBack: ["page" as const],
  mayPass: kind === "passing",
  failures: [{ source: "page" as const, kind, reason: "A reason" }]
})

describe("withBrowserText", () => {
  for (const kind of ["blocked", "lasting"] as const)
    test(`takes the browser's page for one whose failure is ${kind}, which then counts as read`, () =>
      expect(withBrowserText(url, failed(kind), textOf({}))).toEqual({
        page: pageOf({ ...textOf({}) }),
        fellBack: [],
        mayPass: false,
        failures: [],
        fromBrowser: "instead"
      }))

  test("keeps a failure that may pass, so that the site is asked again", () =>
    expect(withBrowserText(url, failed("passing"), textOf({}))).toEqual({
      ...failed("passing"),
      page: pageOf({ ...textOf({}) }),
      fromBrowser: "instead"
    }))

  test("takes clearly more text, and leaves the other fields to the site", () => {
    const page = { title: "Opening", description: "The site's.", author: "Eve", image: "https://e.org/i.png" }
    expect(withBrowserText(url, fetched({ ...page, text: words(3_000) }), textOf({}))).toMatchObject({
      fromBrowser: "more",
      page: {
        ...page,
        title: "Counting quokkas",
        text: textOf({}).text,
        article: "<p>seen</p>",
        language: "en"
      }
    })
  })

  for (const [fetchedLength, length] of [
    [5_000, 5_000],
    [4_000, 5_000],
    [300, 490],
    [5_000, 100],
    [5_000, 0]
  ] as const)
    test(`keeps ${fetchedLength} characters of the site rather than ${length} of the browser`, () => {
      const read = fetched({ title: "The site's", text: words(fetchedLength) })
      expect(withBrowserText(url, read, textOf({ text: words(length) }))).toEqual(read)
    })

  for (const [site, browser, title] of [
    [null, "Counting quokkas", "Counting quokkas"],
    ["Island News", "Counting quokkas - Island News", "Counting quokkas"],
    ["news.example.org", "(3) Counting quokkas", "Counting quokkas"],
    ["Counting quokkas", "Counting quokkas | Ads | Island News", "Counting quokkas"],
    ["Island News", "Island News", "Island News"],
    ["Counting quokkas", null, "Counting quokkas"]
  ] as const)
    test(`chooses the title ${JSON.stringify(title)} of ${JSON.stringify(site)} and ${JSON.stringify(browser)}`, () => {
      const read = fetched({ title: site, siteName: "Island News", text: words(5_000) })
      expect(withBrowserText(url, read, textOf({ title: browser })).page.title).toBe(title)
    })

  test("keeps the title of a page whose browser says only the site's name", () => {
    const read = fetched({ title: "Counting quokkas", siteName: "Island News", text: words(100) })
    expect(withBrowserText(url, read, textOf({ title: "Island News" }))).toMatchObject({
      fromBrowser: "more",
      page: { title: "Counting quokkas" }
    })
  })

  test("changes nothing without a page of the browser", () =>
    expect(withBrowserText(url, failed("blocked"), undefined)).toEqual(failed("blocked")))
})

test("clearlyLonger is half as much again, and more for short texts", () =>
  expect([0, 1, 400, 401, 10_000].map(clearlyLonger)).toEqual([1, 201, 600, 602, 15_000]))
