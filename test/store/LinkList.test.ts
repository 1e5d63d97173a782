import { describe, expect } from "bun:test"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { Chunk, Effect, Schema, Stream } from "effect"
import { Link, LinkId } from "../../src/domain/Link.ts"
import type { LinkQuery } from "../../src/domain/LinkQuery.ts"
import { parseQuery } from "../../src/search/Query.ts"
import { ChangeStore } from "../../src/store/ChangeStore.ts"
import { LinkList } from "../../src/store/LinkList.ts"
import { LinkStore } from "../../src/store/LinkStore.ts"
import { DATA, describeData, json } from "../support/data.ts"
import { effectTest } from "../support/effect.ts"
import { stores } from "../support/library.ts"
import { found, newLink } from "../support/links.ts"

const it = effectTest(stores())

const save = (path: string, title: string, more: { note?: string; text?: string } = {}) =>
  Effect.gen(function* () {
    const links = yield* LinkStore
    const { link } = yield* links.claim(newLink(path, { note: more.note ?? "" }))
    yield* links.finish(link.id, found({ title, text: more.text ?? "" }))
    return link.id
  })

const search = (text: string, more: Partial<LinkQuery> = {}) =>
  Effect.gen(function* () {
    const list = yield* LinkList
    return yield* list.page({ ...parseQuery(text), sort: "relevance", ...more })
  })

const titles = (page: { links: ReadonlyArray<string> }) => page.links.map((link) => JSON.parse(link).title)

describe("LinkList", () => {
  it(
    "writes a link's JSON in the shape of the schema, for the owner and for the public",
    Effect.gen(function* () {
      const links = yield* LinkStore
      const changes = yield* ChangeStore
      const list = yield* LinkList
      const { link } = yield* links.claim(newLink("a", { note: 'a "note"', tags: ["t"] }))
      const repository = {
        host: "github.com",
        fullName: "a/b",
        description: null,
        language: null,
        stars: 3,
        topics: ["x"],
        license: null,
        archived: false
      }
      yield* links.finish(link.id, found({ title: "Tïtle\u2028" }, { repository }))
      yield* changes.apply({
        fields: ["collection", "shareable"],
        links: [{ id: link.id, collection: "Mine", collectionByHand: true, shareable: true }]
      })
      const query: LinkQuery = { terms: [], filters: [], sort: "newest" }
      const [own] = (yield* list.page(query)).links
      const decoded = yield* Schema.decodeUnknown(Schema.parseJson(Link), { onExcessProperty: "error" })(own)
      expect(decoded).toEqual(yield* links.get(link.id))
      expect(decoded).toMatchObject({
        repository,
        collection: { name: "Mine" },
        shareable: true,
        title: "Tïtle\u2028"
      })
    })
  )

  it(
    "pages through every link once, in any order, while links arrive",
    Effect.gen(function* () {
      for (let n = 0; n < 25; n++) yield* save(`p${n}`, `Title ${String.fromCharCode(97 + ((n * 7) % 25))}`)
      const list = yield* LinkList
      for (const sort of ["newest", "oldest", "title", "relevance"] as const) {
        const seen: Array<string> = []
        let query: LinkQuery = { ...parseQuery(sort === "relevance" ? "title" : ""), sort, limit: 10 }
        for (let turn = 0; turn < 4; turn++) {
          const page = yield* list.page(query)
          seen.push(...titles(page))
          if (turn === 0) yield* save(`${sort}-late`, "Zz arrived meanwhile")
          if (page.next === null) break
          query = { ...query, cursor: page.next }
        }
        const old = seen.filter((title) => !title.startsWith("Zz"))
        expect({ sort, count: old.length, distinct: new Set(old).size }).toEqual({
          sort,
          count: 25,
          distinct: 25
        })
        if (sort === "title") expect(old).toEqual([...old].sort())
      }
    })
  )

  it(
    "streams the whole library in the order of its pages",
    Effect.gen(function* () {
      for (let n = 0; n < 5; n++) yield* save(`p${n}`, `Title ${n}`)
      const list = yield* LinkList
      const all = yield* Stream.runCollect(list.all({ terms: [], filters: [], sort: "newest" }))
      expect(Chunk.toReadonlyArray(all).map((link) => JSON.parse(link).title)).toEqual(
        [4, 3, 2, 1, 0].map((n) => `Title ${n}`)
      )
    })
  )

  it(
    "narrows by every operator, and by its negation",
    Effect.gen(function* () {
      const a = yield* save("a", "Alpha paper")
      const b = yield* save("b", "Beta paper")
      const changes = yield* ChangeStore
      yield* changes.apply({
        fields: ["favorite", "category", "collection"],
        links: [
          {
            id: a,
            favorite: true,
            category: "reading",
            categoryByHand: true,
            collection: "Later on",
            collectionByHand: true
          }
        ]
      })
      const hits = (text: string) => Effect.map(search(text), (page) => titles(page).sort())
      for (const only of [
        "is:favorite",
        "category:reading",
        'collection:"later on"',
        "paper -beta",
        '"alpha paper"',
        "alp"
      ])
        expect({ only, titles: yield* hits(only) }).toEqual({ only, titles: ["Alpha paper"] })
      for (const other of ["-is:favorite", "-category:reading", "-alpha", 'paper -"alpha paper"'])
        expect({ other, titles: yield* hits(other) }).toEqual({ other, titles: ["Beta paper"] })
      expect((yield* hits("site:example.org")).length).toBe(2)
      expect((yield* hits("site:org")).length).toBe(2)
      expect(yield* hits("site:example.com")).toEqual([])
      expect((yield* hits("after:2020-01-01 before:2999-01-01")).length).toBe(2)
      expect(titles(yield* search("", { collection: null }))).toEqual(["Beta paper"])
      expect(LinkId.make(b)).toBeGreaterThan(a)
    })
  )
})

describeData("fts", "LinkList on strings that break full-text engines", () => {
  const strings = [...json<Array<string>>("fts/operators.json"), ...json<Array<string>>("fts/unicode.json")]

  it(
    "answers every one of them, and a negation of it",
    Effect.gen(function* () {
      yield* save("a", "Something a title may say")
      for (const text of strings)
        for (const q of [text, `-${text}`, `"${text}`, `x ${text}`]) yield* search(q)
    })
  )

  it(
    "finds a link by the text that is its whole title",
    Effect.gen(function* () {
      const missed: Array<string> = []
      for (const [index, text] of json<Array<string>>("fts/unicode.json").entries()) {
        const id = yield* save(`u${index}`, text)
        const { links } = yield* search(text)
        if (!links.some((link) => JSON.parse(link).id === id)) missed.push(text)
      }
      expect(missed).toEqual([])
    })
  )

  for (const [file, words] of [
    ["latin", ["lorem"]],
    ["cyrillic", []],
    ["japanese", []]
  ] as const)
    it(
      `finds words cut out of ${file} prose`,
      Effect.gen(function* () {
        const prose = readFileSync(join(DATA, `fts/text/${file}.txt`), "utf8")
        yield* save(file, "Prose", { text: prose })
        const cut =
          prose
            .match(
              file === "japanese"
                ? /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]{2,4}/gu
                : /(?<!\p{L})\p{L}{4,}/gu
            )
            ?.slice(0, 40) ?? []
        for (const word of [...words, ...cut])
          expect({ word, total: (yield* search(word)).total }).toEqual({ word, total: 1 })
      })
    )
})
