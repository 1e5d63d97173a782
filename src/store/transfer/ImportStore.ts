import { SqlClient } from "@effect/sql"
import type { Fragment } from "@effect/sql/Statement"
import { DateTime, Effect, Schema } from "effect"
import type { ExportedAlias, ExportedCollection, ExportedSearch } from "../../domain/ExportedLink.ts"
import type { Incoming } from "../../domain/Incoming.ts"
import { CollectionColor, CollectionIcon, MAX_COLLECTION_DESCRIPTION } from "../../domain/Label.ts"
import { type CollectionRef, LinkId } from "../../domain/Link.ts"
import { makeSecret } from "../../runtime/Secret.ts"
import { Service } from "../../runtime/Services.ts"
import { normalizeCategory, UNSORTED } from "../../shared/Category.ts"
import { normalizeCollectionPath, parentPath } from "../../shared/CollectionPath.ts"
import { MAX_SEARCHES } from "../../shared/Limits.ts"
import { normalizeOwnerTag } from "../../shared/Tags.ts"
import { cutText } from "../../shared/Text.ts"
import { listOf } from "../Fragment.ts"
import { ensureCollections, IS_EMPTY_COLLECTION, insideOf, sharedAmong } from "../links/CollectionPaths.ts"
import { beginImport, endImport, rememberLinks, rememberTrashed, settleLinks } from "../links/ImportRecord.ts"
import { aliasKey, recordCreated, recorded } from "../links/Journal.ts"
import { columnOf, columnsBut } from "../links/LinkColumns.ts"
import { createdAtExpression, latestPlausibleTime, WAITING } from "../links/LinkStore.ts"
import { findTrashed, restoreTrashed } from "../links/TrashRows.ts"
import { readNumbers, readRows, readTexts } from "../Rows.ts"
import { execute, orUnavailable } from "../Transaction.ts"

const isColor = Schema.is(CollectionColor)
const isIcon = Schema.is(CollectionIcon)

/** Brings a name from a file into the form of this library; null if nothing is left. */
const normalize: Record<ExportedAlias["kind"], (name: string) => string | null> = {
  tag: (name) => normalizeOwnerTag(name) || null,
  category: normalizeCategory,
  collection: normalizeCollectionPath
}

const readMade = readRows(Schema.Struct({ id: LinkId, normalizedUrl: Schema.String }))

/** The columns that the keys of `rowOf` supply. */
const given = columnsBut("inShared", "refused", "highlighted")

const insertLinks = `INSERT INTO links (id, ${given.map(columnOf).join(", ")}, collection_id, refused)
  SELECT value ->> 'id', ${given.map((key) => `value ->> '${key}'`).join(", ")}, value ->> 'collectionId',
    (SELECT json_group_array(r.id) FROM json_each(given.value, '$.refused') AS one JOIN collections r ON r.name = one.value)
  FROM json_each(?1) AS given WHERE true ON CONFLICT DO NOTHING RETURNING id, normalized_url`

/** Builds the row of a link from another program: its file's values count as set by the owner. */
const foreignRow = (link: Incoming, now: string) => ({
  ...link,
  id: null,
  title: link.title || link.host,
  summary: "",
  tags: JSON.stringify(link.tags),
  category: UNSORTED,
  favorite: link.favorite ? 1 : 0,
  shareable: 0,
  // Only the file's values are known; everything else is still to be read from the page.
  enrichment: "partial",
  createdAt: link.createdAt ?? now,
  updatedAt: now,
  handTags: JSON.stringify(link.tags),
  titleByHand: link.title === "" ? 0 : 1,
  summaryByHand: 0,
  categoryByHand: 0,
  collectionByHand: link.collection === null ? 0 : 1,
  tagsByHand: 0,
  retries: 0,
  type: "page",
  facts: "{}",
  model: null,
  stages: WAITING,
  filedBecause: null,
  refused: []
})

/** The highest id that a link keeps: after 2^53 - 1, which a file may contain, no link could be saved. */
const MAX_KEPT_ID = 2 ** 31 - 1

/** Whether a link keeps its id from another library, and its sharing. */
interface Kept {
  readonly keepNumbers: boolean
  readonly keepShared: boolean
}

const rowOf = (link: Incoming, now: string, { keepNumbers, keepShared }: Kept) => {
  if (link.whole === null) return foreignRow(link, now)
  const {
    byHand,
    facts,
    filedBecause,
    handTags,
    deletedAt: _,
    files: __,
    page: ___,
    repository,
    stages,
    tags,
    tagsByHand,
    ...whole
  } = link.whole
  return {
    ...whole,
    id: keepNumbers && whole.id <= MAX_KEPT_ID ? whole.id : null,
    normalizedUrl: link.normalizedUrl,
    host: link.host,
    tags: JSON.stringify(tags),
    handTags: JSON.stringify(handTags),
    repository: repository === null ? null : JSON.stringify(repository),
    favorite: whole.favorite ? 1 : 0,
    shareable: keepShared && whole.shareable ? 1 : 0,
    // A page that was still unread in the other library has to be read here.
    enrichment: whole.enrichment === "pending" ? "partial" : whole.enrichment,
    titleByHand: byHand.includes("title") ? 1 : 0,
    summaryByHand: byHand.includes("summary") ? 1 : 0,
    categoryByHand: byHand.includes("category") ? 1 : 0,
    collectionByHand: byHand.includes("collection") ? 1 : 0,
    tagsByHand: tagsByHand ? 1 : 0,
    facts: JSON.stringify(facts),
    stages: JSON.stringify(stages),
    // The numbers of other links mean something only where all links keep theirs.
    filedBecause: keepNumbers && filedBecause !== null ? JSON.stringify(filedBecause) : null
  }
}

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const ensured = (names: ReadonlyArray<string>) => orUnavailable(ensureCollections(sql, names))
  /** Returns those of these URLs whose link `l`, in the collection `c`, meets a condition. */
  const among = (normalizedUrls: ReadonlyArray<string>, condition: Fragment) =>
    Effect.map(
      readTexts(
        sql`SELECT l.normalized_url FROM links l LEFT JOIN collections c ON c.id = l.collection_id
              WHERE l.normalized_url IN ${listOf(normalizedUrls)} AND ${condition}`
      ),
      (found) => new Set(found)
    )
  const created = (change: number, ids: ReadonlyArray<number>) =>
    orUnavailable(recordCreated(sql, change, "collection", ids))

  return {
    /** Whether the library has never held a link or a collection, so that imported ones can keep their ids. */
    isUntouched: Effect.map(
      Effect.orDie(sql`SELECT 1 FROM sqlite_sequence WHERE name IN ('links', 'collections') AND seq > 0`),
      (rows) => rows.length === 0
    ),
    begin: Effect.fn("ImportStore.begin")((token: string) => orUnavailable(beginImport(sql, token))),
    /** Returns whether the import changed anything, and how many known links; forgets one that did not. */
    end: Effect.fn("ImportStore.end")((token: string) => orUnavailable(endImport(sql, token))),
    remember: Effect.fn("ImportStore.remember")((change: number, ids: ReadonlyArray<LinkId>) =>
      execute(rememberLinks(sql, change, ids))
    ),
    settle: Effect.fn("ImportStore.settle")(
      (
        change: number,
        links: { readonly added: ReadonlyArray<LinkId>; readonly remembered: ReadonlyArray<LinkId> }
      ) => orUnavailable(settleLinks(sql, change, links))
    ),
    /** Creates the missing collections, with their ids and dates; skips a collection whose id or name is taken. */
    restoreCollections: Effect.fn("ImportStore.restoreCollections")(function* (
      change: number,
      collections: ReadonlyArray<ExportedCollection>
    ) {
      const restored = yield* orUnavailable(
        readNumbers(
          sql`INSERT INTO collections (id, name, created_at)
                SELECT value ->> 'id', value ->> 'name', value ->> 'createdAt' FROM json_each(${JSON.stringify(collections)})
                WHERE true ON CONFLICT DO NOTHING RETURNING id`
        )
      )
      // A file of an earlier version lacks the collections around those of imported folders.
      const parents = collections.map(({ name }) => ({ name, parent: parentPath(name) }))
      const { made } = yield* ensured(parents.flatMap(({ parent }) => parent ?? []))
      yield* orUnavailable(
        sql`UPDATE collections SET parent_id = (SELECT up.id FROM collections up WHERE up.name = v.value ->> 'parent')
              FROM json_each(${JSON.stringify(parents)}) AS v
              WHERE collections.name = v.value ->> 'name' AND v.value ->> 'parent' IS NOT NULL`
      )
      yield* created(change, [...restored, ...made])
    }),
    /** Gives collections what they lack of the file's look and order; `keepShared` shares those that the file shares. */
    completeCollections: Effect.fn("ImportStore.completeCollections")(function* (
      change: number,
      collections: ReadonlyArray<ExportedCollection>,
      keepShared: boolean
    ) {
      if (collections.length === 0) return
      const rows = collections.map(({ color, description, icon, name, order, shareable }) => ({
        name,
        description: cutText(description, MAX_COLLECTION_DESCRIPTION),
        color: color !== null && isColor(color) ? color : null,
        icon: icon !== null && isIcon(icon) ? icon : null,
        order: Math.max(order, 0),
        shareable: keepShared && shareable ? 1 : 0
      }))
      const wanted = yield* readNumbers(
        sql`SELECT coalesce((SELECT id FROM collections same WHERE same.name = v.value ->> 'name'),
                (SELECT CAST(target AS INTEGER) FROM aliases WHERE kind = 'collection' AND name = v.value ->> 'name'))
                FROM json_each(${JSON.stringify(rows)}) AS v`
      )
      const complete = Effect.zipRight(
        sql`UPDATE collections SET description = iif(description = '', v.value ->> 'description', description),
                color = coalesce(color, v.value ->> 'color'), icon = coalesce(icon, v.value ->> 'icon'),
                position = iif(position = 0, v.value ->> 'order', position),
                shareable = max(shareable, v.value ->> 'shareable')
              FROM json_each(${JSON.stringify(rows)}) AS v WHERE (${keepShared ? 1 : 0} OR collections.shared = 0) AND collections.id = coalesce(
                (SELECT id FROM collections same WHERE same.name = v.value ->> 'name'),
                (SELECT CAST(target AS INTEGER) FROM aliases WHERE kind = 'collection' AND name = v.value ->> 'name'))`,
        sql`UPDATE collections SET shared = 1 WHERE shared = 0
              AND id IN ${insideOf(sql`SELECT id FROM collections WHERE shareable = 1`)}`
      )
      yield* orUnavailable(recorded(sql, change, "collection", wanted, complete))
    }),
    /** Shows up to `most` more links of shared collections; returns how many. */
    showShared: Effect.fn("ImportStore.showShared")((most: number) =>
      Effect.map(
        orUnavailable(
          readNumbers(
            sql`UPDATE links SET in_shared = 1 WHERE id IN (
                  SELECT l.id FROM collections c JOIN links l ON l.collection_id = c.id
                  WHERE c.shared = 1 AND l.in_shared = 0 LIMIT ${most}) RETURNING id`
          )
        ),
        (shown) => shown.length
      )
    ),
    /** Adds other names, except those that are in use or stand for something already. */
    addAliases: Effect.fn("ImportStore.addAliases")(function* (
      change: number,
      aliases: ReadonlyArray<ExportedAlias>
    ) {
      const known = aliases.flatMap(({ kind, name, target }) => {
        const [from, to] = [normalize[kind](name), normalize[kind](target)]
        return from === null || to === null ? [] : [{ kind, name: from, target: to }]
      })
      if (known.length === 0) return
      // The meaning of a name here wins; a tag or a category may be unused so far.
      const add = sql`INSERT INTO aliases (kind, name, target)
              SELECT v.value ->> 'kind', v.value ->> 'name',
                coalesce(a.target, iif(v.value ->> 'kind' = 'collection', c.id, v.value ->> 'target'))
              FROM json_each(${JSON.stringify(known)}) AS v
              LEFT JOIN aliases a ON a.kind = v.value ->> 'kind' AND a.name = v.value ->> 'target'
              LEFT JOIN collections c ON v.value ->> 'kind' = 'collection' AND c.name = v.value ->> 'target'
              WHERE (v.value ->> 'kind' <> 'collection' OR c.id IS NOT NULL OR a.target IS NOT NULL)
                AND lower(v.value ->> 'name') <> lower(coalesce(a.target, v.value ->> 'target'))
                AND NOT (v.value ->> 'kind' = 'tag' AND EXISTS (SELECT 1 FROM tags_in_use WHERE tag = v.value ->> 'name'))
                AND NOT (v.value ->> 'kind' = 'category'
                  AND EXISTS (SELECT 1 FROM categories_in_use WHERE category = v.value ->> 'name'))
                AND NOT (v.value ->> 'kind' = 'collection'
                  AND EXISTS (SELECT 1 FROM collections same WHERE same.name = v.value ->> 'name'))
              ON CONFLICT DO NOTHING`
      const keys = known.map(({ kind, name }) => aliasKey(kind, name))
      yield* orUnavailable(recorded(sql, change, "alias", keys, add))
    }),
    /**
     * Returns the collections with these names, by requested name, creating missing ones; and the ids of those created.
     */
    collections: (names: ReadonlyArray<string>) => ensured(names),
    sharedAmong: (paths: ReadonlyArray<string>) => sharedAmong(sql, paths),
    addCollections: Effect.fn("ImportStore.addCollections")(function* (
      change: number,
      names: ReadonlyArray<string>
    ) {
      const { made } = yield* ensured(names)
      yield* created(change, made)
    }),
    /** Adds the saved searches whose names are new, each with a feed of its own, as far as there is room. */
    addSearches: Effect.fn("ImportStore.addSearches")(function* (
      change: number,
      searches: ReadonlyArray<ExportedSearch>
    ) {
      if (searches.length === 0) return
      const now = DateTime.formatIso(yield* DateTime.now)
      const rows = searches.map((search) => ({
        ...search,
        pinned: search.pinned ? 1 : 0,
        token: makeSecret()
      }))
      const added = yield* orUnavailable(
        readNumbers(sql`INSERT INTO searches (name, query, sort, pinned, position, token, created_at)
              SELECT value ->> 'name', value ->> 'query', value ->> 'sort', value ->> 'pinned',
                (SELECT coalesce(max(position), -1) FROM searches) + 1 + key, value ->> 'token', ${now}
              FROM json_each(${JSON.stringify(rows)}) AS given
              WHERE NOT EXISTS (SELECT 1 FROM searches s WHERE s.name = value ->> 'name') ORDER BY key
              LIMIT max(0, ${MAX_SEARCHES} - (SELECT count(*) FROM searches)) ON CONFLICT DO NOTHING RETURNING id`)
      )
      yield* orUnavailable(recordCreated(sql, change, "search", added))
    }),
    insert: Effect.fn("ImportStore.insert")(function* (
      links: ReadonlyArray<Incoming>,
      kept: Kept,
      collections: ReadonlyMap<string, CollectionRef>
    ) {
      const time = yield* DateTime.now
      const now = DateTime.formatIso(time)
      const [at = now] = yield* readTexts(
        sql.unsafe(`SELECT ${createdAtExpression("?1", "?2")}`, [now, latestPlausibleTime(time)])
      )
      // A link without a date in its file counts as saved now.
      const rows = JSON.stringify(
        links.map((link) => ({
          ...rowOf(link, at, kept),
          collectionId: link.collection === null ? null : collections.get(link.collection)?.id
        }))
      )
      const made = yield* orUnavailable(readMade(sql.unsafe(insertLinks, [rows])))
      yield* orUnavailable(
        sql`INSERT INTO embedding_queue (link_id) SELECT value FROM json_each(${JSON.stringify(made.map(({ id }) => id))})`
      )
      return made
    }),
    /** Gives links that have no text of their page one. */
    fillTexts: Effect.fn("ImportStore.fillTexts")(
      (texts: ReadonlyArray<{ readonly id: LinkId; readonly text: string }>) =>
        execute(sql`UPDATE links SET text = given.value ->> 'text' FROM json_each(${JSON.stringify(texts)}) AS given
                WHERE links.id = given.value ->> 'id' AND links.text = ''`)
    ),
    /** Removes the empty ones of these collections, which the import has created, and records the others. */
    keepFilled: Effect.fn("ImportStore.keepFilled")(function* (change: number, ids: ReadonlyArray<number>) {
      if (ids.length === 0) return
      const gone = yield* orUnavailable(
        readNumbers(
          sql`DELETE FROM collections WHERE id IN ${listOf(ids)}
                AND ${sql.literal(IS_EMPTY_COLLECTION)} RETURNING id`
        )
      )
      const removed = new Set(gone)
      yield* created(
        change,
        ids.filter((id) => !removed.has(id))
      )
    }),
    restoreTrashed: Effect.fn("ImportStore.restoreTrashed")(function* (
      change: number,
      normalizedUrls: ReadonlyArray<string>
    ) {
      const ids = yield* findTrashed(sql, normalizedUrls)
      if (ids.length === 0) return ids
      yield* orUnavailable(rememberTrashed(sql, change, ids))
      yield* orUnavailable(restoreTrashed(sql, ids, { privately: true }))
      return ids
    }),
    /** Those URLs whose links are public, or would be once these collections and all inside them are shared. */
    publicOf: Effect.fn("ImportStore.publicOf")(
      (normalizedUrls: ReadonlyArray<string>, names: ReadonlyArray<string>) => {
        const named = sql`SELECT id FROM collections WHERE name IN ${listOf(names)}`
        const isShared = sql`c.shared = 1 OR c.id IN ${insideOf(named)}`
        return among(normalizedUrls, sql`(l.shareable = 1 OR ${isShared})`)
      }
    ),
    filed: Effect.fn("ImportStore.filed")((normalizedUrls: ReadonlyArray<string>) =>
      among(normalizedUrls, sql`c.id IS NOT NULL`)
    ),
    /** Returns the links in the trash with these URLs, the latest deletion of each last. */
    findTrashed: Effect.fn("ImportStore.findTrashed")((normalizedUrls: ReadonlyArray<string>) =>
      readMade(
        sql`SELECT id, normalized_url FROM trash
              WHERE normalized_url IN ${listOf(normalizedUrls)} ORDER BY deleted_at, id`
      )
    ),
    find: Effect.fn("ImportStore.find")((normalizedUrls: ReadonlyArray<string>) =>
      readMade(sql`SELECT id, normalized_url FROM links WHERE normalized_url IN ${listOf(normalizedUrls)}`)
    )
  }
})

/** Writes imported links in batches, and records what an import has changed, so that it can be undone. */
export class ImportStore extends Service<ImportStore>()("ImportStore", make) {}
