import { describe, expect, test } from "bun:test"
import type { RichMessage } from "@grammyjs/types"
import { richText } from "../../src/telegram/MessageText.ts"

const read = (blocks: RichMessage["blocks"]) => richText({ rich_message: { blocks } })

describe("richText", () => {
  test("joins what stands in a line, and puts each block on a line of its own", () => {
    const { text } = read([
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
    expect(text.split("\n").filter(Boolean)).toEqual([
      "Title",
      "unbelievable",
      "one",
      "two",
      "left",
      "right",
      "More",
      "inside"
    ])
  })

  test("marks links, hashtags and commands where they stand, in UTF-16 units", () => {
    const { entities, text } = read([
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

  test("marks a label that is the address itself as an address too", () =>
    expect(
      read([{ type: "paragraph", text: { type: "url", text: "e.org/d", url: "https://e.org/d/" } }]).entities
    ).toMatchObject([
      { type: "text_link", url: "https://e.org/d/" },
      { type: "url", start: 0, end: 7 }
    ]))

  test("leaves out the words on buttons", () =>
    expect(read([{ type: "buttons", buttons: [{ text: "Open", url: "https://e.org/d" }] }])).toEqual({
      text: "",
      entities: []
    }))

  for (const [what, wrap] of [
    ["lists", (inner: unknown) => [inner]],
    ["text", (inner: unknown) => ({ type: "bold", text: inner })],
    ["blocks", (inner: unknown) => ({ type: "blockquote", blocks: [inner] })]
  ] as const)
    test(`survives ${what} nested a hundred thousand times`, () => {
      let deep: unknown = "x"
      for (let level = 0; level < 100_000; level++) deep = wrap(deep)
      expect(richText({ rich_message: { blocks: deep } })).toEqual({ text: "", entities: [] })
    })

  test("survives a message far wider than any", () => {
    const blocks = Array.from({ length: 300_000 }, () => "word ")
    expect(richText({ rich_message: { blocks } }).text).toStartWith("word word")
  })
})
