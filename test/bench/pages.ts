import { copyFileSync, mkdtempSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { SqlClient } from "@effect/sql"
import { Effect, Layer, ManagedRuntime } from "effect"
import { library } from "../../src/Application.ts"
import { LinkId } from "../../src/domain/Link.ts"
import { parseQuery } from "../../src/domain/LinkQuery.ts"
import { SearchLinks } from "../../src/library/SearchLinks.ts"
import { ViewLinks } from "../../src/library/ViewLinks.ts"
import { LinkList } from "../../src/store/links/LinkList.ts"
import { LinkStore } from "../../src/store/links/LinkStore.ts"
import { snapshotOf } from "../../src/store/maintenance/Snapshot.ts"
import { PageStore } from "../../src/store/pages/PageStore.ts"
import { Transaction } from "../../src/store/Transaction.ts"
import { silentEnricher } from "../support/fakeEnricher.ts"
import { storesAt } from "../support/library.ts"
import { found, newLink } from "../support/links.ts"
import { pageToKeep } from "../support/pages.ts"
import { randomOf } from "../support/randomLibrary.ts"
import { interleaved, ms, report } from "./measure.ts"

const SIZE = 10_000
const BATCH = 250
/**
 * Lengths of articles in UTF-16 units, at these shares of all: of the 167 among 189 recorded pages (`shared/data/pages`)
 * that have an article. On average they show two pictures.
 */
const LENGTHS: ReadonlyArray<readonly [share: number, length: number]> = [
  [0, 12],
  [0.05, 72],
  [0.25, 851],
  [0.5, 4_063],
  [0.75, 10_894],
  [0.95, 39_962],
  [1, 110_574]
]
const PICTURES = 2
/** Bytes of a kept picture: a WebP of 1,000 x 600 pixels. */
const PICTURE = 40_000

const random = randomOf(10)

const lengthOf = (share: number): number => {
  const above = LENGTHS.findIndex(([at]) => at >= share)
  const [[from, least] = [0, 12], [to, most] = [1, 0]] = [LENGTHS[above - 1], LENGTHS[above]]
  return Math.round(least + ((share - from) / (to - from)) * (most - least))
}

/** Words as often as in a text (Zipf's law): the second one half as often as the first. */
const words = Array.from({ length: 20_000 }, () =>
  Array.from({ length: 2 + Math.floor(random() * 8) }, () =>
    String.fromCharCode(97 + Math.floor(random() ** 2 * 26))
  ).join("")
)
const word = () => words[Math.floor(words.length ** random()) - 1] ?? "a"

const sentence = () => Array.from({ length: 12 }, word).join(" ")

/** An article of about this length: paragraphs, and a heading and a link here and there. */
const articleOf = (length: number): string => {
  let html = ""
  while (html.length < length) {
    if (random() < 0.1) html += `<h2>${word()} ${word()}</h2>`
    const link = random() < 0.3 ? ` <a href="https://example.org/${word()}/${word()}">${word()}</a>` : ""
    html += `<p>${sentence()}. ${sentence()}${link}. ${sentence()}.</p>`
  }
  return html
}

const open = (file: string) =>
  ManagedRuntime.make(Layer.provideMerge(library, Layer.merge(storesAt(file), silentEnricher)))

const inBatches = (
  work: (n: number) => Effect.Effect<unknown, unknown, LinkStore | PageStore | SqlClient.SqlClient>
) =>
  Effect.gen(function* () {
    const transaction = yield* Transaction
    for (let from = 1; from <= SIZE; from += BATCH)
      yield* transaction(
        Effect.forEach(
          Array.from({ length: BATCH }, (_, index) => from + index),
          work,
          { discard: true }
        )
      )
  })

/** Fills a library with links, as they are without kept pages, and returns the articles of their pages. */
const fillLinks = async (file: string) => {
  const articles: Array<string> = []
  const runtime = open(file)
  await runtime.runPromise(
    inBatches((n) =>
      Effect.gen(function* () {
        const links = yield* LinkStore
        const html = articleOf(lengthOf(random()))
        articles[n] = html
        const text = html.replace(/<[^>]*>/g, " ").slice(0, 32_768)
        const { link } = yield* links.claim(newLink(`${n}`))
        yield* links.finish(link.id, found({ title: sentence(), description: sentence(), text }))
      })
    )
  )
  await runtime.dispose()
  return articles
}

const fillPages = async (file: string, articles: ReadonlyArray<string>) => {
  const runtime = open(file)
  await runtime.runPromise(
    inBatches((n) =>
      Effect.flatMap(PageStore, (pages) =>
        pages.keep(LinkId.make(n), pageToKeep("", { html: articles[n] ?? "" }))
      )
    )
  )
  await runtime.dispose()
}

const fillPictures = async (file: string) => {
  const runtime = open(file)
  await runtime.runPromise(
    inBatches((n) =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        for (let place = 0; place < PICTURES; place++) {
          const id = n * PICTURES + place
          yield* sql`INSERT INTO pictures (id, hash, type, width, height, size, bytes)
            VALUES (${id}, randomblob(32), 'image/webp', 1000, 600, ${PICTURE}, randomblob(${PICTURE}))`
          yield* sql`INSERT INTO page_pictures (link_id, address, host, place, state, picture_id, changed_at)
            VALUES (${n}, ${`https://example.org/${id}.png`}, 'example.org', ${place}, 'kept', ${id}, '2026')`
        }
      })
    )
  )
  await runtime.dispose()
}

const megabytes = (file: string) => `${(statSync(file).size / 1e6).toFixed(0)} MB`

/** What kept pages cost: bytes on disk, and the times of lists, searches, counts and backups with and without them. */
export const pages = async () => {
  const folder = mkdtempSync(join(tmpdir(), "linkbower-bench-"))
  const fileOf = (name: string) => join(folder, `${name}.db`)
  const [bare, kept, pictured] = [fileOf("bare"), fileOf("kept"), fileOf("pictured")]
  try {
    const articles = await fillLinks(bare)
    copyFileSync(bare, kept)
    await fillPages(kept, articles)
    copyFileSync(kept, pictured)
    await fillPictures(pictured)
    const characters = articles.reduce((sum, html) => sum + (html?.length ?? 0), 0)
    console.log(
      `${SIZE} links without kept pages ${megabytes(bare)}, with pages (${(characters / 1e6).toFixed(0)} million characters) ${megabytes(kept)}, with ${PICTURES} pictures of ${PICTURE / 1000} kB each ${megabytes(pictured)}`
    )
    const libraries = [
      { name: "without", file: bare },
      { name: "pages", file: kept },
      { name: "pictures", file: pictured }
    ].map((one) => ({ ...one, runtime: open(one.file) }))
    const queries = Array.from({ length: 50 }, () => parseQuery(word(), Date.now()))
    let turn = 0
    /** Links in a row, as a list has them. */
    const someLinks = () => {
      const first = 1 + Math.floor(Math.random() * (SIZE - 50))
      return Array.from({ length: 50 }, (_, index) => LinkId.make(first + index))
    }
    const tasks: ReadonlyArray<
      readonly [string, number, (at: (typeof libraries)[number]) => Promise<unknown>]
    > = [
      [
        "a list of 50 links",
        300,
        ({ runtime }) => runtime.runPromise(Effect.flatMap(LinkStore, (links) => links.jsonOf(someLinks())))
      ],
      [
        "the whole list",
        5,
        ({ runtime }) =>
          runtime.runPromise(
            Effect.flatMap(LinkList, (list) => list.page({ terms: [], filters: [], sort: "newest" }))
          )
      ],
      [
        "a search",
        100,
        ({ runtime }) =>
          runtime.runPromise(
            Effect.flatMap(SearchLinks, (search) =>
              search.page({
                terms: [],
                filters: [],
                ...queries[Math.floor(turn++ / 3) % queries.length],
                sort: "relevance",
                limit: 50
              })
            )
          )
      ],
      [
        "the statistics",
        40,
        ({ runtime }) => runtime.runPromise(Effect.flatMap(ViewLinks, ({ statistics }) => statistics))
      ],
      [
        "a backup",
        3,
        ({ file }) => Effect.runPromise(Effect.scoped(snapshotOf(file, `${file}.copy`, { replace: true })))
      ]
    ]
    for (const [what, rounds, run] of tasks) {
      const times = await interleaved(
        libraries.map((one) => ({ name: one.name, run: () => run(one) })),
        rounds
      )
      const of = (name: string) => times.get(name) ?? Number.NaN
      for (const name of ["pages", "pictures"])
        report(
          `${what} of ${SIZE} links with kept ${name} / without kept pages`,
          of(name) / of("without"),
          {
            most:
              what === "a backup"
                ? (statSync(fileOf(name === "pages" ? "kept" : "pictured")).size / statSync(bare).size) * 2
                : 1.2
          },
          `${ms(of(name))} / ${ms(of("without"))}`
        )
    }
    for (const { runtime } of libraries) await runtime.dispose()
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
