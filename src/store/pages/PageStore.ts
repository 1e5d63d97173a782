import { SqlClient } from "@effect/sql"
import { DateTime, Effect, Option, Schema, Stream } from "effect"
import { articleText } from "../../domain/Article.ts"
import {
  type ExportedPage,
  KeptPage,
  MAX_EARLIER_VERSIONS,
  measureArticle,
  type NewPage,
  PageDamaged,
  PageNotKept,
  PageVersion
} from "../../domain/KeptPage.ts"
import type { LinkId } from "../../domain/Link.ts"
import { Service } from "../../runtime/Services.ts"
import { listOf } from "../Fragment.ts"
import { hasTask } from "../jobs/TaskStore.ts"
import { firstLinkId, firstRow, readFlag, readLinkIds, readNumber, readRows } from "../Rows.ts"
import { execute, orDefect, orUnavailable, Transaction } from "../Transaction.ts"
import { applyDifference, packDifference, packHtml, unpackHtml } from "./PageDifference.ts"

const readPageVersion = readRows(PageVersion)

const ABOUT = [
  ...["version", "title", "author", "site_name", "published_at", "language", "source", "url"],
  ...["words", "reading_time", "saved_at"]
].join(", ")

/** Condition that the page of a link `l` is not kept, and that it does not wait to be read for the first time. */
export const IS_MISSING = `l.enrichment <> 'pending'
  AND NOT EXISTS (SELECT 1 FROM pages WHERE pages.link_id = l.id)
  AND NOT ${hasTask("read", "l.id")}`

const About = KeptPage.omit("html")
const Current = Schema.Struct({ ...About.fields, html: Schema.Uint8ArrayFromSelf })
const readCurrents = readRows(Current)
const Earlier = Schema.Struct({ ...About.fields, difference: Schema.Uint8ArrayFromSelf })
const readEarliers = readRows(Earlier)
const Digest = Schema.Struct({ version: KeptPage.fields.version, digest: Schema.Uint8ArrayFromSelf })
const readDigest = readRows(Digest)

const digestOf = (html: string) => new Bun.CryptoHasher("sha256").update(articleText(html)).digest()

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const transaction = yield* Transaction
  const about = sql.literal(ABOUT)
  const isMissing = sql.literal(IS_MISSING)
  const versionsOf = (id: LinkId) =>
    readPageVersion(sql`SELECT version, saved_at, title, words, bytes FROM pages WHERE link_id = ${id}
            UNION ALL SELECT version, saved_at, title, words, bytes FROM page_versions WHERE link_id = ${id}
            ORDER BY version DESC`)
  const readCurrent = Effect.fnUntraced(function* (id: LinkId) {
    const row = yield* Effect.mapError(
      Effect.flatten(
        firstRow(
          readCurrents(
            sql`SELECT link_id, ${about}, html FROM pages JOIN page_contents USING (link_id) WHERE link_id = ${id}`
          )
        )
      ),
      () => new PageNotKept({ linkId: id })
    )
    const html = unpackHtml(row.html)
    if (Option.isNone(html)) return yield* new PageDamaged({ linkId: id, version: row.version })
    return { ...row, html: html.value }
  })

  /** Streams the versions of a page before the one given, newest first, down to the version `last`. */
  const earlier = (page: KeptPage, last = 1): Stream.Stream<KeptPage, PageDamaged> =>
    Stream.unwrap(
      Effect.map(
        readEarliers(sql`SELECT link_id, ${about}, difference FROM page_versions
            WHERE link_id = ${page.linkId} AND version >= ${last} ORDER BY version DESC`),
        (rows) =>
          Stream.mapAccumEffect(Stream.fromIterable(rows), page.html, (from, { difference, ...about }) =>
            Option.match(applyDifference(difference, from), {
              onNone: () => new PageDamaged({ linkId: page.linkId, version: about.version }),
              onSome: (html) => Effect.succeed([html, { ...about, html }] as const)
            })
          )
      )
    )

  const read = Effect.fn("PageStore.read")(function* (id: LinkId, version?: number) {
    const page: KeptPage = yield* readCurrent(id)
    if (version === undefined || version === page.version) return page
    const found = Option.getOrElse(yield* Stream.runLast(earlier(page, version)), () => page)
    if (found.version !== version) return yield* new PageNotKept({ linkId: id })
    return found
  })

  /** Reads the version before the current one, which is `version`; undefined for a page with one version. */
  const readEarlier = Effect.fnUntraced(function* (id: LinkId, version: number) {
    const [, earlier] = yield* versionsOf(id)
    return earlier === undefined || earlier.version >= version ? undefined : yield* read(id, earlier.version)
  })

  /** Writes the current version down as what makes it of the page that follows it. */
  const keepEarlier = Effect.fnUntraced(function* (id: LinkId, html: string) {
    const current = yield* Effect.option(readCurrent(id))
    // A damaged page is replaced, and the versions that were made of it are gone with it.
    if (Option.isNone(current)) return yield* sql`DELETE FROM page_versions WHERE link_id = ${id}`
    const difference = packDifference(current.value.html, html)
    yield* sql`INSERT INTO page_versions (link_id, ${about}, bytes, difference)
          SELECT link_id, ${about}, ${difference.byteLength}, ${difference} FROM pages WHERE link_id = ${id}`
    yield* sql`DELETE FROM page_versions WHERE link_id = ${id} AND version <= (
          SELECT version FROM page_versions WHERE link_id = ${id} ORDER BY version DESC
          LIMIT 1 OFFSET ${MAX_EARLIER_VERSIONS})`
  })

  /** Replaces the current HTML by one with the same text, and renews the difference before it; returns whether it differs. */
  const restructure = Effect.fnUntraced(function* (id: LinkId, html: string, version: number) {
    const current = yield* Effect.option(readCurrent(id))
    if (Option.isSome(current) && current.value.html === html) return false
    const before = yield* Effect.option(readEarlier(id, version))
    // A damaged page is replaced, and the versions that were made of it are gone with it.
    if (Option.isNone(current) || Option.isNone(before))
      yield* sql`DELETE FROM page_versions WHERE link_id = ${id}`
    else if (before.value !== undefined) {
      const difference = packDifference(before.value.html, html)
      yield* sql`UPDATE page_versions SET difference = ${difference}, bytes = ${difference.byteLength}
            WHERE link_id = ${id} AND version = ${before.value.version}`
    }
    const contents = packHtml(html)
    yield* sql`UPDATE pages SET ${sql.update({ ...measureArticle(html), bytes: contents.byteLength })}
          WHERE link_id = ${id}`
    yield* sql`UPDATE page_contents SET html = ${contents} WHERE link_id = ${id}`
    return true
  })

  const write = Effect.fnUntraced(function* (id: LinkId, page: NewPage, version: number, savedAt: string) {
    const contents = packHtml(page.html)
    const row = {
      version,
      title: page.title,
      author: page.author,
      siteName: page.siteName,
      publishedAt: page.publishedAt,
      language: page.language,
      source: page.source,
      url: page.url,
      ...measureArticle(page.html),
      savedAt,
      bytes: contents.byteLength,
      digest: digestOf(page.html)
    }
    yield* sql`INSERT INTO pages ${sql.insert({ linkId: id, ...row })}
          ON CONFLICT (link_id) DO UPDATE SET ${sql.update(row)}`
    yield* sql`INSERT INTO page_contents ${sql.insert({ linkId: id, html: contents })}
          ON CONFLICT (link_id) DO UPDATE SET html = excluded.html`
  })

  /**
   * Keeps a page in the caller's transaction. Another text than the one that is kept becomes the current version, and
   * the earlier one stays as what differs, one of at most `MAX_EARLIER_VERSIONS`. The same text in other HTML replaces
   * that of the current version, so that positions in the text stay valid; the same HTML changes nothing.
   */
  const keep = Effect.fn("PageStore.keep")(
    function* (id: LinkId, page: NewPage) {
      const digest = digestOf(page.html)
      const before = Option.getOrUndefined(
        yield* firstRow(readDigest(sql`SELECT version, digest FROM pages WHERE link_id = ${id}`))
      )
      if (before !== undefined && digest.equals(before.digest))
        return (yield* restructure(id, page.html, before.version)) ? "restructured" : "same"
      if (before !== undefined) yield* keepEarlier(id, page.html)
      yield* write(id, page, (before?.version ?? 0) + 1, DateTime.formatIso(yield* DateTime.now))
      return before === undefined ? "new" : "changed"
    },
    transaction,
    orDefect
  )

  /** Gives a link that has no page the newest of these links' pages, and returns whose; they keep theirs. */
  const share = Effect.fn("PageStore.share")(
    function* (id: LinkId, others: ReadonlyArray<LinkId>) {
      const from = yield* firstLinkId(
        sql`SELECT link_id FROM pages WHERE link_id IN ${listOf(others)}
              AND NOT EXISTS (SELECT 1 FROM pages WHERE link_id = ${id}) ORDER BY saved_at DESC, link_id LIMIT 1`
      )
      if (Option.isNone(from)) return from
      yield* sql`INSERT INTO pages (link_id, ${about}, bytes, digest)
            SELECT ${id}, ${about}, bytes, digest FROM pages WHERE link_id = ${from.value}`
      yield* sql`UPDATE pages SET version = 1 WHERE link_id = ${id}`
      yield* sql`INSERT INTO page_contents (link_id, html)
            SELECT ${id}, html FROM page_contents WHERE link_id = ${from.value}`
      return from
    },
    transaction,
    orDefect
  )

  const isKept = Effect.fn("PageStore.isKept")((id: LinkId) =>
    readFlag(sql`SELECT EXISTS (SELECT 1 FROM pages WHERE link_id = ${id})`)
  )

  return {
    keep,
    share,
    /** Keeps a page as it was exported, if the link has none; returns whether it had none. */
    fill: Effect.fn("PageStore.fill")(
      function* (id: LinkId, page: ExportedPage) {
        if (yield* isKept(id)) return false
        yield* write(id, page, page.version, page.savedAt)
        return true
      },
      transaction,
      orDefect
    ),
    /** Returns the pages of these links in no certain order; those that are damaged are missing, and logged. */
    readAll: Effect.fn("PageStore.readAll")(function* (ids: ReadonlyArray<LinkId>) {
      const pages: Array<KeptPage> = []
      for (const row of yield* readCurrents(sql`SELECT link_id, ${about}, html FROM pages JOIN page_contents USING (link_id)
            WHERE link_id IN ${listOf(ids)}`)) {
        const html = unpackHtml(row.html)
        if (Option.isSome(html)) pages.push({ ...row, html: html.value })
        else yield* Effect.logWarning(`the kept page of #${row.linkId} is damaged, and is left out`)
      }
      return pages
    }),
    read,
    earlier: (id: LinkId) => Stream.unwrap(Effect.map(readCurrent(id), (page) => earlier(page))),
    versions: Effect.fn("PageStore.versions")((id: LinkId) => versionsOf(id)),
    isKept,
    forget: Effect.fn("PageStore.forget")((ids: ReadonlyArray<LinkId>) =>
      execute(sql`DELETE FROM pages WHERE link_id IN ${listOf(ids)}`)
    ),
    forgetSome: Effect.fn("PageStore.forgetSome")((limit: number) =>
      orUnavailable(
        readLinkIds(
          sql`DELETE FROM pages WHERE link_id IN (SELECT link_id FROM pages ORDER BY link_id LIMIT ${limit})
                RETURNING link_id`
        )
      )
    ),
    /** The next `limit` links whose page is not kept, without those that wait for their first reading. */
    missing: Effect.fn("PageStore.missing")((after: number, limit: number) =>
      readLinkIds(
        sql`SELECT l.id FROM links l WHERE ${isMissing} AND l.id > ${after} ORDER BY l.id LIMIT ${limit}`
      )
    ),
    countMissing: readNumber(sql`SELECT count(*) FROM links l WHERE ${isMissing}`).pipe(
      Effect.withSpan("PageStore.countMissing")
    )
  }
})

export class PageStore extends Service<PageStore>()("PageStore", make) {}
