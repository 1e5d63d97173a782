import { describe, expect } from "bun:test"
import { Effect, Layer } from "effect"
import { type LinkQuery, parseQuery } from "../../src/domain/LinkQuery.ts"
import { makePassageSearch } from "../../src/search/PassageSearch.ts"
import { MAX_PAGE_TEXT } from "../../src/shared/Limits.ts"
import { LinkStore } from "../../src/store/links/LinkStore.ts"
import { PageTexts } from "../../src/store/search/PageTexts.ts"
import { RankedText } from "../../src/store/search/RankedText.ts"
import { libraryTest } from "../support/effect.ts"
import { stores } from "../support/library.ts"
import { found, newLink } from "../support/links.ts"

const it = libraryTest(Layer.provideMerge(Layer.merge(PageTexts.layer, RankedText.layer), stores()))

const FILLER = "Nothing of interest is said in this sentence, or in the next. "
const ANSWER = "The first of the neon signs was switched on in Paris, above a barbershop."
const QUESTION = "where was the first neon sign in Paris switched on"

interface Page {
  readonly title: string
  readonly description: string
  readonly note: string
  readonly tags: ReadonlyArray<string>
  readonly text: string
}

let saved = 0
const save = Effect.fnUntraced(function* (page: Partial<Page>) {
  const { description = "", note = "", tags = [], text = "", title = "A page" } = page
  const links = yield* LinkStore
  const { link } = yield* links.upsert(newLink(`x${++saved}`, { note, tags }))
  yield* links.finish(link.id, found({ title, description, text }))
  return link.id
})

const search = Effect.fnUntraced(function* (question: string, more: Partial<LinkQuery> = {}, count = 50) {
  const text = yield* RankedText
  const find = makePassageSearch(yield* PageTexts, text)
  return yield* find({ ...parseQuery(question, 0), sort: "relevance", ...more }, yield* text.newest, count)
})
const idsFor = (question: string, more: Partial<LinkQuery> = {}, count = 50) =>
  Effect.map(search(question, more, count), (passages) => passages.map(({ id }) => id))

/** Pages in which other words surround the answer, or that contain its words far from each other. */
const shelf = Effect.gen(function* () {
  const answer = yield* save({ title: "Ambitions", text: FILLER.repeat(50) + ANSWER + FILLER.repeat(50) })
  const scattered = yield* save({
    text: ["First neon sign", "Switched", "Paris"].map((word) => `${word}. ${FILLER.repeat(20)}`).join("")
  })
  yield* save({ text: FILLER.repeat(20) })
  return { answer, scattered }
})

describe("PassageSearch", () => {
  it("finds the page with the answer in the middle of its text, and quotes it", function* () {
    const { answer, scattered } = yield* shelf
    const [first, second] = yield* search(QUESTION)
    expect([first?.id, second?.id]).toEqual([answer, scattered])
    expect(first?.excerpt?.text).toContain(ANSWER)
    expect(first?.excerpt?.start).toBeGreaterThan(2_900)
  })

  it("compares cards with passages, and quotes no text that says what the card says", function* () {
    const { answer } = yield* shelf
    const described = yield* save({ title: "Neon", description: "The first sign switched on in Paris" })
    const both = yield* save({ title: "Neon", description: ANSWER, text: FILLER + ANSWER })
    const passages = yield* search(QUESTION)
    expect(new Set(passages.slice(0, 3).map(({ id }) => id))).toEqual(new Set([answer, described, both]))
    expect(passages.flatMap(({ excerpt, id }) => (excerpt === undefined ? [] : [id]))).toContain(answer)
    for (const { excerpt, id } of passages)
      if (id === described || id === both) expect(excerpt).toBeUndefined()
  })

  it("returns nothing for searches that are no question", function* () {
    yield* shelf
    for (const text of [
      "neon",
      "neon sign",
      "ne",
      `"${QUESTION}"`,
      "neon sign or barbershop light",
      "",
      "is:unread"
    ])
      expect({ text, ids: yield* idsFor(text) }).toEqual({ text, ids: [] })
    expect(yield* idsFor("where are the blue green yellow elephants")).toEqual([])
    expect(yield* idsFor(QUESTION, {}, 0)).toEqual([])
  })

  it("reads as many texts as it may", function* () {
    const { answer } = yield* shelf
    expect(yield* idsFor(QUESTION, {}, 1)).toHaveLength(1)
    // All of these texts together are more than a search reads.
    const long = ANSWER.padEnd(MAX_PAGE_TEXT, " x")
    for (let n = 0; n < 30; n++) yield* save({ text: long })
    const found = yield* idsFor(QUESTION)
    expect(found.length).toBeGreaterThan(20)
    expect(found.length).toBeLessThan(25)
    expect(found).toContain(answer)
  })

  it("follows every change of a text", function* () {
    const links = yield* LinkStore
    const { answer, scattered } = yield* shelf
    yield* links.finish(answer, found({ title: "Ambitions", text: FILLER }))
    expect(yield* idsFor(QUESTION)).toEqual([scattered])
    yield* links.finish(answer, found({ title: "Ambitions", text: ANSWER }))
    expect(yield* idsFor(QUESTION)).toEqual([answer, scattered])
  })

  it("keeps to filters and excluded words", function* () {
    const { answer, scattered } = yield* shelf
    const tagged = yield* save({ tags: ["light"], text: ANSWER })
    expect(yield* idsFor(`${QUESTION} tag:light`)).toEqual([tagged])
    expect(yield* idsFor(`${QUESTION} -tag:light`)).toEqual([answer, scattered])
    expect(yield* idsFor(`${QUESTION} -barbershop`)).toEqual([scattered])
    expect(yield* idsFor(QUESTION, { favorite: true })).toEqual([])
  })

  it("finds passages in scripts without spaces", function* () {
    const filler = "これは別の話である。".repeat(60)
    const id = yield* save({ text: `${filler}京都で一番古い寺は広隆寺です。${filler}` })
    yield* save({ text: filler })
    const [first, ...others] = yield* search("京都で一番古い寺はどこですか")
    expect([first?.id, others]).toEqual([id, []])
    expect(first?.excerpt?.text).toContain("京都で一番古い寺は広隆寺です")
  })

  it("survives hostile texts and searches", function* () {
    const texts = [
      "word ".repeat(MAX_PAGE_TEXT / 5),
      "x".repeat(MAX_PAGE_TEXT),
      'NEAR(first neon) AND "neon" OR sign* {text} : Paris - ^ + \ufdd0',
      "\u0000first\u0000neon\u0000sign\ud800"
    ]
    for (const text of texts) yield* save({ text })
    const { answer } = yield* shelf
    const searches = [
      Array.from({ length: 300 }, (_, at) => `word${at}`).join(" "),
      `${QUESTION} ${"word ".repeat(290)}`,
      'first" OR neon NEAR( sign) {text}: Paris* ^switched',
      "first\u0000 neon\ufdd0 sign\ud800 Paris",
      "word word words wording worded"
    ]
    for (const text of searches) expect((yield* idsFor(text)).length).toBeLessThanOrEqual(50)
    expect(yield* idsFor(QUESTION)).toContain(answer)
  })

  it("finds nothing in an empty library", function* () {
    expect(yield* idsFor(QUESTION)).toEqual([])
  })
})
