import { describe, expect } from "bun:test"
import { Effect, Layer } from "effect"
import { type Highlights, parseQuery, type Range, type Term } from "../../../src/domain/LinkQuery.ts"
import { LinkStore } from "../../../src/store/links/LinkStore.ts"
import { MatchMarks } from "../../../src/store/search/MatchMarks.ts"
import { libraryTest } from "../../support/effect.ts"
import { stores } from "../../support/library.ts"
import { found, newLink } from "../../support/links.ts"
import { spelledAlike } from "../../support/spelledAlike.ts"

const it = libraryTest(Layer.provideMerge(MatchMarks.layer, stores()))

interface Said {
  readonly title: string
  readonly note: string
  readonly tags: ReadonlyArray<string>
  readonly summary: string
  readonly description: string
  readonly text: string
}

const save = (path: string, said: Partial<Said>) =>
  Effect.gen(function* () {
    const { description = "", note = "", summary = "", tags = [], text = "", title = "Other" } = said
    const links = yield* LinkStore
    const { link } = yield* links.upsert(newLink(path, { note, tags }))
    const enriched = found({ title, description, text }, { summary: { summary, tags: [], category: null } })
    yield* links.finish(link.id, enriched)
    return link.id
  })

const part = (text: string): Term => ({ text, kind: "part", negated: false })

const marksOf = (ids: ReadonlyArray<number>, wanted: string | ReadonlyArray<Term>) =>
  Effect.flatMap(MatchMarks, ({ marks }) =>
    marks(ids, typeof wanted === "string" ? parseQuery(wanted, 0).terms : wanted)
  )

/** The marks in a new link. */
let saved = 0
const marksIn = (said: Partial<Said>, wanted: string | ReadonlyArray<Term>) =>
  Effect.gen(function* () {
    const id = yield* save(`x${++saved}`, said)
    const [marks = {}] = yield* marksOf([id], wanted)
    return marks
  })

const cut = (text: string, ranges: ReadonlyArray<Range> = []) =>
  ranges.map(([start, end]) => text.slice(start, end))

const nothing: Highlights = {}

describe("MatchMarks", () => {
  it("marks a word in its own spelling", function* () {
    for (const [written, other] of spelledAlike) {
      const title = `x ${written} y`
      expect(cut(title, (yield* marksIn({ title }, other)).title)).toEqual([written])
      expect(cut(title, (yield* marksIn({ title }, [part(other)])).title)).toEqual([written])
      const text = `${"word ".repeat(40)}${written}. ${"word ".repeat(40)}`
      const { excerpt } = yield* marksIn({ text }, other)
      expect(cut(excerpt?.text ?? "", excerpt?.ranges).join("")).toStartWith(written.slice(0, 1))
      expect(excerpt?.text).toContain(written)
      expect(text.slice(excerpt?.start).startsWith(excerpt?.text.replaceAll("…", "") ?? "-")).toBe(true)
    }
  })

  it("marks the words in every field that contains one", function* () {
    const said = {
      title: "Zebra and zebra",
      note: "a zebra",
      tags: ["horse", "zebra", "wild-zebra"],
      summary: "The zebra.",
      description: "zebra"
    }
    expect(yield* marksIn(said, "zebra")).toEqual({
      title: [
        [0, 5],
        [10, 15]
      ],
      note: [[2, 7]],
      tags: [
        [1, 0, 5],
        [2, 5, 10]
      ],
      summary: [[4, 9]],
      description: [[0, 5]]
    })
    expect(yield* marksIn({ ...said, title: "Other", tags: [] }, "other -zebra")).toEqual({
      title: [[0, 5]]
    })
    const id = yield* save("zebra-crossing", {})
    expect(yield* marksOf([id], "crossing")).toEqual([{ url: [[26, 34]] }])
    expect(yield* marksOf([id], "example.org")).toEqual([{ url: [[8, 19]] }])
  })

  it("marks each of several words", function* () {
    const said = { title: "Red apple, green apple", note: "red" }
    expect(yield* marksIn(said, "apple red")).toEqual({
      title: [
        [0, 3],
        [4, 9],
        [17, 22]
      ],
      note: [[0, 3]]
    })
    expect(yield* marksIn(said, "apple nowhere")).toEqual({
      title: [
        [4, 9],
        [17, 22]
      ]
    })
    expect(yield* marksIn(said, '"red apple"')).toEqual({ title: [[0, 9]] })
    expect(yield* marksIn(said, '"apple red"')).toEqual(nothing)
  })

  it("marks whole words for a stem, a prefix or a word without accents", function* () {
    const title = "Learned naïve café-goers learning E\u0301te\u0301"
    const marked = (text: string) => Effect.map(marksIn({ title }, text), (marks) => cut(title, marks.title))
    expect(yield* marked("learns ")).toEqual(["Learned", "learning"])
    expect(yield* marked("NAIVE CAFE")).toEqual(["naïve", "café"])
    expect(yield* marked("naïf naïve")).toEqual(["naïve"])
    expect(yield* marked("learning ca")).toEqual(["Learned", "café", "learning"])
    expect(yield* marked("été")).toEqual(["E\u0301te\u0301"])
    expect(yield* marked("goer")).toEqual(["goers"])
  })

  it("marks the corrections of a mistyped word", function* () {
    const terms: ReadonlyArray<Term> = [
      {
        text: "dokcer",
        kind: "either",
        negated: false,
        alternatives: ["docker", "dock"].map((text) => [{ text, kind: "prefix", negated: false }])
      }
    ]
    expect(yield* marksIn({ title: "Dock and dockers, no dolphin" }, terms)).toEqual({
      title: [
        [0, 4],
        [9, 16]
      ]
    })
  })

  it("marks parts of words for a part", function* () {
    const title = "Reimplementation UNIMPLEMENTED"
    const marks = yield* marksIn({ title, tags: ["reimplement"] }, [part("implement")])
    expect(cut(title, marks.title)).toEqual(["implement", "IMPLEMENT"])
    expect(marks.tags).toEqual([[0, 2, 11]])
    expect(yield* marksIn({ note: "a pineapple" }, [part("neappl")])).toEqual({ note: [[4, 10]] })
  })

  it("marks text without spaces, and emoji in UTF-16 units", function* () {
    const title = "🦊🦊 日本語の文書 and 東京都 too"
    const marked = (text: string) => Effect.map(marksIn({ title }, text), (marks) => cut(title, marks.title))
    expect(yield* marked("日本語")).toEqual(["日本語"])
    expect(yield* marked("語の文書")).toEqual(["語の文書"])
    expect(yield* marked("東京都 日本語")).toEqual(["日本語", "東京都"])
    expect(yield* marked("日本語 too")).toEqual(["日本語", "too"])
    expect(yield* marked("本日語")).toEqual([])
    const tagged = yield* marksIn({ tags: ["a", "日本語"], note: "日本語" }, "日本語")
    expect(tagged).toEqual({ tags: [[1, 0, 3]], note: [[0, 3]] })
    // A mark of one or two characters begins at the text.
    for (const [text, start] of [
      ["日", 5],
      ["本語", 6],
      ["東", 16],
      ["🦊", 0]
    ] as const) {
      const { title: ranges = [] } = yield* marksIn({ title }, text)
      expect({ text, start: ranges[0]?.[0] }).toEqual({ text, start })
    }
  })

  it("marks exactly one or two characters, each place once", function* () {
    expect(yield* marksIn({ title: "東京" }, "京")).toEqual({ title: [[1, 2]] })
    expect(yield* marksIn({ title: "日本語の文書" }, "日")).toEqual({ title: [[0, 1]] })
    expect(yield* marksIn({ title: "in 🦊" }, "🦊")).toEqual({ title: [[3, 5]] })
    expect(yield* marksIn({ title: "日本語の文書" }, "日本語 本語の")).toEqual({ title: [[0, 4]] })
    expect(yield* marksIn({ tags: ["日", "日本語"] }, "日")).toEqual({
      tags: [
        [0, 0, 1],
        [1, 0, 1]
      ]
    })
  })

  it("returns an excerpt of the page's text if no other field contains a word", function* () {
    const text = `${"before ".repeat(100)}a zebra and zebras, ${"after ".repeat(100)}`
    const id = yield* save("a", { title: "Other", text })
    const [{ excerpt, ...fields } = nothing] = yield* marksOf([id], "zebra")
    expect(fields).toEqual({})
    expect(cut(excerpt?.text ?? "", excerpt?.ranges)).toEqual(["zebra", "zebras"])
    expect(excerpt?.text.length).toBeLessThan(250)
    expect(excerpt?.text).toMatch(/^….*before a zebra and zebras, after.*…$/)
    expect(text.slice(excerpt?.start)).toStartWith((excerpt?.text ?? "").replace(/^…|…$/g, ""))
    expect(yield* marksOf([id], "nowhere")).toEqual([nothing])
    expect(yield* marksIn({ title: "Zebra", text }, "zebra")).toEqual({ title: [[0, 5]] })
    expect(yield* marksIn({ note: "My after", text }, "zebra after ")).toEqual({ note: [[3, 8]] })
    const whole = yield* marksIn({ text: "No zebra" }, "zebra")
    expect(whole).toEqual({ excerpt: { text: "No zebra", ranges: [[3, 8]], start: 0 } })
  })

  it("returns excerpts of unspaced text and for parts of words", function* () {
    const unspaced = yield* marksIn({ text: "これは長い文章です。日本語の".repeat(20) }, "日本語")
    const { ranges = [], text = "" } = unspaced.excerpt ?? {}
    expect(ranges.length).toBeGreaterThan(0)
    expect(new Set(cut(text, ranges))).toEqual(new Set(["日本語"]))
    const { excerpt } = yield* marksIn({ text: "many reimplementations there" }, [part("implement")])
    expect(cut(excerpt?.text ?? "", excerpt?.ranges)).toEqual(["implement"])
  })

  it("returns excerpts for the first ten links that need one", function* () {
    const ids: Array<number> = []
    for (let n = 0; n < 12; n++) ids.push(yield* save(`n${n}`, { text: "a zebra" }))
    ids.splice(3, 0, yield* save("titled", { title: "Zebra" }))
    const marks = yield* marksOf(ids, "zebra")
    expect(marks.map((one) => (one.excerpt ? "e" : one.title ? "t" : "-")).join("")).toBe("eeeteeeeeee--")
  })

  it("returns a given excerpt beside the marks of the fields", function* () {
    const id = yield* save("a", { title: "Zebra", text: "a zebra" })
    const excerpt = { text: "a zebra", ranges: [[2, 7] as const], start: 0 }
    const marks = yield* MatchMarks
    const { terms } = parseQuery("zebra", 0)
    expect(yield* marks.marks([id], terms, new Map([[id, excerpt]]))).toEqual([{ title: [[0, 5]], excerpt }])
  })

  it("returns marks in the requested order, empty for links without a match", function* () {
    const [a, b, c] = [
      yield* save("a", { title: "A zebra" }),
      yield* save("b", { title: "No animal" }),
      yield* save("c", { title: "Zebra" })
    ]
    expect(yield* marksOf([c, 999, b, a], "zebra")).toEqual([
      { title: [[0, 5]] },
      nothing,
      nothing,
      { title: [[2, 7]] }
    ])
    expect(yield* marksOf([], "zebra")).toEqual([])
    for (const none of ["", "-zebra", "is:favorite"])
      expect({ none, marks: yield* marksOf([a], none) }).toEqual({ none, marks: [nothing] })
  })

  it("keeps calls independent", function* () {
    const links = yield* LinkStore
    const zebra = yield* save("a", { title: "Zebra", text: "a yak" })
    const yak = yield* save("b", { title: "Yak and zebra" })
    expect(yield* marksOf([zebra], "zebra")).toEqual([{ title: [[0, 5]] }])
    expect(yield* marksOf([yak], "yak")).toEqual([{ title: [[0, 3]] }])
    expect(yield* marksOf([yak, zebra], "zebra")).toEqual([{ title: [[8, 13]] }, { title: [[0, 5]] }])
    yield* links.finish(zebra, found({ title: "Now another zebra" }))
    expect(yield* marksOf([zebra], "zebra")).toEqual([{ title: [[12, 17]] }])
  })

  it("never fails on hostile text, and works afterwards", function* () {
    const id = yield* save("a", {
      title: 'Zebra "quoted" * \ufdd0x\ufdd1 %',
      tags: ["zebra"],
      text: "a (b) c"
    })
    const kinds = ["word", "phrase", "prefix", "part"] as const
    const hostile = [
      '"',
      '""',
      "*",
      "AND",
      "NOT x",
      "(",
      "title:x",
      "\ufdd0",
      "\ufdd1",
      "\ud83e",
      "%",
      "'",
      "\\",
      "日"
    ]
    for (const text of hostile)
      for (const kind of kinds) {
        yield* marksOf([id], [{ text, kind, negated: false }])
        yield* marksOf(
          [id],
          [
            {
              text: "x",
              kind: "either",
              negated: false,
              alternatives: [[{ text, kind: "word", negated: false }]]
            }
          ]
        )
      }
    const [marks] = yield* marksOf([id], "zebra")
    expect(marks?.tags).toEqual([[0, 0, 5]])
  })
})
