import { SqlClient, SqlSchema } from "@effect/sql"
import { Array, Context, DateTime, Effect, Layer, Schema } from "effect"
import type { ExportedCollection } from "../../domain/ExportedLink.ts"
import type { Incoming } from "../../domain/Incoming.ts"
import { type CollectionRef, LinkId } from "../../domain/Link.ts"
import type { StoreUnavailable } from "../../domain/StoreUnavailable.ts"
import { UNSORTED } from "../../shared/Category.ts"
import { createdAtExpression, latestPlausibleTime } from "../links/LinkStore.ts"
import { decodeIds, decodeRows, readOrDefect } from "../Rows.ts"
import { orUnavailable } from "../Transaction.ts"

/** A link and its normalized URL. */
const Made = Schema.Struct({ id: LinkId, normalizedUrl: Schema.String })
type Made = typeof Made.Type
const decodeMade = decodeRows(Made)
const decodeTimes = decodeRows(Schema.Struct({ at: Schema.String }))

/** The columns of a link, with the JSON keys of `rowOf` that supply their values. */
const columns = {
  id: "id",
  url: "url",
  normalized_url: "normalizedUrl",
  host: "host",
  title: "title",
  note: "note",
  summary: "summary",
  description: "description",
  tags: "tags",
  category: "category",
  favorite: "favorite",
  shareable: "shareable",
  image: "image",
  favicon: "favicon",
  site_name: "siteName",
  author: "author",
  published_at: "publishedAt",
  language: "language",
  repository: "repository",
  enrichment: "enrichment",
  created_at: "createdAt",
  updated_at: "updatedAt",
  canonical_url: "canonicalUrl",
  final_url: "finalUrl",
  hand_tags: "handTags",
  title_by_hand: "titleByHand",
  summary_by_hand: "summaryByHand",
  category_by_hand: "categoryByHand",
  collection_by_hand: "collectionByHand",
  retries: "retries",
  retry_at: "retryAt",
  text: "text"
} as const

const insertLinks = `INSERT INTO links (${Object.keys(columns).join(", ")}, collection_id)
  SELECT ${Object.values(columns)
    .map((name) => `value ->> '${name}'`)
    .join(", ")}, (SELECT c.id FROM collections c WHERE c.name = value ->> 'collection')
  FROM json_each(?1) WHERE true ON CONFLICT DO NOTHING RETURNING id, normalized_url`

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
  retries: 0,
  text: ""
})

/** What a link keeps from another library: its id, and whether it is shared. */
interface Kept {
  readonly keepNumbers: boolean
  readonly keepShared: boolean
}

const rowOf = (link: Incoming, now: string, { keepNumbers, keepShared }: Kept) => {
  if (link.whole === null) return foreignRow(link, now)
  const { byHand, handTags, repository, tags, ...whole } = link.whole
  return {
    ...whole,
    id: keepNumbers ? whole.id : null,
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
    collectionByHand: byHand.includes("collection") ? 1 : 0
  }
}

/** Writes imported links in batches. */
export class ImportStore extends Context.Tag("ImportStore")<
  ImportStore,
  {
    /** Whether the library has never held a link or a collection, so that imported ones can keep their ids. */
    readonly isUntouched: Effect.Effect<boolean>
    /** Creates the missing collections, with their ids and dates; skips a collection whose id or name is taken. */
    readonly restoreCollections: (
      collections: ReadonlyArray<ExportedCollection>
    ) => Effect.Effect<void, StoreUnavailable>
    /**
     * Returns the collections with these names, by requested name, creating missing ones; and the ids of those created.
     */
    readonly collections: (
      names: ReadonlyArray<string>
    ) => Effect.Effect<
      { readonly byName: ReadonlyMap<string, CollectionRef>; readonly made: ReadonlyArray<number> },
      StoreUnavailable
    >
    /** Inserts the links whose URLs are new, queues them for vectors, and returns them. */
    readonly insert: (
      links: ReadonlyArray<Incoming>,
      kept: Kept
    ) => Effect.Effect<ReadonlyArray<Made>, StoreUnavailable>
    /** Removes the empty ones of these collections. */
    readonly removeEmpty: (ids: ReadonlyArray<number>) => Effect.Effect<void, StoreUnavailable>
    /** Returns the existing links with these URLs. */
    readonly find: (normalizedUrls: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<Made>>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const now = Effect.map(DateTime.now, DateTime.formatIso)

      const named = SqlSchema.findAll({
        Request: Schema.String,
        Result: Schema.Struct({ wanted: Schema.String, id: Schema.Int, name: Schema.String }),
        execute: (names) =>
          sql`SELECT w.value AS wanted, c.id, c.name FROM json_each(${names}) AS w JOIN collections c ON c.name = w.value`
      })

      return {
        isUntouched: Effect.map(
          readOrDefect(sql`SELECT 1 FROM sqlite_sequence WHERE name IN ('links', 'collections') AND seq > 0`),
          (rows) => rows.length === 0
        ),
        restoreCollections: Effect.fn("ImportStore.restoreCollections")((collections) =>
          Effect.asVoid(
            orUnavailable(
              sql`INSERT INTO collections (id, name, created_at)
                SELECT value ->> 'id', value ->> 'name', value ->> 'createdAt' FROM json_each(${JSON.stringify(collections)})
                WHERE true ON CONFLICT DO NOTHING`
            )
          )
        ),
        collections: Effect.fn("ImportStore.collections")(function* (names) {
          const json = JSON.stringify(Array.dedupe(names))
          const made = yield* orUnavailable(
            decodeIds(
              sql`INSERT INTO collections (name, created_at) SELECT value, ${yield* now} FROM json_each(${json})
                WHERE true ON CONFLICT (name) DO NOTHING RETURNING id`
            )
          )
          const found = yield* readOrDefect(named(json))
          return {
            byName: new Map(found.map(({ id, name, wanted }) => [wanted, { id, name }])),
            made: made.map(({ id }) => id)
          }
        }),
        insert: Effect.fn("ImportStore.insert")(function* (links, kept) {
          const time = yield* DateTime.now
          const saved = yield* orUnavailable(
            decodeTimes(
              sql.unsafe(`SELECT ${createdAtExpression("?1", "?2")} AS at`, [
                DateTime.formatIso(time),
                latestPlausibleTime(time)
              ])
            )
          )
          const at = saved[0]?.at ?? DateTime.formatIso(time)
          // A link without a date in its file counts as saved now.
          const rows = JSON.stringify(links.map((link) => rowOf(link, at, kept)))
          const made = yield* orUnavailable(decodeMade(sql.unsafe(insertLinks, [rows])))
          yield* orUnavailable(
            sql`INSERT INTO embedding_queue (link_id) SELECT value FROM json_each(${JSON.stringify(made.map(({ id }) => id))})`
          )
          return made
        }),
        removeEmpty: Effect.fn("ImportStore.removeEmpty")((ids) =>
          Effect.asVoid(
            orUnavailable(
              sql`DELETE FROM collections WHERE id IN (SELECT value FROM json_each(${JSON.stringify(ids)}))
                AND NOT EXISTS (SELECT 1 FROM links WHERE collection_id = collections.id)`
            )
          )
        ),
        find: Effect.fn("ImportStore.find")((normalizedUrls) =>
          readOrDefect(
            decodeMade(
              sql`SELECT id, normalized_url FROM links
                WHERE normalized_url IN (SELECT value FROM json_each(${JSON.stringify(normalizedUrls)}))`
            )
          )
        )
      }
    })
  )
}
