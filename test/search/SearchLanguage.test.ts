import { describe, expect } from "bun:test"
import { SqlClient } from "@effect/sql"
import { Effect, Layer } from "effect"
import { parseQuery } from "../../src/domain/LinkQuery.ts"
import { MAX_QUERY } from "../../src/shared/SearchSyntax.ts"
import { LinkList } from "../../src/store/links/LinkList.ts"
import { PublicList } from "../../src/store/public/PublicList.ts"
import { RankedText } from "../../src/store/search/RankedText.ts"
import { libraryTest } from "../support/effect.ts"
import { stores } from "../support/library.ts"
import { byTier } from "../support/tier.ts"

const it = libraryTest(Layer.provideMerge(Layer.merge(RankedText.layer, PublicList.layer), stores()))

const NOW = Date.parse("2026-06-15T12:30:00Z")

interface Row {
  readonly title: string
  readonly note: string
  readonly summary: string
  readonly tags: ReadonlyArray<string>
  readonly category: string
  readonly collection: string | null
  readonly url: string
  readonly language: string | null
  readonly image: string | null
  readonly repository: string | null
  readonly type: string
  readonly favorite: boolean
  readonly shareable: boolean
  readonly createdAt: string
}

/** The collection that is shared as a whole. */
const OPEN = "Deep Work"
const isShared = ({ collection, shareable }: Row) => shareable || collection === OPEN

/** The same numbers from 0 to 1 each time (Park and Miller). */
const numbers = (seed: number) => () => {
  seed = (seed * 48_271) % 2_147_483_647
  return seed / 2_147_483_647
}

const words = ["alpha", "bravo", "carbon", "delta", "echo"]
const tags = ["web", "web-design", "webgl", "rust", "cpp"]
const dates = [
  "2025-03-09",
  "2025-12-31",
  "2026-05-01",
  "2026-05-31",
  "2026-06-07",
  "2026-06-08",
  "2026-06-15"
]

const makeRows = (next: () => number): ReadonlyArray<Row> => {
  const pick = <A>(all: ReadonlyArray<A>, fallback: A): A => all[Math.floor(next() * all.length)] ?? fallback
  const some = (all: ReadonlyArray<string>, share: number) => all.filter(() => next() < share)
  return Array.from({ length: 120 }, (_, n) => ({
    title: `t${n} ${some(words, 0.4).join(" ")}`,
    note: next() < 0.3 ? pick(words, "") : "",
    summary: next() < 0.4 ? `${pick(words, "")} ${pick(words, "")}` : "",
    tags: some(tags, 0.25),
    category: pick(["databases", "unsorted"], ""),
    collection: pick([null, "Reading", "Deep Work"], null),
    url: `https://${pick(["github.com", "www.github.com", "gist.github.com", "example.org"], "")}/${pick(["Effect-TS", "effect", "x"], "")}/${n}`,
    language: pick([null, "de", "de-AT", "en"], null),
    image: next() < 0.5 ? `https://example.org/${n}.png` : null,
    repository: next() < 0.3 ? "{}" : null,
    type: pick(["page", "repository", "pdf"], ""),
    favorite: next() < 0.3,
    shareable: next() < 0.6,
    createdAt: `${pick(dates, "")}T12:00:00.000Z`
  }))
}

/** A search text, and whether a link meets it. */
interface Wanted {
  readonly text: string
  readonly fits: (row: Row, isPublic: boolean) => boolean
}

const always = () => true
const site = (row: Row) => new URL(row.url).host
const pathOf = (row: Row) => new URL(row.url).pathname.toLowerCase()

/** One condition each; `isPublic` says whether only shared fields count. */
const atoms: ReadonlyArray<Wanted> = [
  ...words.map(
    (word): Wanted => ({
      text: word,
      fits: ({ note, summary, title }, isPublic) =>
        `${title} ${isPublic ? "" : note} ${summary}`.split(" ").includes(word)
    })
  ),
  { text: "tag:web", fits: (row) => row.tags.includes("web") },
  { text: "tag:c++", fits: (row) => row.tags.includes("cpp") },
  { text: "tag:WEB*", fits: (row) => row.tags.some((tag) => tag.startsWith("web")) },
  { text: "category:databases", fits: (row) => row.category === "databases" },
  { text: 'collection:"deep work"', fits: (row) => row.collection === "Deep Work" },
  { text: "site:github.com", fits: (row) => /(^|\.)github\.com$/.test(site(row)) },
  {
    text: "site:github.com/effect",
    fits: (row) => /(^|\.)github\.com$/.test(site(row)) && pathOf(row).startsWith("/effect")
  },
  { text: "title:alp", fits: ({ title }) => title.split(" ").includes("alpha") },
  { text: "is:untagged", fits: (row) => row.tags.length === 0 },
  { text: "is:unfiled", fits: (row) => row.collection === null },
  { text: "has:summary", fits: (row) => row.summary !== "" },
  { text: "has:image", fits: (row) => row.image !== null },
  { text: "before:2026", fits: (row) => row.createdAt < "2026" },
  { text: "after:2026-05", fits: (row) => row.createdAt >= "2026-05" },
  { text: "added:2026-05", fits: (row) => row.createdAt.startsWith("2026-05") },
  { text: "added:7d", fits: (row) => row.createdAt >= "2026-06-08" }
]

/** Conditions on what only the owner has; the public list ignores them. */
const ownerAtoms: ReadonlyArray<Wanted> = [
  { text: "is:favorite", fits: (row) => row.favorite },
  { text: "is:shared", fits: isShared },
  { text: "is:shareable", fits: (row) => row.shareable },
  { text: "has:note", fits: (row) => row.note !== "" },
  { text: "has:repository", fits: (row) => row.repository !== null },
  { text: "type:repo", fits: (row) => row.type === "repository" },
  { text: "type:pdf", fits: (row) => row.type === "pdf" },
  { text: "lang:de", fits: (row) => /^de(-|$)/.test(row.language ?? "") }
]

const makeExpression = (next: () => number, from: ReadonlyArray<Wanted>) => {
  const pick = (): Wanted => from[Math.floor(next() * from.length)] ?? { text: "", fits: always }
  const expression = (depth: number): Wanted => {
    const chance = next()
    if (depth === 0 || chance < 0.35) return pick()
    const [one, other] = [expression(depth - 1), expression(depth - 1)]
    if (chance < 0.5) return { text: `-(${one.text})`, fits: (row, isPublic) => !one.fits(row, isPublic) }
    if (chance < 0.75)
      return {
        text: `(${one.text} or ${other.text})`,
        fits: (row, isPublic) => one.fits(row, isPublic) || other.fits(row, isPublic)
      }
    return {
      text: `(${one.text} ${other.text})`,
      fits: (row, isPublic) => one.fits(row, isPublic) && other.fits(row, isPublic)
    }
  }
  return expression
}

const write = Effect.fnUntraced(function* (rows: ReadonlyArray<Row>) {
  const sql = yield* SqlClient.SqlClient
  for (const { collection } of rows)
    if (collection !== null)
      yield* sql`INSERT OR IGNORE INTO collections (name, created_at, shared)
        VALUES (${collection}, '2026', ${collection === OPEN ? 1 : 0})`
  for (const row of rows)
    yield* sql`INSERT INTO links (url, normalized_url, host, title, note, summary, tags, category, collection_id,
        language, image, repository, type, favorite, shareable, enrichment, created_at, updated_at)
      VALUES (${row.url}, ${row.url}, ${new URL(row.url).host}, ${row.title}, ${row.note}, ${row.summary},
        ${JSON.stringify(row.tags)}, ${row.category}, (SELECT id FROM collections WHERE name = ${row.collection}),
        ${row.language}, ${row.image}, ${row.repository}, ${row.type}, ${row.favorite ? 1 : 0}, ${row.shareable ? 1 : 0},
        'complete', ${row.createdAt}, '2026')`
})

const titlesOf = ({ links }: { readonly links: ReadonlyArray<string> }) =>
  links.map((json): string => JSON.parse(json).title).toSorted()

describe("the search language", () => {
  it(
    "finds the links that a text describes, and no others, for the owner and for the public",
    Effect.gen(function* () {
      const next = numbers(11)
      const rows = makeRows(next)
      yield* write(rows)
      const list = yield* LinkList
      const shared = yield* PublicList
      const check = Effect.fnUntraced(function* ({ fits, text }: Wanted, isPublic: boolean) {
        // The space after it keeps the last word whole.
        const query = { ...parseQuery(`${text} `, NOW), sort: "newest" as const }
        const wanted = rows.filter((row) => (!isPublic || isShared(row)) && fits(row, isPublic))
        const found = isPublic ? yield* shared.page(query, 1_000) : yield* list.page(query)
        expect([text, titlesOf(found)]).toEqual([text, wanted.map(({ title }) => title).toSorted()])
      })
      const owned = makeExpression(next, [...atoms, ...ownerAtoms])
      const open = makeExpression(next, atoms)
      for (const atom of [...atoms, ...ownerAtoms]) yield* check(atom, false)
      for (const atom of atoms) yield* check(atom, true)
      for (let n = 0; n < byTier(40, 150); n++) {
        yield* check(owned(3), false)
        yield* check(open(3), true)
      }
    })
  )

  it(
    "answers the longest and deepest texts",
    Effect.gen(function* () {
      yield* write(makeRows(numbers(3)).slice(0, 5))
      const text = yield* RankedText
      const list = yield* LinkList
      const shared = yield* PublicList
      for (const piece of [
        "a or ",
        "a b or ",
        "tag:x or ",
        "-(a b) ",
        "(a or b) ",
        "(c++ or b) ",
        "-(a or -(b ",
        "(a or (b ",
        "日 or "
      ]) {
        const query = { ...parseQuery(piece.repeat(MAX_QUERY), NOW), limit: 10 }
        yield* text.ranked({ ...query, sort: "relevance" }, "all", 1e9)
        for (const sort of ["newest", "collection"] as const) {
          yield* list.page({ ...query, sort })
          yield* shared.page({ ...query, sort }, 10)
        }
      }
    })
  )

  it(
    "ranks a choice between words as it ranks words",
    Effect.gen(function* () {
      yield* write(makeRows(numbers(5)))
      const text = yield* RankedText
      const list = yield* LinkList
      const found = Effect.fnUntraced(function* (asked: string) {
        const query = { ...parseQuery(asked, NOW), sort: "relevance" as const, limit: 1_000 }
        expect([asked, query.terms.length > 0]).toEqual([asked, true])
        return (yield* text.ranked(query, "all", 1e9)).length
      })
      const both = yield* found("alpha or bravo ")
      expect(both).toBeGreaterThan(yield* found("alpha "))
      expect(both).toBe(yield* list.count({ ...parseQuery("alpha or bravo ", NOW), sort: "newest" }))
      expect(yield* found("(alpha or bravo) (carbon or delta -echo) is:favorite ")).toBeGreaterThan(0)
      expect(yield* found("alpha or bra")).toBe(both)
    })
  )
})
