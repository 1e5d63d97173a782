import { describe, expect, test } from "bun:test"
import type { MessageEntity, RichMessage } from "@grammyjs/types"
import { messageNote, messageText, messageUrls, richText, sourceOf } from "../../src/telegram/MessageText.ts"
import { rowsOf } from "../support/rows.ts"

const readRich = (blocks: RichMessage["blocks"]) => richText({ rich_message: { blocks } })

describe("richText", () => {
  test("puts each block on its own line", () => {
    const { text } = readRich([
      { type: "heading", size: 1, text: "Title" },
      { type: "paragraph", text: ["un", { type: "bold", text: "believ" }, "able"] },
      {
        type: "list",
        items: [
          { label: "1.", blocks: [{ type: "paragraph", text: "one" }] },
          { label: "2.", blocks: [{ type: "paragraph", text: "two" }] }
        ]
      },
      {
        type: "table",
        cells: [
          [
            { text: "left", align: "left", valign: "top" },
            { text: "right", align: "left", valign: "top" }
          ]
        ]
      },
      { type: "details", summary: "More", blocks: [{ type: "paragraph", text: "inside" }] }
    ])
    expect(text.split("\n").filter(Boolean)).toEqual(
      "Title unbelievable one two left right More inside".split(" ")
    )
  })

  test("returns the positions of links and hashtags in UTF-16 units", () => {
    const { entities, text } = readRich([
      {
        type: "paragraph",
        text: [
          "🦜 ",
          { type: "url", text: { type: "bold", text: "docs" }, url: "https://e.org/d" },
          " ",
          { type: "hashtag", text: "#rust", hashtag: "rust" }
        ]
      }
    ])
    expect(entities).toEqual([
      { type: "text_link", start: 3, end: 7, url: "https://e.org/d" },
      { type: "hashtag", start: 8, end: 13, url: "" }
    ])
    expect(text.slice(3, 13)).toBe("docs #rust")
  })

  test("marks a label that is its own URL as a URL too", () =>
    expect(
      readRich([{ type: "paragraph", text: { type: "url", text: "e.org/d", url: "https://e.org/d/" } }])
        .entities
    ).toMatchObject([
      { type: "text_link", url: "https://e.org/d/" },
      { type: "url", start: 0, end: 7 }
    ]))

  test("omits the labels of buttons", () =>
    expect(readRich([{ type: "buttons", buttons: [{ text: "Open", url: "https://e.org/d" }] }])).toEqual({
      text: "",
      entities: []
    }))

  for (const [what, wrap] of [
    ["lists", (inner: unknown) => [inner]],
    ["text", (inner: unknown) => ({ type: "bold", text: inner })],
    ["blocks", (inner: unknown) => ({ type: "blockquote", blocks: [inner] })]
  ] as const)
    test(`accepts ${what} nested 100,000 levels deep`, () => {
      let deep: unknown = "x"
      for (let level = 0; level < 100_000; level++) deep = wrap(deep)
      expect(richText({ rich_message: { blocks: deep } })).toEqual({ text: "", entities: [] })
    })

  test("accepts 300,000 blocks", () => {
    const blocks = Array.from({ length: 300_000 }, () => "word ")
    expect(richText({ rich_message: { blocks } }).text).toStartWith("word word")
  })
})

/** A message without entities other than hashtags. */
const read = (text: string) => {
  const entities = [...text.matchAll(/#\w+/g)].map(({ 0: tag, index }) => ({
    type: "hashtag",
    offset: index,
    length: tag.length
  }))
  const message = { text, entities }
  const said = messageText(message)
  return messageNote(said, messageUrls(message, said).ranges)
}

const notes = rowsOf<readonly [text: string, note: string]>(import.meta, "MessageText.notes")

describe("messageNote", () => {
  for (const [text, note] of notes)
    test(`is ${JSON.stringify(note)} for ${JSON.stringify(text)}`, () => expect(read(text).note).toBe(note))

  test("omits hashtags that became tags", () => {
    const text = "#a1 #b2 #c3 and #d4 #e5 #f6 #g7 #h8 but #ninth https://e.org/a"
    expect(read(text)).toEqual({
      tags: ["a1", "b2", "c3", "d4", "e5", "f6", "g7", "h8"],
      note: "and but #ninth"
    })
  })

  test("accepts overlapping ranges and unclosed brackets", () => {
    const said = { text: "abcdef", entities: [] }
    const ranges = [
      { start: 1, end: 4 },
      { start: 2, end: 3 },
      { start: 3, end: 5 }
    ]
    expect(messageNote(said, ranges).note).toBe("a f")
    const deep = `${"(".repeat(100_000)} https://e.org/a ${")".repeat(100_000)}`
    expect(read(deep).note).toBe("")
  })
})

type Mark = readonly [part: string, type: MessageEntity["type"], url?: string]

const find = (text: string, marks: ReadonlyArray<Mark> = [], more: object = {}) => {
  const entities = marks.map(([part, type, url]) => ({
    type,
    offset: text.indexOf(part),
    length: part.length,
    ...(url === undefined ? {} : { url })
  }))
  const message = { text, entities, ...more }
  const { refused, urls } = messageUrls(message, messageText(message))
  return { urls, refused }
}
const urls = (...found: Parameters<typeof find>) => find(...found).urls

const bot = { message_id: 40, from: { id: 7, is_bot: true } }

describe("messageUrls", () => {
  test("returns each URL once, as first spelled", () =>
    expect(urls("https://E.org/a/?utm_source=x https://e.org/a https://e.org/b")).toEqual([
      "https://E.org/a/?utm_source=x",
      "https://e.org/b"
    ]))

  test("returns URLs of the text before those of buttons and the preview", () =>
    expect(
      urls("first", [["first", "text_link", "https://e.org/1"]], {
        reply_markup: { inline_keyboard: [[{ url: "https://e.org/2" }, { url: "tg://x" }], null] },
        link_preview_options: { url: "https://e.org/3" }
      })
    ).toEqual(["https://e.org/1", "https://e.org/2", "https://e.org/3"]))

  test("searches code and plain text only without marked URLs", () => {
    expect(urls("https://e.org/a", [["https://e.org/a", "code"]])).toEqual(["https://e.org/a"])
    expect(urls("https://e.org/a e.org/b", [["e.org/b", "url"]])).toEqual(["https://e.org/b"])
  })

  for (const [given, wanted] of [
    ["example.org/a", "https://example.org/a"],
    ["localhost:8080/a", "https://localhost:8080/a"],
    ["example.org:8080", "https://example.org:8080"],
    ["HTTP://example.org", "HTTP://example.org"]
  ] as const)
    test(`completes the marked ${given} to ${wanted}`, () =>
      expect(urls(given, [[given, "url"]])).toEqual([wanted]))

  test("leaves the sentence that Telegram marks with an address in the note", () => {
    const marked = "e.org/jZ66hv，复制本条信息"
    const text = `快来看吧！ 😆 ${marked}`
    const message = {
      text,
      entities: [{ type: "url", offset: text.indexOf(marked), length: marked.length }],
      link_preview_options: { url: `https://${marked}` }
    }
    const said = messageText(message)
    const found = messageUrls(message, said)
    expect(found.urls).toEqual(["https://e.org/jZ66hv"])
    expect(messageNote(said, found.ranges).note).toBe("快来看吧！ 😆 ，复制本条信息")
    const joined = "https://e.org/A/,https://e.org/B/"
    expect(urls(joined, [[joined, "url"]])).toEqual(["https://e.org/A/", "https://e.org/B/"])
  })

  test("tells an address that is too long, marked or not", () => {
    const long = `https://e.org/${"a".repeat(9_000)}`
    for (const marks of [[[long, "url"]], []] as const)
      expect(find(long, marks)).toEqual({ urls: [], refused: "too-long" })
    expect(find(`${long} https://e.org/b`).urls).toEqual(["https://e.org/b"])
  })

  for (const address of [
    "ftp://e.org/a",
    "tel:12345",
    "mailto:a@e.org",
    "javascript:alert(1)",
    "tg://resolve"
  ])
    test(`rejects ${address}`, () => {
      expect(find("x", [["x", "text_link", address]])).toEqual({ urls: [], refused: "not-http" })
      expect(find(address, [[address, "url"]])).toEqual({ urls: [], refused: "not-http" })
    })

  for (const [text, wanted] of [
    ["(https://e.org/a_(b)),", "https://e.org/a_(b)"],
    ["https://e.org/a).", "https://e.org/a"],
    ["«https://e.org/a»", "https://e.org/a"],
    ["[x](https://e.org/a)!?", "https://e.org/a"],
    [`https://e.org/a${")".repeat(100_000)}`, "https://e.org/a"]
  ] as const)
    test(`omits punctuation from ${text.slice(0, 24)}`, () => expect(urls(text)).toEqual([wanted]))

  test("returns hundreds of URLs", () => {
    const all = Array.from({ length: 372 }, (_, index) => `http://a.b/${index}`)
    expect(urls(all.join(" "))).toEqual(all)
  })

  test("falls back to a quote or an external reply, except of the bot", () => {
    const quote = { text: "see https://e.org/q." }
    expect(urls("so", [], { quote })).toEqual(["https://e.org/q"])
    expect(urls("so", [], { quote, reply_to_message: bot })).toEqual([])
    expect(urls("https://e.org/a", [], { quote })).toEqual(["https://e.org/a"])
    const origin = { type: "channel", chat: { username: "daily" }, message_id: 3 }
    expect(urls("so", [], { external_reply: { origin } })).toEqual(["https://t.me/daily/3"])
  })

  test("ignores the text of the message replied to", () =>
    expect(urls("so", [], { reply_to_message: { message_id: 4, text: "https://e.org/r" } })).toEqual([]))
})

describe("sourceOf", () => {
  const from = (origin: object) => sourceOf({ forward_origin: origin })
  test("returns the URL of a public channel's post only", () => {
    const post = { type: "channel", chat: { username: "daily" }, message_id: 77 }
    expect(from(post)).toBe("https://t.me/daily/77")
    expect(from({ ...post, chat: {} })).toBe("")
    expect(from({ ...post, chat: { username: "../x" } })).toBe("")
    expect(from({ ...post, type: "user" })).toBe("")
    expect(from({ ...post, message_id: "77" })).toBe("")
  })
})
