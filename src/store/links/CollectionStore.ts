import { Model, SqlClient } from "@effect/sql"
import { Effect, Schema } from "effect"
import type { Neighbour } from "../../domain/Enrichment.ts"
import type { Collection } from "../../domain/Label.ts"
import { LinkId } from "../../domain/Link.ts"
import { Service } from "../../runtime/Services.ts"
import { listOf } from "../Fragment.ts"
import { readNumber, readNumbers, readRows, readTexts } from "../Rows.ts"
import { execute, hasWritten } from "../Transaction.ts"
import { changeStampOf, makeVersionedCache } from "../VersionedCache.ts"
import { SITE } from "./LinkStore.ts"

export interface Counted {
  readonly name: string
  readonly count: number
}

type FacetCollection = Counted &
  Pick<Collection, "id" | "parent" | "color" | "description" | "icon" | "order"> & {
    readonly shareable: boolean
  }

export interface Facets {
  readonly total: number
  readonly favorites: number
  readonly shareable: number
  readonly uncollected: number
  /** Imported links whose pages are still to be read. */
  readonly unread: number
  readonly states: { readonly unread: number; readonly read: number; readonly archived: number }
  /** Links in the trash, which count nowhere else. */
  readonly trash: number
  /** Links whose page is broken, has moved or has changed. */
  readonly troubled: number
  readonly categories: ReadonlyArray<Counted>
  /** Sorted by path, including empty ones; see `Collection` for their fields. */
  readonly collections: ReadonlyArray<FacetCollection>
  /** The 2,000 most used. */
  readonly tags: ReadonlyArray<Counted>
}

/** Maximum number of tags listed: a library can have as many tags as links, most of them used once. */
const MAX_TAGS = 2_000

const MAX_SITES = 1_000

const makeFacetStore = Effect.gen(function* () {
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
      toRead: number
      archived: number
      trash: number
      troubled: number
    }>`SELECT
          (SELECT count(*) FROM links) AS total,
          (SELECT count(*) FROM links WHERE favorite = 1) AS favorites,
          (SELECT count(*) FROM links WHERE shareable = 1) AS shareable,
          (SELECT count(*) FROM links WHERE collection_id IS NULL) AS uncollected,
          (SELECT count(*) FROM tasks WHERE kind = 'read') AS unread,
          (SELECT count(*) FROM links WHERE state = 'unread' AND state <> 'read') AS to_read,
          (SELECT count(*) FROM links WHERE state = 'archived' AND state <> 'read') AS archived,
          (SELECT count(*) FROM trash) AS trash,
          (SELECT count(*) FROM link_checks k CROSS JOIN links l ON l.id = k.link_id
            WHERE k.state IN ('broken', 'moved', 'changed')) AS troubled`
    const { archived, toRead, total, trash } = counts ?? { archived: 0, toRead: 0, total: 0, trash: 0 }
    return {
      total,
      favorites: counts?.favorites ?? 0,
      shareable: counts?.shareable ?? 0,
      uncollected: counts?.uncollected ?? 0,
      unread: counts?.unread ?? 0,
      states: { unread: toRead, read: total - toRead - archived, archived },
      trash,
      troubled: counts?.troubled ?? 0,
      // Not decoded: a page shows up to 2,000 of these counts.
      categories: yield* sql<Counted>`SELECT category AS name, links AS count FROM categories_in_use
            ORDER BY links DESC, name`,
      collections: (yield* sql<
        Omit<FacetCollection, "shareable"> & { readonly shareable: number }
      >`SELECT c.id, c.name, count(l.id) AS count, c.parent_id AS parent, c.color, c.icon, c.position AS "order",
            c.description, c.shareable FROM collections c
            LEFT JOIN links l ON l.collection_id = c.id GROUP BY c.id ORDER BY c.name COLLATE NOCASE`).map(
        (one) => ({
          ...one,
          shareable: one.shareable === 1
        })
      ),
      tags: yield* sql<Counted>`SELECT tag AS name, links AS count FROM tags_in_use
            ORDER BY links DESC, tag LIMIT ${MAX_TAGS}`
    }
  })
  const cachedSites = makeCache<ReadonlyArray<Counted>>(1)
  const sites = sql<Counted>`SELECT ${sql.literal(SITE)} AS name, count(*) AS count
        FROM links l GROUP BY name ORDER BY count DESC, name LIMIT ${MAX_SITES}`
  return {
    facets: Effect.withSpan(cached("", Effect.orDie(facets)), "FacetStore.facets"),
    /** The 1,000 hosts with the most links, without `www.`; they are counted apart, because it takes a scan. */
    sites: Effect.withSpan(cachedSites("", Effect.orDie(sites)), "FacetStore.sites")
  }
})

export class FacetStore extends Service<FacetStore>()("FacetStore", makeFacetStore) {}

export const FilingProfile = Schema.Struct({
  id: LinkId,
  title: Schema.String,
  tags: Schema.parseJson(Schema.Array(Schema.String)),
  category: Schema.String,
  collection: Schema.NullOr(Schema.Int)
})
export type FilingProfile = typeof FilingProfile.Type
const readFilingProfile = readRows(FilingProfile)

const Profile = Schema.Struct({
  ...FilingProfile.fields,
  description: Schema.String,
  summary: Schema.String
})
const readProfile = readRows(Profile)

/** A profile with the page's readable text, one paragraph per line. */
export const ProfileWithText = Schema.Struct({ ...Profile.fields, text: Schema.String })
export type ProfileWithText = typeof ProfileWithText.Type
const readProfileWithText = readRows(ProfileWithText)

/** The properties that tell one page under two addresses from two pages, and whether the owner has written a note. */
const PageIdentity = Schema.Struct({
  id: Schema.Int,
  url: Schema.String,
  host: Schema.String,
  title: Schema.String,
  canonicalUrl: Schema.NullOr(Schema.String),
  finalUrl: Schema.NullOr(Schema.String),
  hasNote: Model.BooleanFromNumber
})
const readIdentities = readRows(PageIdentity)

const readCollections = readRows(Schema.Struct({ id: Schema.Int, name: Schema.String }))
const readRefusals = readRows(
  Schema.Struct({ id: Schema.Int, refused: Schema.parseJson(Schema.Array(Schema.Int)) })
)

const makeFilingStore = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const raw = sql.withoutTransforms()
  /** Condition that a summary is neither the owner's nor by one of `models`; always true without `models`. */
  const summarizedByOthers = (models: ReadonlyArray<string> | undefined) =>
    models === undefined
      ? raw`true`
      : raw`(summary <> '' AND summary_by_hand = 0
              AND coalesce(model, '') NOT IN ${listOf(models)})`

  return {
    /** Returns the links' places among the others; a shared collection counts as none, because filing leaves it out. */
    places: Effect.fn("FilingStore.places")((ids: ReadonlyArray<number>) =>
      readFilingProfile(sql`SELECT l.id, l.title, l.tags, l.category, c.id AS collection
            FROM json_each(${JSON.stringify(ids)}) AS wanted JOIN links l ON l.id = wanted.value
            LEFT JOIN collections c ON c.id = l.collection_id AND c.shared = 0 ORDER BY wanted.key`)
    ),
    /** Enriched links in no collection, unless the owner chose that by hand. */
    unfiled: readNumbers(
      raw`SELECT id FROM links WHERE collection_id IS NULL AND collection_by_hand = 0 AND enrichment <> 'pending'
            ORDER BY id`
    ),
    /** The number of links in no collection, which is at least that of the unfiled ones and counted in an instant. */
    uncollected: readNumber(raw`SELECT count(*) FROM links WHERE collection_id IS NULL`),
    // The moves are read first (CROSS JOIN), not all unfiled links.
    /** Selects links without a collection whose place the owner has neither chosen nor refused; none for a shared one. */
    fileable: Effect.fn("FilingStore.fileable")(
      (moves: ReadonlyArray<{ readonly id: number; readonly to: string }>) =>
        readNumbers(
          raw`SELECT l.id FROM json_each(${JSON.stringify(moves.map(({ id, to }) => ({ id, to })))}) AS move
              CROSS JOIN links l ON l.id = move.value ->> 'id'
              LEFT JOIN aliases a ON a.kind = 'collection' AND a.name = move.value ->> 'to'
              WHERE l.collection_id IS NULL AND l.collection_by_hand = 0 AND NOT EXISTS (
                SELECT 1 FROM collections c WHERE (c.name = move.value ->> 'to' OR c.id = CAST(a.target AS INTEGER))
                AND (c.shared = 1 OR c.id IN (SELECT value FROM json_each(l.refused))))`
        )
    ),
    refusals: Effect.map(
      readRefusals(sql`SELECT id, refused FROM links WHERE refused <> '[]'`),
      (rows) => new Map(rows.map(({ id, refused }) => [id, refused]))
    ),
    /** Those of the links that may be recategorized; `byHand` includes the owner's, `notBy` excludes these models' summaries. */
    categorizable: Effect.fn("FilingStore.categorizable")(
      (ids: ReadonlyArray<number>, byHand: boolean, notBy?: ReadonlyArray<string>) =>
        readNumbers(
          raw`SELECT id FROM links WHERE id IN ${listOf(ids)}
              AND (${byHand ? 1 : 0} OR category_by_hand = 0) AND ${summarizedByOthers(notBy)}`
        )
    ),
    /** Counts recategorizable links after `after`, and the batches of `size` links that contain one. */
    countCategorizable: Effect.fn("FilingStore.countCategorizable")(function* (
      after: number,
      byHand: boolean,
      size: number,
      notBy?: ReadonlyArray<string>
    ) {
      const [row] = yield* Effect.orDie(
        raw`SELECT count(*), count(DISTINCT place / ${size}) FROM
              (SELECT category_by_hand, summary, summary_by_hand, model, row_number() OVER (ORDER BY id) - 1 AS place
                FROM links WHERE id > ${after})
              WHERE (${byHand ? 1 : 0} OR category_by_hand = 0) AND ${summarizedByOthers(notBy)}`.values
      )
      return { links: Number(row?.[0] ?? 0), batches: Number(row?.[1] ?? 0) }
    }),
    /** Maps each filed link to its collection's number, unless the collection is shared. */
    memberships: Effect.map(
      Effect.orDie(
        raw`SELECT id, collection_id FROM links WHERE collection_id IN (SELECT id FROM collections WHERE shared = 0)`
          .values
      ),
      (rows) => new Map(rows.map(([id, collection]) => [Number(id), Number(collection)]))
    ),
    collections: readCollections(sql`SELECT id, name FROM collections ORDER BY id`),
    profiles: Effect.fn("FilingStore.profiles")((after: number, limit: number) =>
      readProfile(sql`SELECT id, title, tags, category, collection_id AS collection, description, summary FROM links
            WHERE id > ${after} ORDER BY id LIMIT ${limit}`)
    ),
    profilesOf: Effect.fn("FilingStore.profilesOf")((ids: ReadonlyArray<number>) =>
      readProfile(sql`SELECT l.id, l.title, l.tags, l.category, l.collection_id AS collection, l.description, l.summary
            FROM json_each(${JSON.stringify(ids)}) AS wanted JOIN links l ON l.id = wanted.value ORDER BY wanted.key`)
    ),
    /** The texts of the links' pages; empty for a page that was not read. */
    textsOf: Effect.fn("FilingStore.textsOf")((ids: ReadonlyArray<number>) =>
      readTexts(raw`SELECT text FROM links WHERE id IN ${listOf(ids)}`)
    ),
    profilesWithText: Effect.fn("FilingStore.profilesWithText")((after: number, limit: number) =>
      readProfileWithText(sql`SELECT id, title, tags, category, collection_id AS collection, description, summary, text FROM links
            WHERE id > ${after} ORDER BY id LIMIT ${limit}`)
    ),
    identities: Effect.fn("FilingStore.identities")((after: number, limit: number) =>
      readIdentities(
        sql`SELECT id, url, host, title, canonical_url, final_url, note <> '' AS has_note FROM links
                WHERE id > ${after} ORDER BY id LIMIT ${limit}`
      )
    ),
    // The links of `because` are read first (CROSS JOIN), not all links of the collection.
    /** Returns whether it did: not a filed link, against the owner, into a shared collection, or without a `because` there. */
    file: Effect.fn("FilingStore.file")((id: LinkId, collection: number, because: ReadonlyArray<Neighbour>) =>
      hasWritten(sql`UPDATE links SET collection_id = ${collection}, filed_because = ${JSON.stringify(because)}
                WHERE id = ${id} AND collection_id IS NULL AND collection_by_hand = 0
                AND ${collection} NOT IN (SELECT value FROM json_each(refused)) AND EXISTS (
                  SELECT 1 FROM json_each(${JSON.stringify(because)}) AS near CROSS JOIN links AS member
                  ON member.id = near.value ->> 'id' JOIN collections c ON c.id = member.collection_id
                  WHERE c.id = ${collection} AND c.shared = 0) RETURNING id`)
    ),
    /** Sets the category, unless the link has one other than `none` or the owner chose `none` by hand. */
    categorize: Effect.fn("FilingStore.categorize")((id: LinkId, category: string, none: string) =>
      execute(
        sql`UPDATE links SET category = ${category} WHERE id = ${id} AND category = ${none} AND category_by_hand = 0`
      )
    )
  }
})

export class FilingStore extends Service<FilingStore>()("FilingStore", makeFilingStore) {}
