import { describe, expect } from "bun:test"
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { type PublicQuery, parseQuery, type Term } from "../../../src/domain/LinkQuery.ts"
import { PublicText } from "../../../src/store/public/PublicText.ts"
import type { Strictness } from "../../../src/store/search/Matching.ts"
import { libraryTest } from "../../support/effect.ts"
import { spelledAlike } from "../../support/spelledAlike.ts"
import { ask, hide, of, projection, save, set } from "./shared.ts"

const it = libraryTest(projection)

/** How many of the newest matches are ranked. */
const RANKED = 1_000

const byNumber = (ids: ReadonlyArray<number>) => ids.toSorted((a, b) => a - b)

const ranked = (wanted: PublicQuery | string, strictness: Strictness = "all") =>
  Effect.flatMap(PublicText, (text) =>
    text.ranked(typeof wanted === "string" ? ask(wanted) : wanted, strictness)
  )

/** Expects each search to find these links and no others. */
const expectFound = (cases: Record<string, ReadonlyArray<number>>, strictness: Strictness = "all") =>
  Effect.gen(function* () {
    for (const [text, ids] of Object.entries(cases))
      expect({ text, ids: byNumber(yield* ranked(text, strictness)) }).toEqual({ text, ids: byNumber(ids) })
  })

const part = (text: string, negated = false) => of({ text, kind: "part", negated })

describe("PublicText", () => {
  it("ranks a word in the title before tags, summary or description, and the address last", function* () {
    const title = yield* save("A zebra")
    const tags = yield* save("Other", { tags: ["zebra"] })
    const description = yield* save("Other", { description: "A zebra" })
    const summary = yield* save("Other", { summary: "A zebra" })
    const url = yield* save("Other", { url: "https://example.org/zebra" })
    for (let n = 0; n < 20; n++) yield* save("Other", { summary: "No animal at all" })
    expect(yield* ranked("zebra")).toEqual([title, tags, summary, description, url])
  })

  it("finds a word in every spelling of its script", function* () {
    const sql = yield* SqlClient.SqlClient
    for (const [written, other] of spelledAlike) {
      const both = [yield* save(`x ${written} y`), yield* save("x", { description: other })]
      yield* expectFound({ [written]: both, [other]: both })
      yield* sql`UPDATE links SET title = 'gone' WHERE id = ${both[0] ?? 0}`
      yield* expectFound({ [written]: both.slice(1) })
      yield* sql`DELETE FROM links`
      for (const index of ["public_fts", "public_trigram"])
        yield* sql.unsafe(`INSERT INTO ${index} (${index}, rank) VALUES ('integrity-check', 1)`)
    }
  })

  it("excludes links that contain an unwanted word, phrase or sign", function* () {
    const a = yield* save("red apple")
    const b = yield* save("apple pie", { description: "red" })
    const c = yield* save("green apple 🍏 日本語")
    yield* expectFound({
      "apple -red": [c],
      "apple -pie -green": [a],
      'apple -"red apple"': [b, c],
      "apple -🍏": [a, b],
      "apple -日本": [a, b],
      "🍏 -apple": [],
      "日本 -red": [c],
      "apple -nothing": [a, b, c],
      "-red": []
    })
  })

  it("applies the filters of the query, and ignores favorites", function* () {
    const a = yield* save("apple", { favorite: true, collection: "Fruit", tags: ["red", "cpp"] })
    const b = yield* save("apple", { category: "reading" })
    yield* hide("apple", { collection: "Fruit", tags: ["red"], category: "reading" })
    yield* expectFound({
      "apple collection:fruit": [a],
      "apple -collection:fruit": [b],
      "apple category:Reading": [b],
      "apple tag:#Red": [a],
      "apple -tag:red": [b],
      "apple tag:C++": [a],
      "apple site:example.org": [a, b],
      "apple site:example.com": [],
      "apple after:2999-01-01": [],
      "apple is:favorite": [a, b],
      "apple -is:favorite": [a, b],
      "apple is:shareable": [a, b],
      "apple -is:shareable": [a, b]
    })
    expect(yield* ranked(ask("apple", { collection: null }))).toEqual([b])
    expect(yield* ranked(ask("apple", { collection: "FRUIT" }))).toEqual([a])
  })

  it("finds shared links by public fields only, whatever the kind of term", function* () {
    const text = yield* PublicText
    const secret = { note: "pineapple 🍍 秘密", text: "grapefruit 柚子 and more", favorite: true }
    const shown = yield* save("Shown 🌞 公開", secret)
    yield* hide("Shown 🌞 公開 but hidden", secret)
    yield* expectFound({ shown: [shown], sho: [shown], "🌞": [shown], 公開: [shown], 開: [shown] })
    for (const word of [
      "pineapple",
      "pine",
      '"pineapple"',
      "🍍",
      "秘密",
      "密",
      "grapefruit",
      "柚子",
      "柚",
      "hidden"
    ]) {
      yield* expectFound({ [word]: [], [`shown ${word}`]: [], [`🌞 ${word}`]: [] })
      // A negation reveals nothing either.
      yield* expectFound({ [`shown -${word}`]: [shown], [`🌞 -${word}`]: [shown] })
      expect(yield* text.allowed(ask(`-${word}`))).toEqual(new Set([shown]))
      for (const term of parseQuery(word, 0).terms)
        expect([word, yield* text.holds(term)]).toEqual([word, false])
    }
    expect(yield* ranked(part("neappl"))).toEqual([])
    expect(yield* ranked(part("idde"))).toEqual([])
    yield* expectFound({ "pineapple grapefruit": [], "shown pineapple": [shown] }, "any")
  })

  it("neither finds nor excludes anything by a private tag", function* () {
    const text = yield* PublicText
    const shown = yield* save("Shown", { tags: [".secretlabel", "open"] })
    const other = yield* save("Other", { tags: ["秘密", "open"] })
    const both = yield* save("Both", { tags: [".秘密", "open"] })
    yield* expectFound({
      secretlabel: [],
      secretl: [],
      '"secretlabel"': [],
      ".secretlabel": [],
      "shown secretlabel": [],
      "shown tag:.secretlabel": [],
      'shown tag:" .secretlabel"': [],
      "shown tag:..SecretLabel": [],
      "open tag:.秘密": [],
      "shown -tag:.secretlabel": [shown],
      "shown -secretlabel": [shown],
      "-secretlabel shown -nothing": [shown],
      秘密: [other],
      '"秘密"': [other],
      秘: [other],
      "open -秘密": [shown, both],
      open: [shown, other, both]
    })
    yield* expectFound({ "shown secretlabel": [shown], "secretlabel nothing": [] }, "any")
    expect(yield* ranked(part("cretlab"))).toEqual([])
    expect(yield* text.allowed(ask("-secretlabel"))).toEqual(new Set([shown, other, both]))
    expect(yield* text.allowed(ask("-秘密"))).toEqual(new Set([shown, both]))
    expect(yield* text.exact(ask("-secretlabel"), "shown", undefined)).toEqual([shown])
    expect((yield* text.words("s", 9)).filter(({ word }) => word.startsWith("s"))).toEqual([
      { word: "shown", links: 1 }
    ])
  })

  it("ranks the newest matches, and older ones with the words in their title", function* () {
    const sql = yield* SqlClient.SqlClient
    const titled = yield* save("apple")
    const unwanted = yield* save("apple", { description: "red" })
    const old = yield* save("Other", { description: "apple" })
    yield* sql`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${RANKED})
        INSERT INTO links (url, normalized_url, host, title, summary, category, shareable, created_at, updated_at)
        SELECT 'u' || i, 'u' || i, 'h', 't', 'apple', 'c', 1, '', '' FROM n`
    const ids = yield* ranked("apple")
    expect(ids.length).toBe(RANKED + 2)
    expect(byNumber(ids.slice(0, 2))).toEqual([titled, unwanted])
    expect(ids).not.toContain(old)
    const kept = yield* ranked("apple -red")
    expect(kept.length).toBe(RANKED + 1)
    expect(kept).not.toContain(unwanted)
  })

  it("ranks the same with and without private links", function* () {
    const sql = yield* SqlClient.SqlClient
    const words = ["apple", "banana", "cherry", "date"]
    for (let n = 0; n < 40; n++)
      yield* save(words.filter((_, i) => (n * 7) % (i + 2) === 0).join(" "), {
        summary: words.filter((_, i) => (n * 5) % (i + 3) === 0).join(" ")
      })
    const searches = ["apple", "banana date", "cherr", "date apple cherry", '"apple date"']
    const all = Effect.forEach(searches, (text) => ranked(text, "any"))
    const before = yield* all
    const text = yield* PublicText
    const known = yield* text.words("", 100)
    for (let n = 0; n < 60; n++)
      yield* hide("banana banana", { summary: n % 2 === 0 ? "apple date" : "cherry broccoli" })
    expect(yield* all).toEqual(before)
    expect(yield* text.words("", 100)).toEqual(known)
    yield* sql`UPDATE links SET shareable = 1 WHERE title = 'banana banana'`
    expect(yield* all).not.toEqual(before)
    yield* sql`UPDATE links SET shareable = 0 WHERE title = 'banana banana'`
    expect(yield* all).toEqual(before)
    expect(yield* text.words("", 100)).toEqual(known)
  })

  it("allows links by filters and unwanted words alone", function* () {
    const text = yield* PublicText
    const a = yield* save("red apple", { category: "reading" })
    const b = yield* save("green apple 🍏", { note: "red", tags: [".red"] })
    const c = yield* save("banana", { summary: "red", collection: "Fruit" })
    yield* hide("hidden", { collection: "Fruit" })
    for (const [asked, ids] of Object.entries({
      "-red": [b],
      "-red ": [b],
      "apple -green": [a, c],
      "-🍏": [a, c],
      "category:reading": [a],
      "-category:reading apple": [b, c],
      "category:reading -red": [],
      "is:favorite": [a, b, c],
      "tag:.red": []
    }))
      expect({ asked, ids: yield* text.allowed(ask(asked)) }).toEqual({ asked, ids: new Set(ids) })
    expect(yield* text.allowed(ask("apple"))).toBeUndefined()
    expect(yield* text.allowed(ask(""))).toBeUndefined()
    expect(yield* text.allowed(ask("", { collection: "fruit" }))).toEqual(new Set([c]))
    expect(yield* text.allowed(ask("", { collection: null }))).toEqual(new Set([a, b]))
  })

  it("tells whether a shared link contains a term", function* () {
    const text = yield* PublicText
    yield* save("Implementing things 日本語 🦊", { note: "pineapple 秘密", tags: [".quiet"] })
    yield* hide("Hidden 隠")
    const holds = (term: Partial<Term> & { readonly text: string }) =>
      text.holds({ kind: "word", negated: false, ...term })
    for (const term of ["implemented", "THINGS", "日", "日本語", "🦊"])
      expect({ term, holds: yield* holds({ text: term }) }).toEqual({ term, holds: true })
    for (const term of ["imple", "本日", "🐻", '"', "*", "pineapple", "秘密", "quiet", "hidden", "隠"])
      expect({ term, holds: yield* holds({ text: term }) }).toEqual({ term, holds: false })
    expect(yield* holds({ text: "imple", kind: "prefix" })).toBe(true)
    expect(yield* holds({ text: "lement", kind: "part" })).toBe(true)
    expect(yield* holds({ text: "apple", kind: "part" })).toBe(false)
    expect(yield* holds({ text: "uie", kind: "part" })).toBe(false)
    expect(yield* holds({ text: "implementing things", kind: "phrase" })).toBe(true)
    expect(yield* holds({ text: "things implementing", kind: "phrase" })).toBe(false)
  })

  it("lists the words of shared links, without those of unshared links", function* () {
    const text = yield* PublicText
    yield* save("Zebra zebras", { description: "Zoos, zebras", note: "zinc", text: "zest" })
    const gone = yield* save("A zebra in a zone, and Ärger", { tags: [".zeal"] })
    yield* hide("Zeppelin")
    const counts = (letter: string) =>
      Effect.map(text.words("", 100), (words) =>
        Object.fromEntries(words.filter(({ word }) => word[0] === letter).map((one) => [one.word, one.links]))
      )
    expect(yield* counts("z")).toEqual({ zebra: 2, zone: 1, zoo: 1 })
    expect(yield* counts("q")).toEqual({})
    expect(Object.keys(yield* counts("a"))).toContain("arger")
    yield* set(gone, "shareable", 0)
    expect(yield* counts("z")).toEqual({ zebra: 1, zoo: 1 })
  })
})
