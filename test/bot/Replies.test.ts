import { describe, expect, test } from "bun:test"
import { MAX_TEXT, plainOf } from "../../src/bot/Html.ts"
import {
  alreadySavedReply,
  helpReply,
  hintReply,
  manyReply,
  savedReply,
  searchReply
} from "../../src/bot/Replies.ts"
import { type Link, LinkId } from "../../src/domain/Link.ts"
import { describeData, json } from "../support/data.ts"

const a: Link = {
  id: LinkId.make(12),
  url: "https://example.org/",
  host: "example.org",
  title: "A page",
  note: "",
  summary: "",
  description: "",
  tags: [],
  category: "reading",
  collection: null,
  favorite: false,
  shareable: false,
  image: null,
  favicon: null,
  siteName: null,
  author: null,
  publishedAt: null,
  language: null,
  repository: null,
  enrichment: "complete",
  createdAt: "2026-03-03T12:00:00.000Z",
  updatedAt: "2026-03-03T12:00:00.000Z"
}

/** What the platform would read of a message; undefined where its markup is broken or not of the subset. */
const read = (html: string): string | undefined => {
  const open: Array<string> = []
  for (const [, close, name, rest] of html.matchAll(/<(\/?)([a-z]+)([^>]*)>/g)) {
    if (!/^(b|i|code|a|blockquote)$/.test(name ?? "")) return undefined
    if (close === "") open.push(name ?? "")
    else if (open.pop() !== name) return undefined
    if (name === "a" && close === "" && !/^ href="https?:\/\/[^"<>]*"$/.test(rest ?? "")) return undefined
  }
  const plain = html.replace(/<\/?(b|i|code|a|blockquote)( [^>]*)?>/g, "")
  if (open.length > 0 || /[<>]/.test(plain) || /&(?!amp;|lt;|gt;|quot;)/.test(plain)) return undefined
  return plainOf(html)
}

describe("Replies", () => {
  test("says a link's number, title, category, collection, tags, summary and note", () => {
    const reply = savedReply({
      ...a,
      summary: "In short.",
      tags: ["two-words"],
      note: "mine",
      collection: { id: 1, name: "Kept" }
    })
    for (const part of ["#12", "A page", "reading", "Kept", "#two_words", "In short.", "mine"])
      expect(reply.html).toContain(part)
  })
  test("says that a page could not be read", () =>
    expect(savedReply({ ...a, title: a.host, enrichment: "partial" }).html).toContain("could not be read"))
  test("counts what is new and what was there", () => {
    const two = [
      { link: a, created: true },
      { link: { ...a, id: LinkId.make(13) }, created: false }
    ]
    expect(manyReply(two).html).toContain("1 saved · 1 already here")
  })
  test("lists thirty of many links, and says how many there are besides", () => {
    const all = Array.from({ length: 120 }, (_, index) => ({
      link: { ...a, id: LinkId.make(10_000_000 + index), title: "x".repeat(200) },
      created: false
    }))
    const reply = manyReply(all)
    const said = read(reply.html) ?? ""
    expect(said.match(/#1\d{7}/g)?.length).toBe(30)
    expect(said).toStartWith("120 already here")
    expect(said).toEndWith("and 90 more")
    expect(said.length).toBe(reply.length)
    expect(reply.length).toBeLessThanOrEqual(MAX_TEXT)
    expect(reply.html.match(/<(?!\/)/g)?.length).toBeLessThanOrEqual(100)
  })
  test("says when and as what a link was saved before, and whether its note grew", () => {
    expect(read(alreadySavedReply(a, true).html)).toStartWith(
      "Already saved on 3 Mar 2026 as #12, note added."
    )
    expect(read(alreadySavedReply(a, false).html)).toStartWith("Already saved on 3 Mar 2026 as #12.")
  })
  test("keeps the vowel signs of a tag, so that it is one hashtag", () =>
    expect(savedReply({ ...a, tags: ["हिन्दी", "c-d"] }).html).toContain("#हिन्दी #c_d"))
  test("shows the page's own description where there is no summary, and no line for what is empty", () => {
    expect(savedReply({ ...a, description: "Its own words." }).html).toContain(
      "<blockquote expandable>Its own words.</blockquote>"
    )
    expect(read(savedReply(a).html)?.split("\n")).toEqual([
      "Saved #12",
      "A page  #12",
      "example.org · reading"
    ])
  })
  test("counts all matches, and shows each with its number", () => {
    const said = read(searchReply("a <b>", [a, { ...a, id: LinkId.make(13) }], 7).html) ?? ""
    expect(said).toStartWith("7 matches for a <b>:")
    for (const part of ["#12", "#13", "To save a link"]) expect(said).toContain(part)
    expect(read(searchReply("a", [a], 1).html)).toStartWith("1 match for a:")
  })
  test("explains itself within one message", () => {
    expect(read(helpReply.html)?.length).toBe(helpReply.length)
    expect(helpReply.html).toContain("/save")
  })
  test("says how to save where nothing is found", () =>
    expect(searchReply("x", [], 0).html).toContain("To save a link"))
  test("answers each hint with a sentence", () => {
    for (const reason of ["no-link", "not-http", "unsupported", "no-such-message"] as const)
      expect(hintReply(reason).length).toBeGreaterThan(10)
  })
})

describeData("hostile", "Replies about hostile text", () => {
  const strings = [
    ...json<Array<string>>("hostile/blns.json"),
    ...json<Array<string>>("hostile/xss/payloadsallthethings.json")
  ]
  test("stay well-formed and short enough, whatever a link says", () => {
    for (const hostile of [...strings, strings.join(" ").slice(0, 60_000)]) {
      const it = {
        ...a,
        title: hostile,
        summary: hostile,
        note: hostile,
        tags: [hostile],
        category: hostile,
        url: `https://example.org/${hostile}`
      }
      for (const reply of [
        savedReply(it),
        searchReply(hostile, [it, it, it, it, it], 5),
        manyReply([
          { link: it, created: true },
          { link: it, created: false }
        ])
      ]) {
        expect(read(reply.html)).toBeDefined()
        expect(reply.length).toBeLessThanOrEqual(MAX_TEXT)
      }
    }
  })
})
