import { describe, expect, test } from "bun:test"
import { type Link, LinkId } from "../../src/domain/Link.ts"
import { type CardOptions, cardOf, deleteQuestion } from "../../src/telegram/Card.ts"
import { type Content, text } from "../../src/telegram/Content.ts"
import { aLink, readMessage } from "../support/messages.ts"

const linesOf = (link: Link, about: CardOptions = {}) =>
  readMessage(cardOf(link, about).html.html)?.split("\n")
const labels = ({ buttons = [] }: Content) => buttons.map((row) => row.map(({ label }) => label))

describe("a link's card", () => {
  test("shows every field on its own line", () =>
    expect(
      linesOf(
        {
          ...aLink,
          summary: "In short.",
          description: "Its own words.",
          tags: ["two-words", "हिन्दी"],
          note: "mine",
          favorite: true,
          shareable: true,
          collection: { id: 1, name: "Databases" }
        },
        { nearest: { id: LinkId.make(8), title: "sqlite-vec" } }
      )
    ).toEqual([
      "A page  #12",
      "example.org · reading · ★ · shared",
      "In short.",
      "📁 Databases, like #8 “sqlite-vec”",
      "🏷 #two_words #हिन्दी",
      "📝 mine"
    ]))
  test("omits empty fields", () => expect(linesOf(aLink)).toEqual(["A page  #12", "example.org · reading"]))
  test("says what a link costs to open", () =>
    expect(linesOf({ ...aLink, facts: { paywall: true, duration: 249 } })?.at(1)).toBe(
      "example.org · reading · paywall · 4:09"
    ))
  test("says that its page is gone, has moved or has changed, instead of why it was not read", () => {
    const lastLine = (check: Partial<Link["check"]>) =>
      linesOf({
        ...aLink,
        enrichment: "partial",
        stages: [{ stage: "page", state: "failed", reason: "404 Not Found" }],
        check: { ...aLink.check, ...check }
      })?.at(-1)
    const archived = { url: "https://web.archive.org/web/1/x", at: "2024-05-06T07:08:09.000Z" }
    expect(lastLine({ state: "broken", reason: "404 Not Found" })).toBe("⚠ The page is gone: 404 Not Found.")
    expect(lastLine({ state: "broken", reason: "404 Not Found", archived })).toBe(
      "⚠ The page is gone: 404 Not Found. Archived copy"
    )
    expect(lastLine({ state: "moved", to: "https://new.example/a" })).toBe(
      "⚠ The page has moved: https://new.example/a."
    )
    expect(lastLine({ state: "changed", reason: "The domain is for sale" })).toBe(
      "⚠ Another page is in its place: The domain is for sale."
    )
    expect(lastLine({ state: "ok" })).toStartWith("Saved, but the page answered 404.")
  })
  test("shows the page's description, folded, without a summary", () =>
    expect(cardOf({ ...aLink, description: "Its own words." }).html.html).toContain(
      "<blockquote expandable>Its own words.</blockquote>"
    ))
  test("says why a page could not be read, and promises a retry only after the first reading", () => {
    const unread = (reason: string | null, willRetry = true) => {
      const stages = [{ stage: "page", state: "failed", reason }] as const
      return linesOf({ ...aLink, enrichment: "partial", stages }, { willRetry })?.at(-1)
    }
    for (const [reason, clause] of [
      ["404 Not Found", "the page answered 404"],
      ["Timed out after 10 s", "the page timed out after 10 s"],
      ["The site asks visitors to log in", "the site asks visitors to log in"],
      [
        "The site asks visitors to prove that they are human",
        "the site asks visitors to prove that they are human"
      ],
      ["This kind of file cannot be read", "this kind of file cannot be read"],
      ["The page is too large to read", "the page is too large to read"]
    ] as const) {
      expect(unread(reason)).toBe(`Saved, but ${clause}. I’ll retry; 🔄 tries now.`)
      expect(unread(reason, false)).toBe(`Saved, but ${clause}. 🔄 tries again.`)
    }
    // A page that was never asked for is not retried.
    expect(unread(null)).toBe("Saved, but I couldn’t read the page. 🔄 tries again.")
    const earlier = linesOf({ ...aLink, title: aLink.host, enrichment: "partial" })
    expect(earlier?.at(-1)).toBe("Saved, but I couldn’t read the page. 🔄 tries again.")
    const down = [{ stage: "page", state: "waiting", reason: "The site cannot be reached" }] as const
    expect(linesOf({ ...aLink, enrichment: "partial", stages: down })?.at(-1)).toContain(
      "the site cannot be reached"
    )
    const pending = [{ stage: "page", state: "waiting", reason: null }] as const
    expect(linesOf({ ...aLink, enrichment: "partial", stages: pending })).toHaveLength(2)
  })
  test("has a head and a foot", () =>
    expect(linesOf(aLink, { head: text("Above."), foot: text("Below.") })).toEqual([
      "Above.",
      "A page  #12",
      "example.org · reading",
      "Below."
    ]))
})

describe("a card's buttons", () => {
  test("show the link's state and toggle it", () => {
    const plain = cardOf(aLink)
    expect(labels(plain)).toEqual([
      ["☆ Favorite", "🌐 Share", "📁 Collection"],
      ["🏷 Tags", "🔄 Refresh", "🗑 Delete"],
      ["Open ↗", "Similar"],
      ["○ Mark unread", "🗄 Archive"]
    ])
    expect(labels(cardOf({ ...aLink, state: "unread" })).at(-1)).toEqual(["✓ Mark read", "🗄 Archive"])
    expect(labels(cardOf({ ...aLink, state: "archived" })).at(-1)).toEqual(["○ Mark unread", "🗄 Unarchive"])
    const marked = cardOf({ ...aLink, favorite: true, shareable: true })
    expect(labels(marked)[0]).toEqual(["★ Unfavorite", "🌐 Unshare", "📁 Collection"])
    const data = ({ buttons }: Content) => {
      const first = buttons?.[0]?.[0]
      return first !== undefined && "data" in first ? first.data : undefined
    }
    expect(data(plain)).toBe("1f:12:1")
    expect(data(marked)).toBe("1f:12:0")
  })
  test("undo the last change", () => {
    const undo = "0b9d7a52-7f0a-4b8f-9d0e-0a2f1c5b6d7e"
    expect(cardOf(aLink, { undo }).buttons?.at(-1)).toEqual([{ label: "↩ Undo", data: `1u:12:${undo}` }])
  })
  test("open only URLs that Telegram accepts", () => {
    const urlOf = (url: string) =>
      (cardOf({ ...aLink, url }).buttons ?? []).flat().flatMap((one) => ("url" in one ? [one.url] : []))
    expect(urlOf("https://example.com/ü?a=b")).toEqual(["https://example.com/%C3%BC?a=b"])
    expect(urlOf("http://localhost:8787/")).toEqual([])
    expect(urlOf(`https://example.org/${"x".repeat(2_000)}`)).toEqual([])
    expect(urlOf("javascript:alert(1)")).toEqual([])
  })
  test("confirm a deletion for good", () => {
    const question = deleteQuestion(aLink)
    expect(readMessage(question.html.html)).toBe("Delete A page  #12 forever? This can’t be undone.")
    expect(question.buttons?.flat()).toEqual([
      { label: "🗑 Delete forever", data: "1D:12" },
      { label: "Cancel", data: "1x:12" }
    ])
    const trashed = { ...aLink, deletedAt: "2026-03-04T05:06:07.000Z" }
    expect(deleteQuestion(trashed).buttons?.flat().at(-1)).toEqual({ label: "Cancel", data: "1T:12" })
  })
})
