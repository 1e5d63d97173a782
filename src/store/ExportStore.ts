import { SqlClient, SqlSchema } from "@effect/sql"
import { Chunk, Context, Effect, Layer, Option, Schema, Stream } from "effect"
import { WholeCollection } from "../domain/WholeLink.ts"
import { nextTurn } from "./EventLoop.ts"

/** Links read at a time, so that the event loop turns in between. */
const CHUNK = 200

/** A link in the shape of `WholeLink`; the page's text is left empty where it is not asked for. */
const wholeJson = (text: string) => `json_object(
  'id', l.id, 'url', l.url, 'title', l.title, 'note', l.note, 'summary', l.summary, 'description', l.description,
  'tags', json(l.tags), 'category', l.category, 'collection', c.name,
  'favorite', json(iif(l.favorite, 'true', 'false')), 'shareable', json(iif(l.shareable, 'true', 'false')),
  'image', l.image, 'favicon', l.favicon, 'siteName', l.site_name, 'author', l.author,
  'publishedAt', l.published_at, 'language', l.language, 'repository', json(l.repository),
  'enrichment', l.enrichment, 'createdAt', l.created_at, 'updatedAt', l.updated_at, 'text', ${text},
  'canonicalUrl', l.canonical_url, 'finalUrl', l.final_url, 'handTags', json(l.hand_tags),
  'byHand', json((SELECT json_group_array(value) FROM json_each(json_array(
    iif(l.title_by_hand, 'title', NULL), iif(l.summary_by_hand, 'summary', NULL),
    iif(l.category_by_hand, 'category', NULL), iif(l.collection_by_hand, 'collection', NULL))) WHERE value IS NOT NULL)),
  'retries', l.retries, 'retryAt', l.retry_at,
  'unread', json(iif(l.enrichment = 'pending' OR EXISTS (SELECT 1 FROM reading_queue q WHERE q.link_id = l.id), 'true', 'false')))`

/** Reads the whole library, a little at a time. */
export class ExportStore extends Context.Tag("ExportStore")<
  ExportStore,
  {
    readonly collections: Effect.Effect<ReadonlyArray<WholeCollection>>
    /** Every link as JSON in the shape of `WholeLink`, the first one saved first. */
    readonly wholeLinks: Stream.Stream<string>
    /** The same without the pages' texts, of one collection, of those in none (null), or of all. */
    readonly links: (collection: number | null | "all") => Stream.Stream<string>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const sql = (yield* SqlClient.SqlClient).withoutTransforms()
      const collections = SqlSchema.findAll({
        Request: Schema.Void,
        Result: WholeCollection,
        execute: () =>
          sql`SELECT id, name, created_at AS createdAt FROM collections ORDER BY name COLLATE NOCASE`
      })
      const within = (collection: number | null | "all") =>
        collection === "all" ? sql`true` : sql`l.collection_id IS ${collection}`

      const linksOf = (json: string, collection: number | null | "all") =>
        Stream.paginateChunkEffect(0, (after) =>
          Effect.map(
            Effect.zipLeft(
              Effect.orDie(
                sql`SELECT ${sql.literal(json)}, l.id FROM links l LEFT JOIN collections c ON c.id = l.collection_id
                  WHERE l.id > ${after} AND ${within(collection)} ORDER BY l.id LIMIT ${CHUNK}`.values
              ),
              nextTurn
            ),
            (rows) => [
              Chunk.unsafeFromArray(rows.map(([link]) => String(link))),
              rows.length < CHUNK ? Option.none() : Option.some(Number(rows.at(-1)?.[1]))
            ]
          )
        )

      return {
        collections: Effect.withSpan(Effect.orDie(collections()), "ExportStore.collections"),
        wholeLinks: linksOf(wholeJson("l.text"), "all"),
        links: (collection) => linksOf(wholeJson("''"), collection)
      }
    })
  )
}
