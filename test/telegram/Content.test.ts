import { describe, expect, test } from "bun:test"
import { FastCheck as fc } from "effect"
import { decode } from "../../src/telegram/Buttons.ts"
import { cardOf, deleteQuestion } from "../../src/telegram/Card.ts"
import {
  bold,
  code,
  concat,
  foldedQuote,
  type Html,
  italic,
  lines,
  link,
  MAX_TEXT,
  stripMarkup,
  text
} from "../../src/telegram/Content.ts"
import { manyReply, noteAddedReply, undoneReply } from "../../src/telegram/Replies.ts"
import { aLink, entitiesIn, readMessage } from "../support/messages.ts"
import { always, strangeText } from "../support/strange.ts"

/** Messages composed of any parts. */
const html: fc.Arbitrary<Html> = fc.letrec<{ html: Html; leaf: Html }>((tie) => ({
  leaf: fc.tuple(strangeText(6), fc.nat(200)).map(([raw, limit]) => text(raw, limit)),
  html: fc.oneof(
    { depthSize: "small" },
    tie("leaf"),
    tie("html").map(bold),
    tie("html").map(italic),
    tie("html").map(code),
    tie("html").map(foldedQuote),
    fc.tuple(fc.oneof(fc.webUrl(), strangeText(3)), tie("leaf")).map(([url, label]) => link(url, label)),
    fc.array(tie("html"), { maxLength: 4 }).map((parts) => concat(...parts)),
    fc
      .tuple(fc.array(tie("html"), { maxLength: 4 }), fc.integer({ min: 1, max: 500 }))
      .map(([parts, limit]) => lines(parts, "\n", limit))
  )
})).html

describe("a message of any parts", () => {
  always("is well-formed and has the length it declares", html, ({ html: markup, length }) => {
    expect(readMessage(markup)?.length).toBe(length)
    expect(markup.isWellFormed()).toBe(true)
  })

  always(
    "contains its text, up to the limit",
    fc.tuple(strangeText(), fc.nat(300)),
    ([raw, limit]) => {
      const { html: markup, length } = text(raw, limit)
      const whole = raw.toWellFormed()
      expect(length).toBeLessThanOrEqual(Math.max(1, limit))
      if (whole.length <= limit) expect(stripMarkup(markup)).toBe(whole)
      else expect(whole.startsWith(stripMarkup(markup).replace(/…$/, ""))).toBe(true)
    },
    1_000
  )
})

describe("a message about any link", () => {
  const words = strangeText(60)
  const it = fc
    .record({
      url: fc.oneof(fc.webUrl(), words),
      host: words,
      title: words,
      note: words,
      summary: words,
      description: words,
      category: words,
      tags: fc.array(words, { maxLength: 30 }),
      collection: fc.option(words.map((name) => ({ id: 1, name })))
    })
    .map((fields) => ({ ...aLink, ...fields }))

  always("is accepted by the platform", it, (link) => {
    const nearest = { id: link.id, title: link.title }
    const many = Array.from({ length: 40 }, () => ({ link, created: true }))
    for (const { buttons = [], html } of [
      cardOf(link, { nearest }),
      deleteQuestion(link),
      manyReply(many),
      { html: noteAddedReply(aLink, link, link.note) },
      undoneReply({
        change: { kind: "title", id: link.id, from: link.title },
        ids: [link.id],
        deleted: [],
        link
      })
    ]) {
      const read = readMessage(html.html)
      expect(read?.length).toBe(html.length)
      expect(read?.length).toBeWithin(1, MAX_TEXT + 1)
      expect(entitiesIn(html.html)).toBeLessThanOrEqual(100)
      for (const button of buttons.flat())
        if ("url" in button) expect(button.url).toMatch(/^https?:\/\/[!-~]+$/)
        else expect([button.data.length <= 64, decode(button.data)._tag]).toEqual([true, "Some"])
    }
  })
})

describe("Html", () => {
  test("truncates before escaping, between characters", () => {
    expect(text("<&>", 3)).toEqual({ html: "&lt;&amp;&gt;", length: 3 })
    expect(text("<<<<", 3)).toEqual({ html: "&lt;&lt;…", length: 3 })
    expect(text("ab🦜", 3).html).toBe("ab…")
    expect(text("a\ud800b").html).toBe("a\ufffdb")
  })
  test("links only web addresses, with quotes escaped", () => {
    expect(link('https://example.org/"><b>', text("x")).html).toBe(
      '<a href="https://example.org/&quot;&gt;&lt;b&gt;">x</a>'
    )
    expect(link("javascript:alert(1)", text("x")).html).toBe("x")
  })
  test("omits whole lines beyond the limit", () => {
    const many = Array.from({ length: 500 }, (_, index) => bold(text(`line ${index} of a list`)))
    const all = lines(many)
    expect(all.length).toBeLessThanOrEqual(MAX_TEXT)
    expect(stripMarkup(all.html).length).toBe(all.length)
  })
  test("is stripped of its markup", () =>
    expect(stripMarkup(concat(bold(text("a<b")), text(" & c")).html)).toBe("a<b & c"))
})
