import { SqlClient, SqlSchema } from "@effect/sql"
import { Context, Effect, Layer, Schema } from "effect"
import { LinkId } from "../../domain/Link.ts"
import type { StoreUnavailable } from "../../domain/StoreUnavailable.ts"
import { decodeRows, readNumbers, readOrDefect } from "../Rows.ts"
import { orUnavailable } from "../Transaction.ts"
import { changeStampOf, makeVersionedCache } from "../VersionedCache.ts"

interface Counted {
  readonly name: string
  readonly count: number
}

/** Counts of the library's links by attribute, as shown in the dashboard's filters. */
export interface Facets {
  readonly total: number
  readonly favorites: number
  readonly shareable: number
  readonly uncollected: number
  /** Imported links whose pages are still to be read. */
  readonly unread: number
  readonly categories: ReadonlyArray<Counted>
  /** Sorted by name, including empty ones. */
  readonly collections: ReadonlyArray<Counted & { readonly id: number }>
  /** The 2,000 most used. */
  readonly tags: ReadonlyArray<Counted>
}

/** Maximum number of tags listed: a library can have as many tags as links, most of them used once. */
const MAX_TAGS = 2_000

/** Counts links by attribute and caches the counts until the database changes. */
export class FacetStore extends Context.Tag("FacetStore")<
  FacetStore,
  { readonly facets: Effect.Effect<Facets> }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const makeCache = yield* makeVersionedCache(changeStampOf(sql))
      const cached = makeCache<Facets>(1)
      const facets = Effect.gen(function* () {
        // Not decoded: `count(*)` is always a number.
        const [counts] = yield* sql<{
          total: number
          favorites: number
          shareable: number
          uncollected: number
          unread: number
        }>`SELECT
          (SELECT count(*) FROM links) AS total,
          (SELECT count(*) FROM links WHERE favorite = 1) AS favorites,
          (SELECT count(*) FROM links WHERE shareable = 1) AS shareable,
          (SELECT count(*) FROM links WHERE collection_id IS NULL) AS uncollected,
          (SELECT count(*) FROM reading_queue) AS unread`
        return {
          total: counts?.total ?? 0,
          favorites: counts?.favorites ?? 0,
          shareable: counts?.shareable ?? 0,
          uncollected: counts?.uncollected ?? 0,
          unread: counts?.unread ?? 0,
          // Not decoded: a page shows up to 2,000 of these counts.
          categories: yield* sql<Counted>`SELECT category AS name, links AS count FROM categories_in_use
            ORDER BY links DESC, name`,
          collections: yield* sql<
            Counted & { id: number }
          >`SELECT c.id, c.name, count(l.id) AS count FROM collections c
            LEFT JOIN links l ON l.collection_id = c.id GROUP BY c.id ORDER BY c.name COLLATE NOCASE`,
          tags: yield* sql<Counted>`SELECT tag AS name, links AS count FROM tags_in_use
            ORDER BY links DESC, tag LIMIT ${MAX_TAGS}`
        }
      })
      return { facets: Effect.withSpan(cached("", readOrDefect(facets)), "FacetStore.facets") }
    })
  )
}

/** The properties of a link that decide where it is filed. */
export const FilingProfile = Schema.Struct({
  id: LinkId,
  title: Schema.String,
  tags: Schema.parseJson(Schema.Array(Schema.String)),
  category: Schema.String,
  /** The collection's number. */
  collection: Schema.NullOr(Schema.Int)
})
export type FilingProfile = typeof FilingProfile.Type

/** A link's own description, for naming a group of links. */
const Profile = Schema.Struct({
  ...FilingProfile.fields,
  description: Schema.String,
  summary: Schema.String
})
type Profile = typeof Profile.Type

/** A profile with the page's readable text, one paragraph per line. */
export const ProfileWithText = Schema.Struct({ ...Profile.fields, text: Schema.String })
export type ProfileWithText = typeof ProfileWithText.Type

/** The properties that tell one page under two addresses from two pages. */
const PageIdentity = Schema.Struct({
  id: Schema.Int,
  url: Schema.String,
  host: Schema.String,
  title: Schema.String,
  canonicalUrl: Schema.NullOr(Schema.String),
  finalUrl: Schema.NullOr(Schema.String)
})
type PageIdentity = typeof PageIdentity.Type
const decodeIdentities = decodeRows(PageIdentity)

const decodeCollections = decodeRows(Schema.Struct({ id: Schema.Int, name: Schema.String }))

/** Reads what filing and duplicate detection need, and files links. */
export class FilingStore extends Context.Tag("FilingStore")<
  FilingStore,
  {
    readonly places: (ids: ReadonlyArray<number>) => Effect.Effect<ReadonlyArray<FilingProfile>>
    /** Enriched links in no collection, unless the owner chose that by hand. */
    readonly unfiled: Effect.Effect<ReadonlyArray<number>>
    /** Returns those of the links that are still in no collection, unless the owner chose that by hand. */
    readonly stillUnfiled: (ids: ReadonlyArray<number>) => Effect.Effect<ReadonlyArray<number>>
    /** Returns those of the links that exist and may be recategorized; `byHand` includes categories the owner chose. */
    readonly categorizable: (
      ids: ReadonlyArray<number>,
      byHand: boolean
    ) => Effect.Effect<ReadonlyArray<number>>
    /** Maps each filed link to its collection's number. */
    readonly memberships: Effect.Effect<ReadonlyMap<number, number>>
    readonly collections: Effect.Effect<ReadonlyArray<{ readonly id: number; readonly name: string }>>
    /** Returns up to `limit` links after number `after`, in order. */
    readonly profiles: (after: number, limit: number) => Effect.Effect<ReadonlyArray<Profile>>
    readonly profilesOf: (ids: ReadonlyArray<number>) => Effect.Effect<ReadonlyArray<Profile>>
    /** Like `profiles`, with the text of each page. */
    readonly profilesWithText: (after: number, limit: number) => Effect.Effect<ReadonlyArray<ProfileWithText>>
    readonly identities: (after: number, limit: number) => Effect.Effect<ReadonlyArray<PageIdentity>>
    /**
     * Files the link in the collection, unless it is already filed, the owner chose no collection by hand, or none of
     * the links in `because` is in that collection any more.
     */
    readonly file: (
      id: LinkId,
      collection: number,
      because: ReadonlyArray<number>
    ) => Effect.Effect<void, StoreUnavailable>
    /** Sets the category, unless the link has one other than `none` or the owner chose `none` by hand. */
    readonly categorize: (id: LinkId, category: string, none: string) => Effect.Effect<void, StoreUnavailable>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const raw = sql.withoutTransforms()
      const places = SqlSchema.findAll({
        Request: Schema.parseJson(Schema.Array(Schema.Number)),
        Result: FilingProfile,
        execute: (ids) =>
          sql`SELECT l.id, l.title, l.tags, l.category, l.collection_id AS collection
            FROM json_each(${ids}) AS wanted JOIN links l ON l.id = wanted.value ORDER BY wanted.key`
      })
      const profiles = SqlSchema.findAll({
        Request: Schema.Struct({ after: Schema.Int, limit: Schema.Int }),
        Result: Profile,
        execute: ({ after, limit }) =>
          sql`SELECT id, title, tags, category, collection_id AS collection, description, summary FROM links
            WHERE id > ${after} ORDER BY id LIMIT ${limit}`
      })
      const profilesOf = SqlSchema.findAll({
        Request: Schema.parseJson(Schema.Array(Schema.Number)),
        Result: Profile,
        execute: (ids) =>
          sql`SELECT l.id, l.title, l.tags, l.category, l.collection_id AS collection, l.description, l.summary
            FROM json_each(${ids}) AS wanted JOIN links l ON l.id = wanted.value ORDER BY wanted.key`
      })
      const profilesWithText = SqlSchema.findAll({
        Request: Schema.Struct({ after: Schema.Int, limit: Schema.Int }),
        Result: ProfileWithText,
        execute: ({ after, limit }) =>
          sql`SELECT id, title, tags, category, collection_id AS collection, description, summary, text FROM links
            WHERE id > ${after} ORDER BY id LIMIT ${limit}`
      })
      return {
        places: Effect.fn("FilingStore.places")((ids) => readOrDefect(places(ids))),
        unfiled: readNumbers(
          raw`SELECT id FROM links WHERE collection_id IS NULL AND collection_by_hand = 0 AND enrichment <> 'pending'
            ORDER BY id`
        ),
        stillUnfiled: Effect.fn("FilingStore.stillUnfiled")((ids) =>
          readNumbers(
            raw`SELECT id FROM links WHERE id IN (SELECT value FROM json_each(${JSON.stringify(ids)}))
              AND collection_id IS NULL AND collection_by_hand = 0`
          )
        ),
        categorizable: Effect.fn("FilingStore.categorizable")((ids, byHand) =>
          readNumbers(
            raw`SELECT id FROM links WHERE id IN (SELECT value FROM json_each(${JSON.stringify(ids)}))
              AND (${byHand ? 1 : 0} OR category_by_hand = 0)`
          )
        ),
        memberships: Effect.map(
          readOrDefect(raw`SELECT id, collection_id FROM links WHERE collection_id IS NOT NULL`.values),
          (rows) => new Map(rows.map(([id, collection]) => [Number(id), Number(collection)]))
        ),
        collections: readOrDefect(decodeCollections(sql`SELECT id, name FROM collections ORDER BY id`)),
        profiles: Effect.fn("FilingStore.profiles")((after, limit) =>
          readOrDefect(profiles({ after, limit }))
        ),
        profilesOf: Effect.fn("FilingStore.profilesOf")((ids) => readOrDefect(profilesOf(ids))),
        profilesWithText: Effect.fn("FilingStore.profilesWithText")((after, limit) =>
          readOrDefect(profilesWithText({ after, limit }))
        ),
        identities: Effect.fn("FilingStore.identities")((after, limit) =>
          readOrDefect(
            decodeIdentities(
              sql`SELECT id, url, host, title, canonical_url, final_url FROM links
                WHERE id > ${after} ORDER BY id LIMIT ${limit}`
            )
          )
        ),
        file: Effect.fn("FilingStore.file")((id, collection, because) =>
          Effect.asVoid(
            orUnavailable(
              sql`UPDATE links SET collection_id = ${collection}
                WHERE id = ${id} AND collection_id IS NULL AND collection_by_hand = 0 AND EXISTS (
                  SELECT 1 FROM json_each(${JSON.stringify(because)}) AS near JOIN links AS member
                  ON member.id = near.value WHERE member.collection_id = ${collection})`
            )
          )
        ),
        categorize: Effect.fn("FilingStore.categorize")((id, category, none) =>
          Effect.asVoid(
            orUnavailable(
              sql`UPDATE links SET category = ${category} WHERE id = ${id} AND category = ${none} AND category_by_hand = 0`
            )
          )
        )
      }
    })
  )
}
