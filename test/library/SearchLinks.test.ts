import { describe, expect } from "bun:test"
import { ConfigProvider, Effect, Layer, Option, Schema } from "effect"
import { library } from "../../src/Application.ts"
import { LinkId } from "../../src/domain/Link.ts"
import { type LinkQuery, parseQuery } from "../../src/domain/LinkQuery.ts"
import { EditLinks } from "../../src/library/EditLinks.ts"
import { Embeddings } from "../../src/library/Embeddings.ts"
import { SearchLinks } from "../../src/library/SearchLinks.ts"
import { LinkStore } from "../../src/store/links/LinkStore.ts"
import { Transaction } from "../../src/store/Transaction.ts"
import { effectTest, libraryTest } from "../support/effect.ts"
import { embedderTest } from "../support/embedderTest.ts"
import { save as saveTitled } from "../support/fakeEmbeddings.ts"
import { silentEnricher } from "../support/fakeEnricher.ts"
import { stores } from "../support/library.ts"
import { found, newLink } from "../support/links.ts"
import { writeLinks } from "../support/randomLibrary.ts"

const it = libraryTest(Layer.provideMerge(library, Layer.merge(stores(), silentEnricher)))

/** Saves links with these texts of their pages. */
const save = Effect.fnUntraced(function* (
  ...all: ReadonlyArray<readonly [title: string, description?: string, note?: string, text?: string]>
) {
  const links = yield* LinkStore
  const embeddings = yield* Embeddings
  for (const [title, description = "", note = "", text = ""] of all) {
    const { link } = yield* links.upsert(newLink(encodeURIComponent(`${title}${description}`), { note }))
    const written = yield* links.finish(link.id, found({ title, description, text }))
    if (Option.isSome(written)) yield* embeddings.writeVector(written.value, Option.none())
  }
})

/** Saves links whose addresses contain the word "common". */
const saveMany = (count: number) =>
  writeLinks(
    Array.from({ length: count }, (_, n) => ({
      ...{ title: "A page", url: `https://example.org/common/${n}`, collection: null, createdAt: "2026" },
      ...{ shareable: false, category: "unsorted", tags: [] }
    }))
  )

const titleOf = Schema.decodeSync(Schema.parseJson(Schema.Struct({ title: Schema.String })))

const page = (text: string, more: Partial<LinkQuery> = {}) =>
  Effect.flatMap(SearchLinks, (links) =>
    links.page({ ...parseQuery(text, 0), sort: "relevance", limit: 20, ...more })
  )
const withEndpoint = embedderTest(effectTest)

const titles = (text: string, more: Partial<LinkQuery> = {}) =>
  Effect.map(page(text, more), ({ links }) => links.map((link) => titleOf(link).title))

const shelf = save(
  ["Baking sourdough bread at home", "How to keep a starter alive and shape a loaf"],
  ["A pastry course", "Learn to make croissants, cakes and cookies in your own kitchen"],
  ["PostgreSQL performance", "Query plans, indexes and vacuuming explained"],
  ["SQLite as a document store", "Storing JSON documents in an embedded relational database"],
  ["Fingerstyle guitar", "Lessons and tabs for acoustic guitar players"],
  ["Café culture in Zürich", "Where to drink espresso"],
  ["日本語の文法", "動詞と助詞の使い方"],
  ["Kubernetes operators", "Running stateful applications on a cluster"]
)

describe("a search that does not wait", () => {
  const now = (text: string) =>
    Effect.flatMap(SearchLinks, (links) =>
      links.page({ ...parseQuery(text, 0), sort: "relevance", limit: 20 }, false)
    )

  it("is complete, because the built-in embedder is at hand", function* () {
    yield* shelf
    expect((yield* now("bread")).isComplete).toBe(true)
  })

  withEndpoint("uses words alone until an endpoint was asked for its meaning", function* (embedder) {
    yield* saveTitled("Loaf")
    yield* saveTitled("Bread")
    const before = embedder.asked.length
    const first = yield* now("bread")
    expect([first.links.length, first.isComplete, embedder.asked.length]).toEqual([1, false, before])
    expect((yield* page("bread")).links.length).toBe(2)
    const again = yield* now("bread")
    expect([again.links.length, again.isComplete]).toEqual([2, true])
  })
})

describe("archived links", () => {
  it("are found by no plain search, whether by words, by meaning or by likeness, however many they are", function* () {
    const edits = yield* EditLinks
    const links = yield* LinkStore
    const transaction = yield* Transaction
    const loaves = Array.from(
      { length: 450 },
      (_, n) => [`Sourdough bread ${n}`, "Bake a loaf of bread"] as const
    )
    yield* transaction(save(...loaves, ["Rye bread", "Bake a loaf of rye bread"], ["Guitar tabs"]))
    const all = yield* links.getAll(Array.from({ length: 450 }, (_, n) => LinkId.make(n + 1)))
    const archived = all.map(({ id }) => id)
    yield* edits.change(archived, { state: "archived" })
    expect(yield* titles("bread")).toEqual(["Rye bread"])
    expect(yield* titles("bread sourdough")).toEqual(["Rye bread"])
    // Its nearest 450 links are all archived.
    expect(yield* titles("loaf bread baking")).toEqual(["Rye bread"])
    yield* edits.change([LinkId.make(1)], { state: "read" })
    expect(yield* titles("", { like: 1 })).toEqual(["Rye bread"])
    expect(yield* titles("", { sort: "newest" })).toEqual(["Guitar tabs", "Rye bread", "Sourdough bread 0"])
    const narrowed = yield* page("bread is:archived")
    expect([narrowed.total, narrowed.links.length]).toEqual([449, 20])
    expect((yield* page("bread -site:example.com")).total).toBe(451)
  })
})

describe("SearchLinks", () => {
  it("finds links by meaning, after those that contain the words", function* () {
    yield* shelf
    expect((yield* titles("databases"))[0]).toBe("SQLite as a document store")
    expect(yield* titles("database indexes sql")).toContain("PostgreSQL performance")
  })

  it("finds names with signs while they are typed, in titles and in tags", function* () {
    const links = yield* LinkStore
    const shelf: ReadonlyArray<readonly [title: string, ...tags: ReadonlyArray<string>]> = [
      ["A tour of C++"],
      ["Notes on pointers", "cpp"],
      ["A tour of C#"],
      ["Notes on records", "csharp"],
      ["A tour of .NET"],
      ["Notes on hosting", "dotnet"],
      ["Vitamin C"],
      ["Cats and carpets"],
      ["Fishing with a net"]
    ]
    for (const [title, ...tags] of shelf) {
      const { link } = yield* links.upsert(newLink(encodeURIComponent(title)))
      yield* links.finish(link.id, found({ title }, { summary: { summary: "", tags, category: null } }))
    }
    for (const [typed, ...wanted] of [
      ["c", "A tour of C#", "A tour of C++", "Notes on pointers", "Notes on records", "Vitamin C"],
      ["c+", "A tour of C++", "Notes on pointers"],
      ["c++", "A tour of C++", "Notes on pointers"],
      ["C++ tour", "A tour of C++"],
      ["c#", "A tour of C#", "Notes on records"],
      [".n", "A tour of .NET", "Notes on hosting"],
      [".net", "A tour of .NET", "Notes on hosting"]
    ]) {
      const all = yield* titles(typed ?? "")
      // The title comes first; the order of the links that the letter alone finds does not matter.
      expect({ typed, all: typed === "c" ? all.toSorted() : all }).toEqual({ typed, all: wanted })
    }
    expect((yield* page("c++")).highlights?.[1]?.tags).toEqual([[0, 0, 3]])
  })

  it("ranks exact matches first: a title in any case, an address, a phrase", function* () {
    yield* save(
      ["Go", "The Go programming language"],
      ["Go go go", "All about Go, going, gone: go and see how Go goes"],
      ["Learning Go", "Go by example, go tutorials, go exercises, go go go"]
    )
    expect((yield* titles("go"))[0]).toBe("Go")
    const address = newLink(
      encodeURIComponent("Learning GoGo by example, go tutorials, go exercises, go go go")
    )
    expect((yield* titles(address.url))[0]).toBe("Learning Go")
    expect((yield* titles('"go by example"'))[0]).toBe("Learning Go")
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
      for (const text of texts) expect([text, (yield* titles(text))[0]]).toEqual([text, title])
  })

  it("excludes unwanted words, also in matches by meaning", function* () {
    yield* shelf
    const without = yield* titles("baking bread -croissants")
    expect(without[0]).toBe("Baking sourdough bread at home")
    expect(without).not.toContain("A pastry course")
  })

  it("applies filters to matches by meaning", function* () {
    yield* shelf
    const edits = yield* EditLinks
    yield* edits.change([LinkId.make(3)], { favorite: true })
    expect(yield* titles("relational database is:favorite")).toEqual(["PostgreSQL performance"])
    expect(yield* titles("relational database", { favorite: false })).not.toContain("PostgreSQL performance")
  })

  it("lists links similar to a link, without the link itself", function* () {
    yield* shelf
    const near = yield* titles("", { like: 3 })
    expect(near).toContain("SQLite as a document store")
    expect(near).not.toContain("PostgreSQL performance")
    expect(near).not.toContain("Fingerstyle guitar")
    expect(yield* titles("", { like: 999 })).toEqual([])
  })

  it("marks the words in each field", function* () {
    yield* save(["Naïve caching", "Caches and how to fill them", "read for the cache"])
    const { highlights } = yield* page("cached naive")
    expect(highlights).toEqual([
      {
        title: [
          [0, 5],
          [6, 13]
        ],
        description: [[0, 6]],
        note: [[13, 18]]
      }
    ])
  })

  it("keeps its pages stable while links arrive", function* () {
    const some = (from: number) =>
      Array.from({ length: 9 }, (_, i) => [`Cooking lesson ${from + i}`, "Soups and stews"] as const)
    yield* save(...some(0))
    const whole = yield* titles("cooking")
    const first = yield* page("cooking", { limit: 4 })
    yield* save(...some(100))
    const second = yield* page("cooking", { limit: 4, cursor: first.next ?? undefined })
    const third = yield* page("cooking", { limit: 4, cursor: second.next ?? undefined })
    const paged = [first, second, third].flatMap(({ links }) => links.map((link) => titleOf(link).title))
    expect(paged).toEqual(whole)
    expect(third.next).toBeNull()
    expect((yield* page("cooking", { limit: 4 })).total).toBe(18)
  })

  it("returns every match without a limit, and marks the first thousand", function* () {
    yield* saveMany(1_050)
    const all = yield* page("common", { limit: undefined })
    expect([all.links.length, all.total, all.highlights?.length]).toEqual([1_050, 1_050, 1_050])
    expect(all.highlights?.filter((one) => one.url !== undefined)).toHaveLength(1_000)
  })

  it("pages through more matches than it ranks, each once", function* () {
    yield* saveMany(2_150)
    const seen = new Set<string>()
    let cursor: LinkQuery["cursor"]
    let pages = 0
    do {
      // The last page has no limit.
      const found = yield* page("common", { limit: pages < 4 ? 500 : undefined, cursor })
      expect(found.total).toBe(2_150)
      for (const link of found.links) seen.add(link)
      cursor = found.next ?? undefined
      pages++
    } while (cursor !== undefined)
    expect([seen.size, pages]).toEqual([2_150, 5])
  })

  it("finds the passage that answers a question, unless that is turned off", function* () {
    const filler = "Nothing of interest is said in this sentence, or in the next. ".repeat(30)
    const answer = "The first of the neon signs was switched on in Paris."
    yield* shelf
    yield* save(["Where to buy a sign", "The first shop on the left"], ["Ambitions", "", "", filler + answer])
    const question = "where was the first neon sign in Paris switched on"
    const { highlights, links } = yield* page(question)
    expect(links.map((link) => titleOf(link).title)[0]).toBe("Ambitions")
    const { ranges = [], start, text = "" } = highlights?.[0]?.excerpt ?? {}
    expect(text).toContain(answer)
    expect(ranges.map(([from, to]) => text.slice(from, to))).toEqual([
      "first",
      "neon",
      "signs",
      "switched",
      "Paris"
    ])
    expect((filler + answer).slice(start)).toBe(text.slice(1))
    const off = ConfigProvider.fromMap(new Map([["SEARCH_PAGES", "0"]]))
    expect((yield* Effect.withConfigProvider(page(question), off)).highlights?.[0]?.excerpt?.text).not.toBe(
      text
    )
  })

  it("finds an edited link by its new title at once, and no longer by the old one", function* () {
    yield* shelf
    const edits = yield* EditLinks
    yield* edits.change([LinkId.make(5)], { title: "Zanzibar spice markets" })
    expect((yield* titles("zanzibar"))[0]).toBe("Zanzibar spice markets")
    expect(yield* titles('"fingerstyle"')).not.toContain("Fingerstyle guitar")
  })

  it("answers any text", function* () {
    yield* shelf
    const hostile = `"|a AND|NEAR(|*|(|title:|-|🦜|%|^|a OR OR b|{x}:y|\u0000|'|\\|\ud800`
    for (const text of hostile.split("|")) expect(Array.isArray(yield* titles(text))).toBe(true)
  })
})
