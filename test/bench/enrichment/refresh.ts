import type { Database as Sqlite } from "bun:sqlite"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { ConfigProvider, Effect, Layer, Logger, LogLevel, ManagedRuntime } from "effect"
import { library } from "../../../src/Application.ts"
import { LinkId, type Stage } from "../../../src/domain/Link.ts"
import { Enricher } from "../../../src/enrich/Enricher.ts"
import { Resolver } from "../../../src/enrich/fetch/Destination.ts"
import { Fetcher } from "../../../src/enrich/fetch/Fetcher.ts"
import { Summarizer } from "../../../src/enrich/model/Summarizer.ts"
import { Scraper } from "../../../src/enrich/page/Scraper.ts"
import { Repositories } from "../../../src/enrich/repository/Repositories.ts"
import { Refresh } from "../../../src/library/Refresh.ts"
import { storesAt } from "../../support/library.ts"
import { inDatabase, makeEarlier } from "../../support/libraryFile.ts"
import { sandbox } from "../../support/sandbox.ts"
import { report } from "../measure.ts"
import { holdsSite } from "./Names.ts"
import { bytesOf, CONTENT_TYPE, hasPages, htmlOf, readPages, type TestPage } from "./Pages.ts"
import { plainText } from "./PlainText.ts"

/** The last version whose links had no type and no facts. */
const EARLIER = 16
const TIME = "2026-01-02T03:04:05.678Z"

/** The longest text that the earlier version is taken to have kept, in UTF-16 units. */
const TEXT_BEFORE = 20_000

const isoTime = (written: string | null): string | null => {
  const moment = new Date(written ?? "")
  return Number.isNaN(moment.getTime()) ? null : moment.toISOString()
}

/**
 * A page's fields as the earlier version read them: from the commonest tags of its head, with the title whole, and all of
 * its text.
 */
const fieldsBefore = ({ id, tags }: TestPage, host: string) => ({
  title: tags.ogTitle ?? tags.twitterTitle ?? tags.title ?? tags.h1 ?? host,
  description: tags.ogDescription ?? tags.twitterDescription ?? tags.metaDescription ?? "",
  image: tags.ogImage?.startsWith("http") ? tags.ogImage : null,
  siteName: tags.ogSiteName,
  author: tags.metaAuthor,
  publishedAt: isoTime(tags.articlePublished),
  language: tags.htmlLang,
  text: plainText(htmlOf(id)).slice(0, TEXT_BEFORE)
})

/** What the owner has set by hand on every few links; null where nothing was set. */
const setByHand = (id: number) => ({
  title: id % 5 === 0 ? `My own title ${id}` : null,
  summary: id % 7 === 0 ? `My own summary ${id}` : null,
  note: id % 3 === 0 ? `My note ${id}\nof two lines` : null,
  tag: id % 4 === 0 ? `my-tag-${id}` : null,
  category: id % 6 === 0 ? "mine" : null
})

/** Fills a library of the earlier version with the pages, at their addresses on the loopback server. */
const makeBefore = async (file: string, pages: ReadonlyArray<TestPage>, server: URL) => {
  await Effect.runPromise(Effect.scoped(makeEarlier(file, EARLIER)))
  inDatabase(file, (database) => {
    const insert = database.prepare(
      `INSERT INTO links (url, normalized_url, host, title, title_by_hand, note, summary, summary_by_hand, description, tags,
        hand_tags, category, category_by_hand, image, site_name, author, published_at, language, text, enrichment,
        created_at, updated_at)
        VALUES (?1, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?18, 'complete', ?17, ?17)`
    )
    database.transaction(() => {
      for (const [at, page] of pages.entries()) {
        const before = fieldsBefore(page, server.hostname)
        const mine = setByHand(at + 1)
        insert.run(
          new URL(`/${encodeURIComponent(page.id)}`, server).href,
          server.hostname,
          mine.title ?? before.title,
          mine.title === null ? 0 : 1,
          mine.note ?? "",
          mine.summary ?? "",
          mine.summary === null ? 0 : 1,
          before.description,
          JSON.stringify(mine.tag === null ? [] : [mine.tag]),
          mine.category ?? "Other",
          mine.category === null ? 0 : 1,
          before.image,
          before.siteName,
          before.author,
          before.publishedAt,
          before.language,
          TIME,
          before.text
        )
      }
    })()
  })
}

/** The columns that a refresh can fill. */
const columns = [
  "title",
  "description",
  "image",
  "favicon",
  "site_name",
  "author",
  "published_at",
  "language",
  "canonical_url",
  "type",
  "facts",
  "text"
] as const

interface Row extends Readonly<Partial<Record<(typeof columns)[number], string | null>>> {
  readonly id: number
  readonly title: string
  readonly note: string
  readonly summary: string
  readonly tags: string
  readonly category: string
  readonly enrichment: string
  /** A JSON array of `Stage`; only the newest versions have it. */
  readonly stages: string
}

const rowsOf = (file: string): ReadonlyArray<Row> =>
  inDatabase(file, (database: Sqlite) => database.query<Row, []>("SELECT * FROM links ORDER BY id").all())

/** Whether a column says nothing: a title that is only the host, a link without facts, a page of no special type. */
const isEmpty = (row: Row, column: (typeof columns)[number], host: string): boolean => {
  const value = row[column] ?? ""
  return (
    ["", "{}"].includes(value) ||
    (column === "title" && value === host) ||
    (column === "type" && value === "page")
  )
}

/** Whether a link still has everything that the owner set by hand. */
const keepsHand = (row: Row): boolean => {
  const { category, note, summary, tag, title } = setByHand(row.id)
  const tags: ReadonlyArray<string> = JSON.parse(row.tags)
  return (
    (title === null || row.title === title) &&
    (summary === null || row.summary === summary) &&
    row.note === (note ?? "") &&
    (tag === null || tags.includes(tag)) &&
    (category === null || row.category === category)
  )
}

const noRepositories = Layer.succeed(Repositories, { find: () => Effect.succeedNone })

/** A model that gives every link a summary, a tag and a category, which must not replace the owner's. */
const summarizer = Layer.succeed(Summarizer, {
  summarize: () =>
    Effect.succeed({
      summary: "What the model says.",
      tags: ["model-tag"],
      category: "reading",
      model: "fake"
    })
})

/** The service's library and sources over this file; of the network it may reach this server alone. */
const openLibrary = (file: string, server: URL) =>
  ManagedRuntime.make(
    library.pipe(
      Layer.provideMerge(
        Layer.merge(
          storesAt(file),
          Enricher.layer.pipe(
            Layer.provide([Scraper.layer, noRepositories, summarizer]),
            Layer.provide([Fetcher.layer, sandbox]),
            Layer.provide(Resolver.layer)
          )
        )
      ),
      Layer.provideMerge(Logger.minimumLogLevel(LogLevel.None)),
      Layer.provide(Layer.setConfigProvider(ConfigProvider.fromMap(new Map([["FETCH_ALLOW", server.host]]))))
    )
  )

const refreshAll = (rows: ReadonlyArray<Row>) =>
  Effect.flatMap(Refresh, ({ refresh }) =>
    Effect.forEach(rows, ({ id }) => refresh(LinkId.make(id)), { concurrency: 2, discard: true })
  )

const compare = (
  before: ReadonlyArray<Row>,
  after: ReadonlyArray<Row>,
  host: string,
  pages: ReadonlyArray<TestPage>
) => {
  const pairs = before.flatMap((old, at) => {
    const now = after[at]
    return now === undefined ? [] : [{ old, now }]
  })
  console.log(
    "| field | links that had it | gained it | changed it | lost it |\n| --- | ---: | ---: | ---: | ---: |"
  )
  let lost = 0
  for (const column of columns) {
    const had = pairs.filter(({ old }) => !isEmpty(old, column, host))
    const gained = pairs.filter(({ now, old }) => isEmpty(old, column, host) && !isEmpty(now, column, host))
    const gone = had.filter(({ now }) => isEmpty(now, column, host))
    const changed = had.filter(({ now, old }) => !isEmpty(now, column, host) && now[column] !== old[column])
    lost += gone.length
    console.log(`| ${column} | ${had.length} | ${gained.length} | ${changed.length} | ${gone.length} |`)
    for (const { old } of gone)
      console.log(`  lost ${column}: ${pages[old.id - 1]?.id}: ${String(old[column]).slice(0, 80)}`)
  }
  const withSite = (rows: ReadonlyArray<Row>) =>
    rows.filter(({ id, title }) => {
      const page = pages[id - 1]
      return page !== undefined && holdsSite(title, [...page.gold.site, page.tags.ogSiteName ?? ""])
    }).length
  console.log(`\nTitles that hold their site's name: ${withSite(before)} before, ${withSite(after)} after.`)
  const reasons = after
    .filter(({ enrichment }) => enrichment !== "complete")
    .flatMap(({ stages }): ReadonlyArray<Stage> => JSON.parse(stages))
    .flatMap(({ reason }) => (reason === null ? [] : [reason]))
  for (const [reason, all] of Map.groupBy(reasons, (one) => one))
    console.log(`Not complete after it: ${all.length} links: ${reason}`)
  const overwritten = pairs.filter(({ now }) => !keepsHand(now))
  report(
    "links whose refresh changed what the owner had set",
    overwritten.length,
    { most: 0 },
    `of ${pairs.length}`
  )
  report(
    "fields that a refresh lost",
    lost,
    { most: 0 },
    `of ${columns.length} fields of ${pairs.length} links`
  )
}

/**
 * Refreshes a library that the version before made, with the recorded pages served on loopback, and reports the fields
 * that its links gain and lose: `bun run bench refresh`.
 */
export const refreshing = async (): Promise<void> => {
  if (!hasPages()) return console.log("Nothing was refreshed: shared/data/pages is not beside the checkout.")
  const pages = readPages()
  const ids = new Set(pages.map(({ id }) => id))
  const served = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: (request) => {
      const id = decodeURIComponent(new URL(request.url).pathname.slice(1))
      return ids.has(id)
        ? new Response(bytesOf(id), { headers: { "content-type": CONTENT_TYPE } })
        : new Response("", { status: 404 })
    }
  })
  const server = new URL(`http://127.0.0.1:${served.port}`)
  const folder = mkdtempSync(join(tmpdir(), "linkbower-refresh-"))
  const file = join(folder, "library.db")
  try {
    await makeBefore(file, pages, server)
    const before = rowsOf(file)
    const runtime = openLibrary(file, server)
    const start = performance.now()
    await runtime.runPromise(refreshAll(before))
    const seconds = (performance.now() - start) / 1000
    await runtime.dispose()
    console.log(
      `${before.length} links of a library of version ${EARLIER} refreshed in ${seconds.toFixed(0)} s.\n`
    )
    compare(before, rowsOf(file), server.hostname, pages)
  } finally {
    await served.stop(true)
    rmSync(folder, { recursive: true, force: true })
  }
}

if (import.meta.main) {
  await refreshing()
  process.exit()
}
