import { describe, expect, test } from "bun:test"
import { bold, concat, lines, link, MAX_TEXT, plainOf, text } from "../../src/bot/Html.ts"
import { hintReply, manyReply, savedReply, searchReply } from "../../src/bot/Replies.ts"
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

describe("Html", () => {
  test("cuts before it escapes, and never inside a character", () => {
    expect(text("<&>", 3)).toEqual({ html: "&lt;&amp;&gt;", length: 3 })
    expect(text("<<<<", 3)).toEqual({ html: "&lt;&lt;…", length: 3 })
    expect(text("ab🦜", 3).html).toBe("ab…")
    expect(text("a\ud800b").html).toBe("a\ufffdb")
  })
  test("links nothing but web addresses, and closes its quotes", () => {
    expect(link('https://example.org/"><b>', text("x")).html).toBe(
      '<a href="https://example.org/&quot;&gt;&lt;b&gt;">x</a>'
    )
    expect(link("javascript:alert(1)", text("x")).html).toBe("x")
  })
  test("leaves out what no longer fits, whole", () => {
    const many = Array.from({ length: 500 }, (_, index) => bold(text(`line ${index} of a list`)))
    const all = lines(many)
    expect(all.length).toBeLessThanOrEqual(MAX_TEXT)
    expect(read(all.html)?.length).toBe(all.length)
  })
  test("gives back the text of its markup", () =>
    expect(plainOf(concat(bold(text("a<b")), text(" & c")).html)).toBe("a<b & c"))
})

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
