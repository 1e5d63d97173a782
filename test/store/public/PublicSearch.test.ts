import { describe, expect, spyOn, test } from "bun:test"
import { SqlClient } from "@effect/sql"
import { Deferred, Effect, Fiber, Layer, Option } from "effect"
import { LinkId } from "../../../src/domain/Link.ts"
import { type PublicCursor, type PublicQuery, parseQuery } from "../../../src/domain/LinkQuery.ts"
import { EditLinks } from "../../../src/library/EditLinks.ts"
import { Embeddings } from "../../../src/library/Embeddings.ts"
import { SearchLinks } from "../../../src/library/SearchLinks.ts"
import {
  isPublicSearch,
  PublicListBusy,
  PublicSearch,
  trimToBudget
} from "../../../src/search/PublicSearch.ts"
import { LinkStore } from "../../../src/store/links/LinkStore.ts"
import { PublicText } from "../../../src/store/public/PublicText.ts"
import { libraryTest } from "../../support/effect.ts"
import { found as described, newLink } from "../../support/links.ts"
import { ask, embed, found, hide, type Saved, save, search, searching, set, titlesOf } from "./shared.ts"

const it = libraryTest(searching)

const SHELF: ReadonlyArray<readonly [title: string, description: string]> = [
  ["Baking sourdough bread at home", "How to keep a starter alive and shape a loaf"],
  ["A pastry course", "Learn to make croissants, cakes and cookies in your own kitchen"],
  ["PostgreSQL performance", "Query plans, indexes and vacuuming explained"],
  ["SQLite as a document store", "Storing JSON documents in an embedded relational database"],
  ["Fingerstyle guitar", "Lessons and tabs for acoustic guitar players"],
  ["Café culture in Zürich", "Where to drink espresso"],
  ["日本語の文法", "動詞と助詞の使い方"],
  ["Kubernetes operators", "Running stateful applications on a cluster"]
]

/** Saves the shelf as shared links and embeds it. */
const shelf = Effect.gen(function* () {
  for (const [title, description] of SHELF) yield* save(title, { description })
  yield* embed
})

/** Saves the same shelf as private links. */
const hiddenShelf = Effect.gen(function* () {
  for (const [title, description] of SHELF) yield* hide(title, { description })
})

/** The marks in the one link that a search finds. */
const marks = (text: string) => Effect.map(search(text), ({ highlights }) => highlights?.[0])

/** The titles of all pages in turn. */
const pages = Effect.fnUntraced(function* (text: string, more: Partial<PublicQuery> = {}) {
  const all: Array<ReadonlyArray<string>> = []
  const cursors: Array<PublicCursor> = []
  let cursor: PublicCursor | undefined
  while (all.length < 100) {
    const page = yield* search(text, { ...more, cursor })
    all.push(titlesOf(page))
    if (page.next === null) return { all, cursors, total: page.total }
    cursors.push(page.next)
    cursor = page.next
  }
  return yield* Effect.dieMessage("the pages have no end")
})

describe("PublicSearch", () => {
  it("reveals no note and no private link", function* () {
    const links = yield* LinkStore
    const embeddings = yield* Embeddings
    for (const [title, description, note] of [
      ["An old harbour", "Cranes", "for the surprise party"],
      ["Surprise parties", "How to throw one", ""]
    ] as const) {
      const { link } = yield* links.upsert(newLink(encodeURIComponent(title), { note }))
      const written = yield* links.finish(link.id, described({ title, description }))
      if (Option.isSome(written)) yield* embeddings.writeVector(written.value, Option.none())
    }
    const edits = yield* EditLinks
    yield* edits.change([LinkId.make(1)], { shareable: true })
    yield* embed
    expect(yield* found("surprise party")).toEqual([])
    expect(yield* found("harbour")).toEqual(["An old harbour"])
    expect(yield* marks("harbour")).toEqual({ title: [[7, 14]] })
    const owner = yield* SearchLinks
    const own = yield* owner.page({ ...parseQuery("surprise", 0), sort: "relevance", limit: 20 })
    expect(own.links.map((json) => JSON.parse(json).title)).toContain("An old harbour")
  })

  it("finds shared links by public fields only", function* () {
    yield* save("Shown", { note: "pineapple", text: "grapefruit", tags: [".mango"], favorite: true })
    yield* hide("Hidden")
    yield* embed
    for (const text of ["", "shown", "-pineapple", "is:favorite", "-is:favorite", "-is:shareable"])
      expect([text, yield* found(text)]).toEqual([text, ["Shown"]])
    expect(yield* found("shown -pineapple -grapefruit -mango -tag:.mango")).toEqual(["Shown"])
    for (const text of ["pineapple", "grapefruit", "hidden", "pine", "mango", "ineappl", "tag:.mango"])
      expect([text, yield* found(text)]).toEqual([text, []])
  })

  it("finds names with signs while they are typed", function* () {
    yield* save("A tour of C++")
    yield* save("Notes on pointers", { tags: ["cpp"] })
    yield* save("Vitamin C")
    yield* hide("More C++")
    yield* embed
    for (const typed of ["c+", "c++"]) {
      const [first, second] = yield* found(typed)
      expect([typed, [first, second].toSorted()]).toEqual([typed, ["A tour of C++", "Notes on pointers"]])
    }
  })

  it("marks no note, page text or private tag, in either index", function* () {
    yield* save("Zebra 日本語です", {
      note: "zebra 日本語です pineapple 秘密です",
      text: "grapefruit zebra 柚子です",
      tags: [".zebra", "horse", ".日本語", "zebra-日本語"]
    })
    yield* embed
    expect(yield* marks("zebra 日本語")).toEqual({
      title: [
        [0, 5],
        [6, 9]
      ],
      tags: [
        [1, 0, 5],
        [1, 6, 9]
      ]
    })
    expect(yield* marks("horse")).toEqual({ tags: [[0, 0, 5]] })
    for (const secret of ["pineapple", "秘密で", "grapefruit", "柚子で"])
      expect([secret, yield* found(secret)]).toEqual([secret, []])
    // One word finds the link, and the secret one is not marked.
    for (const secret of ["pineapple", "grapefruit"])
      expect([secret, yield* marks(`horse ${secret}`)]).toEqual([secret, { tags: [[0, 0, 5]] }])
  })

  it("returns no excerpt of a page's text", function* () {
    yield* save("A zebra", { text: "many words around a zebra" })
    yield* embed
    expect(yield* marks("zebra")).toEqual({ title: [[2, 7]] })
    expect(yield* found("words")).toEqual([])
  })

  it("marks the words in each field", function* () {
    yield* save("Naïve caching", {
      description: "Caches and how to fill them",
      summary: "Cache",
      url: "https://example.org/cache",
      note: "read for the cache"
    })
    expect(yield* marks("cached naive")).toEqual({
      title: [
        [0, 5],
        [6, 13]
      ],
      description: [[0, 6]],
      summary: [[0, 5]],
      url: [[20, 25]]
    })
  })

  it("finds links by meaning, after those that contain the words", function* () {
    yield* shelf
    expect((yield* found("databases"))[0]).toBe("SQLite as a document store")
    expect(yield* found("database indexes sql")).toContain("PostgreSQL performance")
  })

  it("finds by the meaning of public fields alone", function* () {
    yield* hiddenShelf
    yield* save("Untitled", {
      note: "relational database queries and indexes",
      text: "PostgreSQL database"
    })
    yield* save("Nameless", { tags: [".database", ".postgresql"] })
    yield* embed
    expect(yield* found("relational databases")).toEqual([])
    expect(yield* found("postgresql")).toEqual([])
  })

  it("ranks exact matches first: a title in any case, an address, a phrase", function* () {
    yield* hide("Go", { description: "The Go programming language" })
    yield* save("Go", { description: "The Go programming language" })
    yield* save("Go go go", { description: "All about Go, going, gone: go and see how Go goes" })
    yield* save("Learning Go", {
      description: "Go by example, go tutorials, go exercises, go go go",
      url: "https://example.org/learning"
    })
    yield* embed
    expect((yield* found("go"))[0]).toBe("Go")
    expect((yield* found("https://EXAMPLE.org/learning?utm_source=x"))[0]).toBe("Learning Go")
    expect((yield* found('"go by example"'))[0]).toBe("Learning Go")
  })

  it("finds a word by prefix, part, stem, without accents, and mistyped", function* () {
    yield* shelf
    for (const [title, ...texts] of [
      ["Kubernetes operators", "kube", "bernet", "operating kubernetes", "KUBERNETES"],
      ["Kubernetes operators", "kubrnetes", "kuberentes", "kubernettes", "kubernets"],
      ["PostgreSQL performance", "postgers perfromance"],
      ["Café culture in Zürich", "cafe zurich", "CAFÉ", "zürich"],
      ["日本語の文法", "日", "日本", "本語", "文法", "動詞と", "語の文"]
    ] as const)
      for (const text of texts) expect([text, (yield* found(text))[0]]).toEqual([text, title])
  })

  it("corrects at most two words, only to words of shared links", function* () {
    yield* save("kubernetes operators guitar")
    yield* hide("Fingerstyle")
    yield* hide("kuberneets")
    expect(yield* marks("kubrnetes operatrs ")).toEqual({
      title: [
        [0, 10],
        [11, 20]
      ]
    })
    // The third word is not corrected.
    expect(yield* marks("kubrnetes operatrs guitra ")).toEqual({
      title: [
        [0, 10],
        [11, 20]
      ]
    })
    expect(yield* found("fingrstyle ")).toEqual([])
  })

  it("excludes unwanted words, also in matches by meaning", function* () {
    yield* shelf
    const without = yield* found("baking bread -croissants")
    expect(without[0]).toBe("Baking sourdough bread at home")
    expect(without).not.toContain("A pastry course")
  })

  it("applies filters to matches by meaning", function* () {
    yield* shelf
    yield* save("Another database", { category: "reading", collection: "Shelf" })
    yield* embed
    for (const only of ["category:reading", "collection:shelf"])
      expect([only, yield* found(`relational databases ${only}`)]).toEqual([only, ["Another database"]])
    expect(yield* found("relational databases", { collection: "SHELF" })).toEqual(["Another database"])
    const others = yield* found("relational databases", { collection: null })
    expect(others).toContain("SQLite as a document store")
    expect(others).not.toContain("Another database")
    expect(yield* found("relational databases is:favorite")).toContain("SQLite as a document store")
  })

  it("caches searches of different collections separately", function* () {
    yield* save("zebra one", { collection: "Mine" })
    yield* save("zebra two")
    for (const sort of ["relevance", "newest"] as const)
      for (let turn = 0; turn < 2; turn++) {
        const titles = (collection: string | null | undefined) =>
          Effect.map(search("zebra", { sort, collection }), (page) => [page.total, titlesOf(page).sort()])
        expect(yield* titles(undefined)).toEqual([2, ["zebra one", "zebra two"]])
        expect(yield* titles(null)).toEqual([1, ["zebra two"]])
        expect(yield* titles("Mine")).toEqual([1, ["zebra one"]])
        expect(yield* titles("null")).toEqual([0, []])
      }
  })

  it("returns the same results with and without private links", function* () {
    const sql = yield* SqlClient.SqlClient
    const words = ["bread", "database", "guitar", "espresso"]
    const links = Array.from({ length: 24 }, (_, n): readonly [string, Saved] => [
      `${words[n % 4]} ${words[(n * 3) % 4]} ${n}`,
      {
        description: words.filter((_, i) => n % (i + 2) === 0).join(" "),
        createdAt: `2026-01-${10 + (n % 9)}`
      }
    ])
    const searches = ["bread", "database espresso", "guit", "baking", '"guitar bread"', "breda", "-bread", ""]
    const answers = Effect.gen(function* () {
      yield* embed
      const all: Array<unknown> = []
      for (const sort of ["relevance", "newest", "title", "collection"] as const)
        for (const text of searches) all.push(yield* pages(text, { sort, limit: 7 }))
      return [all, yield* Effect.flatMap(PublicSearch, ({ facets }) => facets)]
    })
    for (const [title, more] of links) yield* save(title, more)
    const alone = yield* answers
    yield* sql`DELETE FROM links`
    for (const [title, more] of links) {
      yield* hide(`bread bread ${title}`, { description: "bread database", tags: ["guitar"] })
      yield* save(title, { ...more, note: "espresso guitar", text: "bread", tags: [".database"] })
    }
    expect(yield* answers).toEqual(alone)
  })

  it("pages through the results by at most fifty, each once, in a stable order", function* () {
    for (let n = 0; n < 130; n++) yield* save(`Zebra ${n}`)
    const whole = yield* pages("zebra")
    expect(whole.all.map((titles) => titles.length)).toEqual([50, 50, 30])
    expect(new Set(whole.all.flat()).size).toBe(130)
    expect(whole.total).toBe(130)
    expect(whole.cursors).toEqual([
      { sort: "relevance", value: 50, seen: 0 },
      { sort: "relevance", value: 100, seen: 0 }
    ])
    const small = yield* pages("zebra", { limit: 40 })
    expect(small.all.flat()).toEqual(whole.all.flat())
    expect(small.all.map((titles) => titles.length)).toEqual([40, 40, 40, 10])
    expect((yield* pages("zebra", { limit: 10_000 })).all).toEqual(whole.all)
    for (const sort of ["newest", "oldest", "title", "collection"] as const) {
      const sorted = yield* pages("zebra", { sort })
      expect([sort, sorted.all.map((titles) => titles.length)]).toEqual([sort, [50, 50, 30]])
      expect(new Set(sorted.all.flat()).size).toBe(130)
    }
    const beyond = yield* search("zebra", { cursor: { sort: "relevance", value: 1_000, seen: 0 } })
    expect([beyond.links, beyond.next, beyond.total]).toEqual([[], null, 130])
  })

  it("lists at most a thousand links without a search", function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1200)
        INSERT INTO links (url, normalized_url, host, title, category, shareable, created_at, updated_at)
        SELECT 'https://h/' || i, 'https://h/' || i, 'h', 't' || i, 'c', 1, '2026', '' FROM n`
    for (const more of [{}, { limit: 5_000 }]) {
      const { all, total } = yield* pages("", { ...more, sort: "newest" })
      expect(all.map((titles) => titles.length)).toEqual([1_000, 200])
      expect([new Set(all.flat()).size, total]).toEqual([1_200, 1_200])
    }
    expect((yield* search("", { limit: 3 })).links).toHaveLength(3)
    expect((yield* search("category:c", { limit: 3 })).total).toBe(1_200)
  })

  it("answers from the current links after many searches", function* () {
    const a = yield* save("Zebra one")
    yield* save("Zebra two")
    for (let n = 0; n < 70; n++) yield* found(`zebra ${n}`)
    expect((yield* found("zebra")).toSorted()).toEqual(["Zebra one", "Zebra two"])
    yield* set(a, "shareable", 0)
    expect(yield* found("zebra")).toEqual(["Zebra two"])
    yield* set(a, "title", "Yak")
    yield* set(a, "shareable", 1)
    expect(yield* found("yak")).toEqual(["Yak"])
    yield* embed
    expect(yield* found("yak")).toEqual(["Yak"])
  })

  it("does not cache a search overtaken by a change", function* () {
    yield* save("Zebra one")
    const text = yield* PublicText
    const [hasWords, goOn] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
    let searches = 0
    /** Holds the first search after it has found the words. */
    const held = PublicText.of({
      ...text,
      begun: (...asked) =>
        Effect.tap(text.begun(...asked), () =>
          ++searches === 1
            ? Effect.zipRight(Deferred.succeed(hasWords, undefined), Deferred.await(goOn))
            : Effect.void
        )
    })
    yield* Effect.gen(function* () {
      const first = yield* Effect.fork(found("zebra"))
      yield* Deferred.await(hasWords)
      yield* save("Zebra two")
      expect(yield* found("zebra two")).toContain("Zebra two")
      yield* Deferred.succeed(goOn, undefined)
      expect(yield* Fiber.join(first)).toEqual(["Zebra one"])
      expect((yield* found("zebra")).toSorted()).toEqual(["Zebra one", "Zebra two"])
    }).pipe(Effect.provide(Layer.provide(PublicSearch.layer, Layer.succeed(PublicText, held))))
  })

  it("returns the time of the last public change", function* () {
    const id = yield* save("Zebra")
    const changedAt = Effect.map(search("zebra"), (page) => page.changedAt)
    const first = yield* changedAt
    expect(Math.abs(Date.now() - first)).toBeLessThan(60_000)
    yield* Effect.sleep(5)
    yield* set(id, "note", "private")
    yield* hide("Private")
    expect(yield* changedAt).toBe(first)
    yield* set(id, "title", "Zebras")
    expect(yield* changedAt).toBeGreaterThan(first)
    expect((yield* search("", { sort: "newest" })).changedAt).toBe(yield* changedAt)
  })

  it("fails as busy if a search exceeds its time", function* () {
    yield* save("Zebra")
    const hours = spyOn(performance, "now")
    let now = 0
    hours.mockImplementation(() => (now += 2_000))
    const failure = yield* Effect.ensuring(
      Effect.flip(search("zebra")),
      Effect.sync(() => hours.mockRestore())
    )
    expect(failure).toBeInstanceOf(PublicListBusy)
    expect(yield* found("zebra")).toEqual(["Zebra"])
  })

  it("answers any text", function* () {
    yield* shelf
    const hostile =
      `" | a AND|NEAR(|*|(|title:|-|🦜|%|^|a OR OR b|{x}:y|\u0000|'|\\|\ud800|-🦜 -日 x|tag:|""`.split("|")
    for (const text of [
      ...hostile,
      "a".repeat(1_000),
      "日".repeat(1_000),
      "a-".repeat(500),
      "🦜".repeat(500)
    ])
      for (const sort of ["relevance", "newest"] as const)
        expect(Array.isArray((yield* search(text, { sort })).links)).toBe(true)
  })
})

describe("trimToBudget", () => {
  const terms = (text: string) => trimToBudget(ask(text)).terms.map(({ text }) => text)
  const numbers = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, i) => `w${from + i}`)
  const words = (from: number, to: number) => numbers(from, to).join(" ")

  test("keeps a query of eight words and eight operators", () => {
    const query = ask(
      `${words(1, 8)} ${numbers(1, 8)
        .map((tag) => `tag:${tag}`)
        .join(" ")}`,
      {
        collection: "Mine",
        limit: 7,
        cursor: { sort: "relevance", value: 7, seen: 0 }
      }
    )
    expect(trimToBudget(query)).toEqual(query)
    expect(trimToBudget(ask(""))).toEqual(ask(""))
  })

  test("leaves out the stop words of a long query first", () => {
    expect(terms("how can I share my files between a phone and a computer at home ")).toEqual([
      ...["share", "files", "phone", "computer", "home"]
    ])
    expect(terms("to be or not to be ")).toHaveLength(1)
  })

  test("ignores words from the ninth on", () => {
    expect(terms(words(1, 20))).toEqual(numbers(1, 8))
    expect(trimToBudget(ask(words(1, 9), { collection: null })).collection).toBeNull()
  })

  test("counts each word of a phrase", () => {
    expect(terms(`"${words(1, 6)}" ${words(7, 12)}`)).toEqual([words(1, 6), "w7", "w8"])
    const cut = trimToBudget(ask(`w0 "${words(1, 12)}" w13`)).terms
    expect(cut).toEqual([
      { text: "w0", kind: "word", negated: false },
      { text: words(1, 7), kind: "phrase", negated: false }
    ])
  })

  test("counts each word of a joined name", () => {
    expect(terms(`node.js x-y-z a_b ${words(1, 9)}`)).toEqual(["node.js", "x-y-z", "a_b", "w1"])
    expect(trimToBudget(ask(numbers(1, 30).join("-"))).terms).toEqual([
      { text: words(1, 8), kind: "phrase", negated: false }
    ])
    expect(trimToBudget(ask(`${words(1, 6)} a.b.c.d`)).terms.at(-1)).toEqual({
      text: "a b",
      kind: "phrase",
      negated: false
    })
  })

  test("counts a term without words as one", () => {
    expect(terms("🦜 ++ ".repeat(10))).toEqual(["🦜", "++", "🦜", "++", "🦜", "++", "🦜", "++"])
  })

  test("counts unwanted words after wanted ones, and keeps them unwanted", () => {
    const { terms } = trimToBudget(
      ask(
        `${numbers(1, 7)
          .map((word) => `-${word}`)
          .join(" ")} w8 w9 `
      )
    )
    expect(terms.map(({ negated, text }) => [text, negated])).toEqual([
      ["w8", false],
      ["w9", false],
      ...numbers(1, 6).map((word): [string, boolean] => [word, true])
    ])
  })

  test("drops an unwanted phrase that does not fit, because a part of it would exclude more", () => {
    const { terms } = trimToBudget(ask(`${words(1, 7)} -"eight nine" -ten `))
    expect(terms.map(({ negated, text }) => [text, negated])).toEqual([
      ...numbers(1, 7).map((word): [string, boolean] => [word, false]),
      ["ten", true]
    ])
  })

  test("ignores operators from the ninth on, whatever the number of words", () => {
    const { filters, terms } = trimToBudget(
      ask(
        `${words(1, 9)} ${numbers(1, 12)
          .map((tag) => `-tag:${tag}`)
          .join(" ")}`
      )
    )
    expect(filters).toEqual(numbers(1, 8).map((value) => ({ field: "tag", value, negated: true })))
    expect(terms).toHaveLength(8)
  })
})

describe("isPublicSearch", () => {
  test("requires a wanted word", () => {
    const cases = { "": false, "-a": false, "tag:a": false, a: true, "-a b": true, '"a b"': true }
    for (const [text, is] of Object.entries(cases))
      expect([text, isPublicSearch(ask(text))]).toEqual([text, is])
  })
})
