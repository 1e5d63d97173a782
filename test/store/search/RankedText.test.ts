import { describe, expect } from "bun:test"
import { SqlClient } from "@effect/sql"
import { Effect, Layer } from "effect"
import type { FieldValues } from "../../../src/domain/Change.ts"
import { type LinkQuery, parseQuery, type Term } from "../../../src/domain/LinkQuery.ts"
import { ChangeStore } from "../../../src/store/links/ChangeStore.ts"
import { LinkList } from "../../../src/store/links/LinkList.ts"
import { LinkStore, type NewLink } from "../../../src/store/links/LinkStore.ts"
import type { Strictness } from "../../../src/store/search/Matching.ts"
import { RANKED, RankedText } from "../../../src/store/search/RankedText.ts"
import { libraryTest } from "../../support/effect.ts"
import { hostileTexts } from "../../support/hostileTexts.ts"
import { stores } from "../../support/library.ts"
import { found, newLink } from "../../support/links.ts"
import { spelledAlike } from "../../support/spelledAlike.ts"

const it = libraryTest(Layer.provideMerge(RankedText.layer, stores()))

interface Said extends Partial<Omit<FieldValues, "id" | "title" | "summary">> {
  readonly link?: Partial<NewLink>
  readonly summary?: string
  readonly description?: string
  readonly text?: string
}

let saved = 0

const save = (title: string, { description = "", link, summary = "", text = "", ...values }: Said = {}) =>
  Effect.gen(function* () {
    const links = yield* LinkStore
    const changes = yield* ChangeStore
    const { link: claimed } = yield* links.upsert(newLink(`p${++saved}`, link))
    const { id } = claimed
    const enriched = found({ title, description, text }, { summary: { summary, tags: [], category: null } })
    yield* links.finish(id, enriched)
    const fields: Array<"favorite" | "shareable" | "category" | "collection"> = []
    for (const field of ["favorite", "shareable", "category", "collection"] as const)
      if (values[field] !== undefined) fields.push(field)
    if (fields.length > 0) yield* changes.apply({ fields, links: [{ id, ...values }] })
    return id
  })

const query = (text: string, more: Partial<LinkQuery> = {}): LinkQuery => ({
  ...parseQuery(text, 0),
  sort: "relevance",
  limit: 100,
  ...more
})

const of = (...terms: ReadonlyArray<Partial<Term> & { readonly text: string }>): LinkQuery =>
  query("", { terms: terms.map((term) => ({ kind: "word", negated: false, ...term })) })

/** A term that words beginning with one of these match. */
const alternativesTo = (words: ReadonlyArray<string>): Term => ({
  text: "dokcer",
  kind: "either",
  negated: false,
  alternatives: words.map((text) => [{ text, kind: "prefix", negated: false }])
})

const ranked = (
  wanted: LinkQuery | string,
  {
    strictness = "all",
    newest = 1e9
  }: {
    readonly strictness?: Strictness
    readonly newest?: number
  } = {}
) =>
  Effect.flatMap(RankedText, (text) =>
    text.ranked(typeof wanted === "string" ? query(wanted) : wanted, strictness, newest)
  )

/** Expects each search to find these links and no others. */
const expectFound = (cases: Record<string, Array<number>>) =>
  Effect.gen(function* () {
    for (const [text, ids] of Object.entries(cases))
      expect({ text, ids: (yield* ranked(text)).toSorted((a, b) => a - b) }).toEqual({
        text,
        ids
      })
  })

describe("RankedText", () => {
  it("finds the words of an encoded address", function* () {
    const id = yield* save("x", {
      link: {
        url: "https://xn--e1afmkfd.xn--p1ai/%E6%96%87%E7%AB%A0/%D0%9C%D0%BE%D1%81%D0%BA%D0%B2%D0%B0",
        normalizedUrl: "https://xn--e1afmkfd.xn--p1ai/encoded"
      }
    })
    yield* save("other")
    for (const words of ["文章", "москва", "Москва", "моск", "пример", "пример.рф", "пример文章"])
      expect({ words, ids: yield* ranked(words) }).toEqual({ words, ids: words === "пример文章" ? [] : [id] })
    expect(yield* ranked("other -москва")).toHaveLength(1)
  })

  it("finds a word in every spelling of its script, until it changes, and after a rebuild", function* () {
    const sql = yield* SqlClient.SqlClient
    for (const [written, other] of spelledAlike) {
      const title = yield* save(`x ${written} y`)
      const text = yield* save("x", { text: `in a text: ${other}.` })
      const both = [title, text]
      for (const one of [written, other]) {
        expect({ one, ids: (yield* ranked(one)).toSorted((a, b) => a - b) }).toEqual({ one, ids: both })
        expect({ one, ids: (yield* ranked(`"${one}"`)).toSorted((a, b) => a - b) }).toEqual({
          one,
          ids: both
        })
      }
      for (const index of ["links_fts", "links_trigram"]) {
        yield* sql.unsafe(`INSERT INTO ${index} (${index}, rank) VALUES ('integrity-check', 1)`)
        yield* sql.unsafe(`INSERT INTO ${index} (${index}) VALUES ('rebuild')`)
      }
      expect((yield* ranked(other)).toSorted((a, b) => a - b)).toEqual(both)
      yield* sql`UPDATE links SET title = 'gone' WHERE id = ${title}`
      expect(yield* ranked(written)).toEqual([text])
      yield* sql`DELETE FROM links`
      expect(yield* ranked(written)).toEqual([])
    }
  })

  it("ranks a word in the title before tags, note or description, and the page's text last", function* () {
    const title = yield* save("A zebra")
    const tags = yield* save("Other", { link: { tags: ["zebra"] } })
    const note = yield* save("Other", { link: { note: "A zebra" } })
    const description = yield* save("Other", { description: "A zebra" })
    const text = yield* save("Other", { text: "A zebra" })
    for (let n = 0; n < 20; n++) yield* save("Other", { text: "No animal at all" })
    expect(yield* ranked("zebra")).toEqual([title, tags, note, description, text])
  })

  it("ranks the newer of two equal links first, and omits links newer than requested", function* () {
    const [a, b, c] = [yield* save("Same words"), yield* save("Same words"), yield* save("Same words")]
    expect(yield* ranked("same words")).toEqual([c, b, a])
    expect(yield* ranked("same words", { newest: b })).toEqual([b, a])
    expect(yield* ranked("same words", { newest: 0 })).toEqual([])
  })

  it("requires all words, or any", function* () {
    const three = yield* save("apple banana cherry")
    const two = yield* save("apple cherry")
    const one = yield* save("banana")
    yield* save("none of them")
    const find = (text: string, strictness: Strictness) =>
      Effect.map(ranked(text, { strictness }), (ids) => ids.toSorted((a, b) => a - b))
    expect(yield* find("apple banana cherry", "all")).toEqual([three])
    expect(yield* find("apple banana cherry", "any")).toEqual([three, two, one])
    expect(yield* find("apple banana", "any")).toEqual([three, two, one])
    const many = "apple banana cherry date elder fig grape hazel iris"
    expect(yield* find(many, "all")).toEqual([])
    expect(yield* find(many, "any")).toEqual([three, two, one])
    expect(yield* find(`"apple banana" nowhere nothing`, "any")).toEqual([])
    expect(yield* find(`"apple banana" cherry nowhere`, "any")).toEqual([three])
    expect(yield* find("apple banana cherry -cherry", "any")).toEqual([one])
  })

  it("finds words by stem, by prefix, without accents, and quoted words in order", function* () {
    const a = yield* save("Learning Naïve Bayes")
    const b = yield* save("Bayes, learnt naively")
    yield* expectFound({
      learn: [a, b],
      "learns ": [a],
      "LEARNED bayes": [a],
      naive: [a, b],
      NAÏVE: [a, b],
      '"naive bayes"': [a],
      '"bayes naive"': [],
      lear: [a, b],
      "lear learning": []
    })
    expect(yield* ranked(of({ text: "lear", kind: "prefix" }))).toEqual(yield* ranked("lear"))
    expect(yield* ranked(of({ text: "lear" }))).toEqual([])
  })

  it("finds any of the alternatives to a word", function* () {
    const [a, b] = [yield* save("Docker images"), yield* save("Dock workers")]
    const find = (instead: ReadonlyArray<string>, more: ReadonlyArray<Term> = []) =>
      ranked(query("", { terms: [alternativesTo(instead), ...more] }))
    expect(yield* find(["docker"])).toEqual([a])
    expect((yield* find(["docker", "work"])).toSorted((x, y) => x - y)).toEqual([a, b])
    expect(yield* find(["docker", "worker"], parseQuery('"images"', 0).terms)).toEqual([a])
    expect(yield* find(["docker", "worker"], parseQuery("-workers ", 0).terms)).toEqual([a])
    expect(yield* find(['a" OR "docker'])).toEqual([])
  })

  it("finds any part of unspaced text of one, two and three characters", function* () {
    const title = yield* save("日本語の文書")
    const last = yield* save("東京")
    const text = yield* save("Page", { text: "これは日本の長い文章です" })
    const hangul = yield* save("한국어 문서")
    const thai = yield* save("ภาษาไทย")
    yield* expectFound({
      日: [title, text],
      日本: [title, text],
      日本語: [title],
      語の文: [title],
      書: [title],
      京: [last],
      文書: [title],
      本日: [],
      日本語東京: [],
      "日本 文書": [title],
      "日本 -語": [text],
      한국어: [hangul],
      한국: [hangul],
      ไทย: [thai],
      ภ: [thai]
    })
  })

  it("finds emoji and signs", function* () {
    const fox = yield* save("A 🦊 in a title")
    const family = yield* save("Last 👩‍👩‍👧")
    const cpp = yield* save("C++ and C# and $1,000 at 50%")
    const both = yield* save("🦊🐻")
    const quotes = yield* save('He said "yes"')
    yield* expectFound({
      "🦊": [fox, both],
      "🦊🐻": [both],
      "🐻": [both],
      "👩‍👩‍👧": [family],
      "🦊 title": [fox],
      "title 🦊": [fox],
      "title -🦊": [],
      "-🦊 c": [cpp],
      "++": [cpp],
      $: [cpp],
      "%": [cpp],
      '"yes': [quotes],
      "🦁": []
    })
    for (const text of ['"', ' "', '"y'])
      expect({ text, ids: yield* ranked(of({ text, kind: "part" })) }).toEqual({ text, ids: [quotes] })
  })

  it("finds parts of words if a part is requested", function* () {
    const [a, b] = [yield* save("Reimplementation"), yield* save("Other", { summary: "UNIMPLEMENTED" })]
    const find = (text: string, negated = false) =>
      Effect.map(ranked(of({ text, kind: "part", negated })), (ids) => ids.toSorted((a, b) => a - b))
    expect(yield* find("implement")).toEqual([a, b])
    expect(yield* find("IMPLEMENTE")).toEqual([b])
    expect(yield* find("IM")).toEqual([a, b])
    expect(yield* find("mplemént")).toEqual([a, b])
    expect(yield* find("implementx")).toEqual([])
    expect(yield* find('"implement')).toEqual([])
    expect(yield* ranked("implement")).toEqual([])
  })

  it("excludes links that contain an unwanted word, phrase or sign", function* () {
    const a = yield* save("red apple")
    const b = yield* save("apple pie", { link: { note: "red" } })
    const c = yield* save("green apple 🍏 日本語")
    yield* expectFound({
      "apple -red": [c],
      "apple -pie -green": [a],
      'apple -"red apple"': [b, c],
      "apple -🍏": [a, b],
      "apple -日本": [a, b],
      "🍏 -apple": [],
      "日本 -red": [c],
      "apple -nothing": [a, b, c]
    })
    expect(yield* ranked(query("-red"))).toEqual([])
  })

  it("applies the filters of the query", function* () {
    const a = yield* save("apple", { favorite: true, collection: "Fruit", link: { tags: ["red", "cpp"] } })
    const b = yield* save("apple", { category: "reading", shareable: true })
    yield* expectFound({
      "apple is:favorite": [a],
      "apple -is:favorite": [b],
      "apple collection:fruit": [a],
      "apple -collection:fruit": [b],
      "apple category:Reading": [b],
      "apple tag:#Red": [a],
      "apple -tag:red": [b],
      "apple tag:C++": [a],
      "apple site:example.org": [a, b],
      "apple site:example.com": [],
      "apple after:2999-01-01": []
    })
    expect(yield* ranked(query("apple", { collection: null }))).toEqual([b])
    expect(yield* ranked(query("apple", { favorite: true }))).toEqual([a])
    expect(yield* ranked(query("apple", { shareable: false }))).toEqual([a])
  })

  it("finds notes and the page's text, whatever the kind of term", function* () {
    yield* save("Shown", { link: { note: "pineapple 🍍 秘密" }, text: "grapefruit 柚子 and more" })
    yield* save("Other", { link: { note: "pineapple 🍍 秘密" }, text: "grapefruit 柚子 and more" })
    for (const word of ["pineapple", "pine", '"pineapple"', "🍍", "秘密", "密", "grapefruit", "柚子", "柚"])
      expect({ word, found: (yield* ranked(word)).length }).toEqual({ word, found: 2 })
    expect((yield* ranked(of({ text: "neappl", kind: "part" }))).length).toBe(2)
  })

  it("ranks the newest matches, and older ones with the words in their title", function* () {
    const text = yield* RankedText
    const sql = yield* SqlClient.SqlClient
    const titled = yield* save("apple", { description: "red" })
    const old = yield* save("Other", { description: "apple" })
    yield* sql`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${RANKED})
        INSERT INTO links (url, normalized_url, host, title, note, category, created_at, updated_at)
        SELECT 'u' || i, 'u' || i, 'h', 't', 'apple', 'c', '', '' FROM n`
    const ids = yield* ranked("apple")
    expect(ids.length).toBe(RANKED + 1)
    expect(ids[0]).toBe(titled)
    expect(ids).not.toContain(old)
    // An unwanted word excludes the older link too.
    expect(yield* ranked("apple -red")).not.toContain(titled)
    const { limit: _, ...unlimited } = query("apple")
    expect((yield* ranked(unlimited)).length).toBe(RANKED + 2)
    const newest = yield* text.newest
    expect(yield* text.older(query("apple"), newest, 3)).toEqual([newest - 1, newest - 2, newest - 3])
    expect(yield* text.older(query("apple"), old + 1, 10)).toEqual([old, titled])
    expect(yield* text.older(query("apple"), old, 10)).toEqual([titled])
  })

  it("finds a common word among few links and many", function* () {
    const sql = yield* SqlClient.SqlClient
    const list = yield* LinkList
    yield* sql`INSERT INTO collections (id, name, created_at) VALUES (1, 'Few', ''), (2, 'Many', '')`
    // Of three links two contain the word, which the newest have in their title.
    yield* sql`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${3 * RANKED})
        INSERT INTO links (url, normalized_url, host, title, note, tags, category, state, collection_id, created_at, updated_at)
        SELECT 'u' || i, 'u' || i, 'h', iif(i > ${2 * RANKED} AND i % 3 > 0, 'apple', 't'), iif(i % 3 > 0, 'apple', 'pear'),
          iif(i % 5 = 0, '["five"]', '[]'), 'c', iif(i % 2 = 0, 'archived', 'read'), iif(i % 100 < 6, 1, 2), '', '' FROM n`
    const all = Array.from({ length: 3 * RANKED }, (_, index) => index + 1).filter((i) => i % 3 > 0)
    const expected: ReadonlyArray<readonly [query: LinkQuery, isFound: (i: number) => boolean]> = [
      [query("apple", { collection: 1 }), (i) => i % 100 < 6],
      [query("apple collection:few"), (i) => i % 100 < 6],
      [query("apple -collection:many tag:five"), (i) => i % 100 < 6 && i % 5 === 0],
      [query("apple tag:five"), (i) => i % 5 === 0],
      [query("apple collection:few", { hideArchived: true }), (i) => i % 100 < 6 && i % 2 === 1],
      [query("apple", { hideArchived: true }), (i) => i % 2 === 1],
      [query("apple", { collection: 2 }), (i) => i % 100 >= 6],
      [query("apple is:archived"), (i) => i % 2 === 0]
    ]
    for (const [asked, isFound] of expected) {
      const ids = all.filter(isFound)
      expect(yield* list.count(asked)).toBe(ids.length)
      const { limit: _, ...unlimited } = asked
      expect((yield* ranked(unlimited)).toSorted((a, b) => a - b)).toEqual(ids)
      const titled = ids.filter((i) => i > 2 * RANKED)
      const best = yield* ranked(asked)
      expect(best.slice(0, titled.length).toSorted((a, b) => a - b)).toEqual(titled)
      expect(best.length).toBe(Math.min(ids.length, RANKED))
    }
  })

  it("finds exact matches by title in any case or by address", function* () {
    const text = yield* RankedText
    const a = yield* save("Effect")
    const b = yield* save("EFFECT", { shareable: true })
    const c = yield* save("Effect system", { link: { normalizedUrl: "https://effect.website/" } })
    const exact = (title: string, address?: string, more = "") => text.exact(query(more), title, address)
    expect(yield* exact("effect")).toEqual([b, a])
    expect(yield* exact("Effec")).toEqual([])
    expect(yield* exact("effect%")).toEqual([])
    expect(yield* exact("https://effect.website/", "https://effect.website/")).toEqual([c])
    expect(yield* exact("effect", "https://effect.website/")).toEqual([c, b, a])
    expect(yield* exact("", "https://effect.web")).toEqual([])
    expect(yield* exact("effect", undefined, "is:shareable")).toEqual([b])
    expect(yield* exact("effect", "https://effect.website/", "-system ")).toEqual([b, a])
  })

  it("allows links by filters and unwanted words alone", function* () {
    const text = yield* RankedText
    const a = yield* save("red apple", { favorite: true })
    const b = yield* save("green apple 🍏", { shareable: true })
    const c = yield* save("banana", { link: { note: "red" } })
    const all = [c, b, a, 9_999]
    const cases: Record<string, ReadonlyArray<number>> = {
      "": [a, b, c],
      nothing: [a, b, c],
      "-red": [b],
      "-red ": [b],
      "apple -green": [a, c],
      "-🍏": [a, c],
      "is:favorite": [a],
      "-is:favorite apple": [b, c],
      "is:favorite -red": []
    }
    for (const [asked, ids] of Object.entries(cases)) {
      const admitted = yield* text.admitted(all, query(asked))
      expect({ asked, ids: admitted }).toEqual({ asked, ids: new Set(ids) })
      expect({ asked, ids: yield* text.allowed(query(asked), 3) }).toEqual({
        asked,
        ids: new Set(ids)
      })
    }
    expect(yield* text.admitted([b], query(""))).toEqual(new Set([b]))
    expect(yield* text.admitted([], query(""))).toEqual(new Set())
  })

  it("returns no set of allowed links above the requested size", function* () {
    const text = yield* RankedText
    yield* save("a", { favorite: true })
    yield* save("b", { favorite: true })
    yield* save("c")
    expect((yield* text.allowed(query(""), 3))?.size).toBe(3)
    expect(yield* text.allowed(query(""), 2)).toBeUndefined()
    expect((yield* text.allowed(query("is:favorite"), 2))?.size).toBe(2)
    expect((yield* text.allowed(query("is:shareable"), 0))?.size).toBe(0)
  })

  it("tells whether any link contains a term", function* () {
    const text = yield* RankedText
    yield* save("Implementing things 日本語 🦊", { link: { note: "pineapple 秘密" } })
    const holds = (term: Partial<Term> & { readonly text: string }) =>
      text.holds({ kind: "word", negated: false, ...term })
    for (const term of ["implemented", "THINGS", "日", "日本語", "🦊", "pineapple", "秘密"])
      expect({ term, holds: yield* holds({ text: term }) }).toEqual({ term, holds: true })
    for (const term of ["imple", "thin", "本日", "🐻", "apple", '"', "*"])
      expect({ term, holds: yield* holds({ text: term }) }).toEqual({ term, holds: false })
    expect(yield* holds({ text: "imple", kind: "prefix" })).toBe(true)
    expect(yield* holds({ text: "apple", kind: "part" })).toBe(true)
    expect(yield* holds({ text: "implementing things", kind: "phrase" })).toBe(true)
    expect(yield* holds({ text: "things implementing", kind: "phrase" })).toBe(false)
  })

  it("lists stems in order, with the number of links", function* () {
    const text = yield* RankedText
    const links = yield* LinkStore
    yield* save("Zebra zebras", { description: "Zoos, zebras" })
    const gone = yield* save("A zebra in a zone, and Ärger")
    expect((yield* text.words("zeb", 10)).filter(({ word }) => word.startsWith("z"))).toEqual([
      { word: "zebra", links: 2 },
      { word: "zone", links: 1 },
      { word: "zoo", links: 1 }
    ])
    expect(yield* text.words("zebra", 1)).toEqual([{ word: "zone", links: 1 }])
    expect((yield* text.words("", 100)).map(({ word }) => word)).toContain("arger")
    expect(yield* text.words("zoo", 10)).toEqual([])
    yield* links.remove([gone])
    expect(yield* text.words("zeb", 2)).toEqual([
      { word: "zebra", links: 1 },
      { word: "zoo", links: 1 }
    ])
  })

  it("counts the links that contain a term, up to a limit", function* () {
    const text = yield* RankedText
    for (const title of ["apple pie", "apple tart", "apples", "pie"]) yield* save(title)
    const { terms } = of(
      { text: "apple" },
      { text: "tarts" },
      { text: "ta", kind: "prefix" },
      { text: "apple pie", kind: "phrase" },
      { text: "apple", negated: true },
      { text: "pear" },
      { text: "🦊" }
    )
    expect(yield* text.counts(terms, 10)).toEqual([3, 1, 1, 1, 3, 0, 0])
    expect(yield* text.counts(terms, 1)).toEqual([1, 1, 1, 1, 1, 0, 0])
    expect(yield* text.counts([], 1)).toEqual([])
  })

  it("finds titles and addresses that begin with a text, the shortest titles first", function* () {
    const text = yield* RankedText
    const at = (normalizedUrl: string) => ({ link: { normalizedUrl } })
    const long = yield* save("Effect system", { favorite: true, ...at("https://example.org/1") })
    const short = yield* save("EFFECTS", at("https://example.org/2"))
    const host = yield* save("Something else", at("https://www.effect.website/docs"))
    yield* save("An effect", at("https://example.org/effect"))
    yield* save("100%_x", at("https://example.org/4"))
    const begun = (start: string, more = "") => text.begun(query(more), start)
    expect(yield* begun("effect")).toEqual([short, long, host])
    expect(yield* begun("Effect ")).toEqual([long])
    expect(yield* begun("effect.WEB")).toEqual([host])
    expect(yield* begun("effect.website/do")).toEqual([host])
    expect(yield* begun("effect", "is:favorite")).toEqual([long])
    expect(yield* begun("%")).toEqual([])
    expect(yield* begun("10_")).toEqual([])
  })

  it("requires a required word at any strictness", function* () {
    const both = yield* save("apple banana")
    const one = yield* save("apple")
    yield* save("banana")
    const terms = of({ text: "apple", required: true }, { text: "banana" }, { text: "cherry" })
    expect(yield* ranked(terms, { strictness: "any" })).toEqual([both])
    expect(yield* ranked(of({ text: "apple", required: true }), { strictness: "any" })).toEqual([one, both])
  })

  it("returns the highest id", function* () {
    const text = yield* RankedText
    expect(yield* text.newest).toBe(0)
    yield* save("a")
    const last = yield* save("b")
    expect(yield* text.newest).toBe(last)
  })

  it("never fails on hostile text", function* () {
    const text = yield* RankedText
    const id = yield* save("Something a title may say")
    const kinds = ["word", "phrase", "prefix", "part"] as const
    for (const one of hostileTexts) {
      for (const kind of kinds) {
        const term: Term = { text: one, kind, negated: false }
        const not: Term = { ...term, negated: true }
        const asked = query("", { terms: [term, { text: "title", kind: "word", negated: false }, not] })
        yield* ranked(asked)
        yield* text.admitted([id], of(not))
        yield* text.holds(term)
      }
      yield* text.older(query(`${one} title`), 100, 5)
      yield* ranked(
        query("", { terms: [alternativesTo([one]), { text: one, kind: "word", negated: false }] }),
        {
          strictness: "any"
        }
      )
      yield* text.begun(query(one), one)
      yield* text.counts([{ text: one, kind: "prefix", negated: false }], 5)
      yield* text.exact(query(`-${one}`), one, one)
      yield* text.allowed(query(one), 5)
      yield* text.words(one, 5)
    }
    expect(yield* ranked("something")).toEqual([id])
  })
})
