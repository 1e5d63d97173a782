import { describe, expect, test } from "bun:test"
import { postPage } from "../../../../src/enrich/page/sites/Posts.ts"
import { sitePageOf } from "../../../../src/enrich/page/sites/SitePage.ts"

describe("a site's statements", () => {
  for (const [stated, date] of [
    ["2024-02-06", "2024-02-06"],
    ["2024-02-06T15:04:05.123Z", "2024-02-06T15:04:05.123Z"],
    ["2024-02-06T23:04:05-05:00", "2024-02-07T04:04:05.000Z"],
    ["2024-02-06 15:04:05 +0100", "2024-02-06T14:04:05.000Z"],
    ["2024-02-06T15:04:05", "2024-02-06"],
    ["2013-10-15 14:08:29", "2013-10-15"],
    ["Tue, 06 Feb 2024 15:04:05 GMT", "2024-02-06T15:04:05.000Z"],
    [1706000000, "2024-01-23T08:53:20.000Z"],
    ["February 6, 2024", "2024-02-06"],
    ["2024-02-30", undefined],
    ["2024-13-45T99:99:99Z", undefined],
    ["0001-01-01", undefined],
    ["9999-01-01", undefined],
    ["yesterday", undefined],
    ["", undefined],
    [1e300, undefined],
    [-1e12, undefined]
  ] as const)
    test(`have the date ${stated} as ${date}`, () => {
      expect(sitePageOf({ title: "x", publishedAt: stated })?.publishedAt).toBe(date)
    })

  test("are cleaned and bounded", () => {
    const long = "word ".repeat(100_000)
    const page = sitePageOf({
      title: `\u202eevil\0 ${long}`,
      description: long,
      author: long,
      siteName: long,
      image: "javascript:alert(1)",
      language: "klingon",
      text: `  one\u200b  line \n\n\n${long}\ud800`,
      facts: { duration: 61.6, score: -3, pages: Number.NaN, show: long, paywall: true }
    })
    expect(page?.title).toStartWith("evil word")
    expect(page?.title?.length).toBeLessThanOrEqual(300)
    expect(page?.description?.length).toBeLessThanOrEqual(1_000)
    expect(page?.author?.length).toBeLessThanOrEqual(200)
    expect(page?.siteName?.length).toBeLessThanOrEqual(200)
    expect(page?.text).toStartWith("one line\nword")
    expect(page?.text?.length).toBeLessThanOrEqual(131_072)
    expect(page?.text?.isWellFormed()).toBe(true)
    expect(page).toMatchObject({ image: undefined, language: undefined })
    expect(page?.facts).toEqual({ duration: 62, paywall: true, show: page?.facts?.show })
    expect(page?.facts?.show?.length).toBeLessThanOrEqual(200)
  })

  test("are nothing without a field that tells the page from others", () => {
    expect(sitePageOf({ siteName: "The site", type: "video", facts: {}, title: " \u200b " })).toBeUndefined()
    expect(sitePageOf({ facts: { score: 0 } })).toMatchObject({ facts: { score: 0 } })
  })
})

describe("the title of a post", () => {
  for (const [what, author, text, title] of [
    ["a short text", "Ann", "Hello, world.", "Ann: Hello, world."],
    [
      "a long text, cut after a word",
      "Ann",
      `${"abcdefghi ".repeat(9)}jklmno, pqrstuvwxyz and more`,
      `Ann: ${"abcdefghi ".repeat(9)}jklmno…`
    ],
    ["a text without spaces", "Ann", "字".repeat(500), `Ann: ${"字".repeat(100)}…`],
    ["several lines", "Ann", "\n\none\n\n  two\tthree", "Ann: one two three"],
    ["no text", "Ann", "", "A post by Ann"],
    ["no author", undefined, "Hello.", "Hello."]
  ] as const)
    test(`of ${what}`, () => {
      expect(postPage({ author, text })?.title).toBe(title)
    })

  test("is cut between characters", () => {
    const title = postPage({ author: "Ann", text: "🦜".repeat(400) })?.title
    expect(title?.isWellFormed()).toBe(true)
    expect(title).toEndWith("🦜…")
  })

  test("needs an author or a text", () => {
    expect(postPage({ text: " \n" })).toBeUndefined()
  })
})
