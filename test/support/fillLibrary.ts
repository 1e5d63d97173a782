import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { UNSORTED } from "../../src/shared/Category.ts"
import { randomOf } from "./randomLibrary.ts"

const TEXTS = [
  "",
  "plain",
  'quotes " and \\ and \u2028',
  "two\nlines\n\nand more",
  "<b>&amp;</b>",
  "عربي 🦜 ünïcode",
  "]}",
  '{"format":"linkbower"',
  "',\t;",
  "0"
]
const TAGS = ["one", "two", "drei", "四", "c-five"]
const TIMES = ["2011-02-03T04:05:06.007Z", "2026-11-01T00:00:00.000Z"]

/** Fills every column of an empty library with random values of every kind. */
export const fill = Effect.fnUntraced(function* (seed: number, count: number) {
  const sql = yield* SqlClient.SqlClient
  const random = randomOf(seed)
  const pick = <A>(all: ReadonlyArray<A>, other: A): A => all[Math.floor(random() * all.length)] ?? other
  const flag = () => (random() < 0.5 ? 1 : 0)
  const maybe = <A>(value: A) => (random() < 0.5 ? null : value)
  const text = () => pick(TEXTS, "")
  const tags = () => JSON.stringify(TAGS.filter(() => random() < 0.4))
  const isShared = flag()
  for (const [index, name] of [
    "b",
    "A ü",
    '"; --',
    "long ".repeat(15).trim(),
    "b / inner",
    "b / 空"
  ].entries())
    yield* sql`INSERT INTO collections ${sql.insert({
      name,
      createdAt: pick(TIMES, ""),
      parentId: name.startsWith("b /") ? 1 : null,
      description: text(),
      color: maybe(pick(["teal", "#00ff7F"], "teal")),
      icon: maybe("🧑‍🚀"),
      position: 6 - index,
      shareable: index === 0 ? isShared : 0,
      shared: name.startsWith("b") ? isShared : 0
    })}`
  yield* sql`INSERT INTO aliases (kind, name, target)
    VALUES ('tag', 'eins', 'one'), ('category', 'lesen', 'reading'), ('collection', 'B / Before', '5')`
  for (const [position, name] of ["Reading", "ünï “code”"].entries())
    yield* sql`INSERT INTO searches ${sql.insert({
      name,
      query: text(),
      sort: maybe("title"),
      pinned: flag(),
      position,
      token: `${seed} ${name}`,
      createdAt: pick(TIMES, "")
    })}`
  for (let n = 0; n < count; n++) {
    const host = pick(["example.org", "münchen.example"], "example.org")
    const url = new URL(`https://${host}/${seed}/${n}`)
    const enrichment = pick(["complete", "partial"], "partial")
    yield* sql`INSERT INTO links ${sql.insert({
      id: n * 3 + 1,
      url: `${url.href}?utm_source=x#part`,
      normalizedUrl: url.href,
      host: url.hostname,
      title: text() || "t",
      note: text(),
      summary: text(),
      description: text(),
      tags: tags(),
      category: pick([UNSORTED, "reading"], UNSORTED),
      collectionId: maybe(1 + Math.floor(random() * 6)),
      favorite: flag(),
      shareable: flag(),
      image: maybe("https://example.org/i.png"),
      favicon: maybe("https://example.org/favicon.ico"),
      siteName: maybe(text()),
      author: maybe(text()),
      publishedAt: maybe("2020-01-01"),
      language: maybe("en"),
      repository: maybe(
        JSON.stringify({
          host: "github.com",
          fullName: "a/b",
          description: text(),
          language: null,
          stars: 3,
          topics: ["x"],
          license: "MIT",
          archived: false
        })
      ),
      enrichment,
      createdAt: pick(TIMES, ""),
      updatedAt: pick(TIMES, ""),
      canonicalUrl: maybe(url.href),
      finalUrl: maybe(url.href),
      handTags: tags(),
      titleByHand: flag(),
      summaryByHand: flag(),
      categoryByHand: flag(),
      collectionByHand: flag(),
      retries: Math.floor(random() * 4),
      retryAt: maybe(pick(TIMES, "")),
      state: pick(["unread", "read", "archived"], "read"),
      type: pick(["page", "video"], "page"),
      facts: pick(["{}", JSON.stringify({ paywall: true, duration: 61, price: "4.99 EUR" })], "{}"),
      model: maybe("a-model"),
      stages: JSON.stringify(
        [{ stage: "page", state: "failed", reason: maybe(text()) }].filter(() => flag() === 1)
      ),
      filedBecause: maybe(JSON.stringify([{ id: 1, similarity: 0.5 }])),
      refused: pick(["[]", "[2]", "[1,3]"], "[]"),
      tagsByHand: flag(),
      text: text().repeat(3)
    })}`
  }
  yield* sql`INSERT INTO tasks (kind, subject, due_at) SELECT 'read', id, 0 FROM links WHERE id % 2 = 0 ORDER BY id`
})
