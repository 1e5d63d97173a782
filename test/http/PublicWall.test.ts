import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { PublicEmbeddings } from "../../src/library/PublicEmbeddings.ts"
import { normalizeUrl } from "../../src/shared/UrlIdentity.ts"
import { ensureCollections } from "../../src/store/links/CollectionPaths.ts"
import { settleShared } from "../store/public/shared.ts"
import { type App, makeApp } from "../support/app.ts"
import { randomOf } from "../support/randomLibrary.ts"
import { MORE, SEED } from "../support/strange.ts"
import { byTier } from "../support/tier.ts"

const REQUESTS = byTier(100, 500) * MORE

const random = randomOf(SEED)
const below = (count: number) => Math.floor(random() * count)
const pick = <A>(all: ReadonlyArray<A>): A => {
  const one = all[below(all.length)]
  if (one === undefined) throw new Error("there is nothing to pick from")
  return one
}
const some = <A>(most: number, make: () => A): ReadonlyArray<A> =>
  Array.from({ length: below(most + 1) }, make)

const SYLLABLES = "ka lo mir sto ven dra pel qui tor bas nel hum gri é 日本".split(" ")
const word = () => Array.from({ length: 2 + below(3) }, () => pick(SYLLABLES)).join("")

/** One typing error: a letter omitted, doubled, or swapped with the next. */
const mistyped = (text: string) => {
  const at = below(text.length)
  return pick([
    text.slice(0, at) + text.slice(at + 1),
    text.slice(0, at + 1) + text.slice(at),
    text.slice(0, at) + text.slice(at + 1, at + 2) + text.charAt(at) + text.slice(at + 2)
  ])
}

const sharedWords = Array.from({ length: 60 }, word)
/** Words of private links: their own, shared ones, and misspelled shared ones. */
const privateWords = [
  ...Array.from({ length: 60 }, word),
  ...sharedWords.slice(0, 20),
  ...sharedWords.slice(20, 40).map(mistyped)
]
const sharedCollections = ["Alpha", "beta", "Übung"]
const privateCollections = ["Alpha", "Secret plans", "2", "Cabinet", "Cabinet / Drawer"]
/** Collections shared as a whole, by their public names, with their paths in the library. */
const wholeCollections = new Map([
  ["Gamma", "Cabinet / Gamma"],
  ["Gamma / Inner", "Cabinet / Gamma / Inner"],
  ["Empty", "Cabinet / Drawer / Empty"]
])
const collectionNames = [
  ...sharedCollections,
  ...privateCollections,
  ...[...wholeCollections].flat(),
  "Nowhere"
]
const sharedTags = ["one", "two", "tag-three"]

interface Saved {
  readonly url: string
  readonly title: string
  readonly summary: string
  readonly description: string
  readonly tags: ReadonlyArray<string>
  readonly category: string
  readonly collection: string | null
  readonly createdAt: string
  readonly image: string | null
  readonly shareable: boolean
  /** Whether it is public only because its collection is. */
  readonly byCollection: boolean
  /** Fields of a shared link that strangers never see. */
  readonly hidden: { readonly note: string; readonly text: string; readonly tags: ReadonlyArray<string> }
}

const text = (words: ReadonlyArray<string>, most: number) => some(most, () => pick(words)).join(" ")
const day = () => `2026-0${1 + below(3)}-1${below(4)}T00:00:00.000Z`

const link = (n: number, shareable: boolean): Saved => {
  const byCollection = shareable && random() < 0.3
  const words = shareable ? sharedWords : privateWords
  const user = pick(["", "", "", "me:hunter2@"])
  return {
    url: `https://${user}${pick(["example.org", "www.example.org", "a.example.net"])}/${n}/${pick(words)}${pick(["", "?x=a@b"])}`,
    title: `${pick(words)} ${text(words, 4)}`.trim(),
    summary: text(words, 8),
    description: text(words, 8),
    tags: [
      ...new Set(some(3, () => (shareable ? pick(sharedTags) : pick([...sharedTags, ...privateWords]))))
    ],
    category: shareable ? pick(["reading", "cooking"]) : pick(["reading", "private-things"]),
    collection: byCollection
      ? pick(["Gamma", "Gamma / Inner"])
      : pick([null, ...(shareable ? sharedCollections : privateCollections)]),
    byCollection,
    createdAt: day(),
    image: pick([null, `https://${user}pictures.example/${n}.png`]),
    shareable,
    hidden: {
      note: text(privateWords, 6),
      text: text(privateWords, 20),
      tags: some(2, () => `.${pick([...sharedWords, ...privateWords])}`)
    }
  }
}

const library = Array.from({ length: byTier(120, 240) }, (_, n) => link(n, random() < 0.5))

/** Saves the links in order; with `publicOnly`, without private links and fields. */
const save = (links: ReadonlyArray<Saved>, publicOnly: boolean) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const pathOf = (name: string) => (publicOnly ? name : (wholeCollections.get(name) ?? name))
    for (const saved of links) {
      if (publicOnly && !saved.shareable) continue
      const { byCollection, hidden, shareable, url } = saved
      const collection = saved.collection === null ? null : pathOf(saved.collection)
      if (collection !== null) yield* ensureCollections(sql, [collection])
      yield* sql`INSERT INTO links (url, normalized_url, host, title, summary, description, note, text, tags, category,
          collection_id, favorite, shareable, image, enrichment, created_at, updated_at)
        SELECT ${url}, ${normalizeUrl(new URL(url))}, ${new URL(url).hostname}, ${saved.title}, ${saved.summary},
          ${saved.description}, ${publicOnly ? "" : hidden.note}, ${publicOnly ? "" : hidden.text},
          ${JSON.stringify(publicOnly ? saved.tags : [...hidden.tags, ...saved.tags])}, ${saved.category},
          (SELECT id FROM collections WHERE name = ${collection}), ${publicOnly ? 0 : below(2)},
          ${shareable && !byCollection ? 1 : 0}, ${saved.image}, 'complete', ${saved.createdAt}, ${saved.createdAt}`
    }
    for (const [name, path] of [...wholeCollections].toReversed()) {
      const { byName } = yield* ensureCollections(sql, [pathOf(name)])
      yield* sql`UPDATE collections SET shareable = 1, description = ${`About ${name}`}, color = ${publicOnly ? null : "red"}
        WHERE id = ${byName.get(pathOf(name))?.id ?? 0} AND ${path} <> ''`
    }
    yield* settleShared
    yield* Effect.flatMap(PublicEmbeddings, ({ catchUp }) => catchUp)
  })

const part = (whole: string) => {
  const from = below(Math.max(1, whole.length - 3))
  return whole.slice(from, from + 3 + below(4))
}

const searchWord = (): string => {
  const one = pick(random() < 0.6 ? privateWords : sharedWords)
  return pick([
    one,
    one,
    part(one),
    part(one),
    mistyped(one),
    `"${one} ${pick(sharedWords)}"`,
    `-${one}`,
    `${one}ing`
  ])
}

const operator = () =>
  pick([
    () => `tag:${pick([...sharedTags, ...privateWords])}`,
    () => `tag:.${pick(privateWords)}`,
    () => `category:${pick(["reading", "cooking", "private-things"])}`,
    () => `collection:"${pick(collectionNames)}"`,
    () => `site:${pick(["example.org", "net", "a.example.net", "private.example"])}`,
    () => `${pick(["before", "after"])}:2026-02-1${below(4)}`,
    () =>
      pick(["is:favorite", "is:shareable", "-is:favorite", "hunter2", "http", "me:hunter2", "%", "日", "é"])
  ])()

const searchText = () => {
  const parts = [
    ...some(3, searchWord),
    ...some(1, operator),
    ...(random() < 0.1 ? some(12, searchWord) : [])
  ]
  const q = parts.join(" ")
  return random() < 0.15 ? `http ${part(q)}` : q
}

const path = (cursors: ReadonlyArray<string>): string => {
  const params = new URLSearchParams()
  if (random() < 0.85) params.set("q", searchText())
  if (random() < 0.1) params.set("category", pick(["reading", "private-things"]))
  if (random() < 0.1) params.set("tag", pick([...sharedTags, ".one", pick(privateWords)]))
  if (random() < 0.2) params.set("collection", pick([...collectionNames, "none", "1", "3"]))
  if (random() < 0.3) params.set("limit", String(1 + below(30)))
  if (random() < 0.1) params.set("sort", pick(["newest", "oldest", "title", "collection", "relevance", "id"]))
  if (random() < 0.1) for (const name of ["favorite", "shareable", "like"]) params.set(name, String(below(5)))
  if (cursors.length > 0 && random() < 0.1) params.set("cursor", pick(cursors))
  const query = params.toString()
  return `${pick(["/list/api/links", "/list/api/links", "/list/api/links", "/list", "/list/feed.xml", "/list/api/meta"])}${query === "" ? "" : `?${query}`}`
}

interface Seen {
  readonly target: string
  readonly status: number
  readonly headers: ReadonlyArray<readonly [string, string]>
  readonly body: string
}

/** Everything a stranger sees of a response. Retries while the machine is too busy for a search. */
const seen = async (
  app: App,
  target: string,
  headers: Record<string, string> = {},
  tries = 5
): Promise<Seen> => {
  const address = `203.0.${below(256)}.${below(256)}`
  const answer = await app.request("GET", target, undefined, { ...headers, "x-forwarded-for": address })
  if (answer.status === 503 && tries > 1) return seen(app, target, headers, tries - 1)
  return { target, status: answer.status, headers: [...answer.headers].toSorted(), body: await answer.text() }
}

const withoutDate = (answer: Seen) => ({
  ...answer,
  headers: answer.headers.filter(([name]) => name !== "last-modified")
})

describe("a response to strangers", () => {
  const whole = makeApp()
  const publicOnly = makeApp()
  beforeAll(async () => {
    await whole.run(save(library, false))
    await publicOnly.run(save(library, true))
    // A response has no date in the second of a change.
    for (const app of [whole, publicOnly])
      while (!(await app.request("GET", "/list")).headers.has("last-modified")) await Bun.sleep(20)
  })
  afterAll(() => Promise.all([whole.dispose(), publicOnly.dispose()]))

  test(`is byte-identical with and without private links (${REQUESTS} requests, seed ${SEED})`, async () => {
    const cursors: Array<string> = []
    let withResults = 0
    for (let n = 0; n < REQUESTS; n++) {
      const target = path(cursors)
      const answer = await seen(whole, target)
      expect(withoutDate(answer)).toEqual(withoutDate(await seen(publicOnly, target)))
      const cursor = /"nextCursor":"([^"]+)"/.exec(answer.body)?.[1]
      if (cursor !== undefined) cursors.push(cursor)
      if (answer.body.includes('"links":[{')) withResults++
      expect(answer.body.includes("hunter2") && !target.includes("hunter2")).toBe(false)
    }
    // The requests prove something only if many find links and lead to further pages.
    expect(withResults).toBeGreaterThan(REQUESTS / 10)
    expect(cursors.length).toBeGreaterThan(REQUESTS / 20)
  })

  test("is the same for a collection that is not shared and for none", async () => {
    for (const target of [
      "/list?collection=NAME",
      "/list/feed.xml?collection=NAME",
      "/list/api/links?collection=NAME"
    ]) {
      const of = async (name: string) => {
        const { body, headers, status } = await seen(whole, target.replace("NAME", encodeURIComponent(name)))
        return { body, headers, status }
      }
      const none = await of("Nowhere")
      expect(none.status).toBe(target.includes("/api/") ? 200 : 404)
      for (const name of [
        "Cabinet",
        "Cabinet / Gamma",
        "Cabinet / Gamma / Inner",
        "Cabinet / Drawer",
        "Drawer"
      ])
        expect(await of(name)).toEqual(none)
    }
  })

  test("does not change when private links are added, changed or deleted", async () => {
    const targets = Array.from({ length: byTier(30, 150) }, () => path([]))
    const before: Array<Seen> = []
    for (const target of targets) before.push(await seen(whole, target))
    await whole.run(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* save(
          Array.from({ length: 50 }, (_, n) => link(1_000 + n, false)),
          false
        )
        yield* sql`UPDATE links SET note = 'another note', favorite = 1 - favorite, text = 'text', language = 'de'`
        yield* sql`UPDATE links SET tags = json_insert(tags, '$[#]', '.more')`
        yield* sql`DELETE FROM links WHERE shareable = 0 AND in_shared = 0 AND id % 2 = 0`
        yield* sql`UPDATE links SET state = 'archived' WHERE id % 3 = 0`
        yield* sql`UPDATE collections SET name = 'Safe' || substr(name, 8), color = 'blue', icon = 'x', position = 9
          WHERE name LIKE 'Cabinet%'`
        yield* sql`UPDATE collections SET description = 'private' WHERE shared = 0`
      })
    )
    for (const [n, target] of targets.entries()) {
      const after = await seen(whole, target)
      expect(after).toEqual(before[n] ?? after)
      const etag = new Map(after.headers).get("etag")
      if (etag !== undefined) expect((await seen(whole, target, { "if-none-match": etag })).status).toBe(304)
    }
  })
})
