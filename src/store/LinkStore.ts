import { SqlClient, SqlSchema } from "@effect/sql"
import { Array, Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import { UNSORTED } from "../domain/Category.ts"
import type { CategoryCount, Enrichment } from "../domain/Enrichment.ts"
import { type Link, LinkId, LinkNotFound } from "../domain/Link.ts"
import { joinNotes } from "../domain/Note.ts"
import type { StoreUnavailable } from "../domain/StoreUnavailable.ts"
import { MAX_TAGS } from "../domain/Tags.ts"
import { LinkRow, linkJson } from "./LinkJson.ts"
import { orDefect, Transaction } from "./Transaction.ts"

/** What arrived: the address as given, its identity, and what the owner said beside it. */
export interface NewLink {
  readonly url: string
  readonly normalizedUrl: string
  readonly host: string
  readonly note: string
  readonly tags: ReadonlyArray<string>
}

/** A link as it stands after a claim; `created` is false where its address had been saved before. */
export interface Claimed {
  readonly link: Link
  readonly created: boolean
}

const Known = Schema.Struct({
  id: LinkId,
  note: Schema.String,
  handTags: Schema.parseJson(Schema.Array(Schema.String))
})

/**
 * Reads and writes single links; full-text rows and tag rows follow by triggers in the same transaction.
 *
 * What the owner set by hand is never overwritten by what enrichment finds.
 */
export class LinkStore extends Context.Tag("LinkStore")<
  LinkStore,
  {
    /** Inserts a pending link, or adds the note and tags to the one that already has its address. */
    readonly claim: (link: NewLink) => Effect.Effect<Claimed, StoreUnavailable>
    /** Writes what enrichment found; none where the link has been deleted meanwhile. */
    readonly finish: (id: LinkId, found: Enrichment) => Effect.Effect<Option.Option<Link>, StoreUnavailable>
    readonly get: (id: LinkId) => Effect.Effect<Link, LinkNotFound>
    /** The links of these numbers, in the order given; numbers that no link has are left out. */
    readonly getAll: (ids: ReadonlyArray<LinkId>) => Effect.Effect<ReadonlyArray<Link>>
    /** Deletes the links and everything derived from them. */
    readonly remove: (ids: ReadonlyArray<LinkId>) => Effect.Effect<void, StoreUnavailable>
    /** The categories in use, the busiest first. */
    readonly categories: Effect.Effect<ReadonlyArray<CategoryCount>>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const transaction = yield* Transaction

      const byIds = SqlSchema.findAll({
        Request: Schema.parseJson(Schema.Array(LinkId)),
        Result: LinkRow,
        execute: (ids) =>
          sql`SELECT ${sql.literal(linkJson)} AS json FROM json_each(${ids}) AS wanted
              JOIN links l ON l.id = wanted.value LEFT JOIN collections c ON c.id = l.collection_id
              ORDER BY wanted.key`
      })
      const known = SqlSchema.findOne({
        Request: Schema.String,
        Result: Known,
        execute: (address) => sql`SELECT id, note, hand_tags FROM links WHERE normalized_url = ${address}`
      })
      const handTags = SqlSchema.findOne({
        Request: LinkId,
        Result: Known.pick("handTags"),
        execute: (id) => sql`SELECT hand_tags FROM links WHERE id = ${id}`
      })

      const getAll = Effect.fn("LinkStore.getAll")((ids: ReadonlyArray<LinkId>) =>
        Effect.map(
          Effect.orDie(byIds(ids)),
          Array.map((row) => row.json)
        )
      )
      const find = (id: LinkId) => Effect.map(getAll([id]), Array.head)
      const get = Effect.fn("LinkStore.get")((id: LinkId) =>
        Effect.flatMap(
          find(id),
          Effect.mapError(() => new LinkNotFound({ id }))
        )
      )

      const insert = Effect.fnUntraced(function* (link: NewLink) {
        const now = DateTime.formatIso(yield* DateTime.now)
        const tags = JSON.stringify(link.tags.slice(0, MAX_TAGS))
        return yield* sql<{ id: number }>`INSERT INTO links ${sql.insert({
          url: link.url,
          normalizedUrl: link.normalizedUrl,
          host: link.host,
          title: link.host,
          note: link.note,
          tags,
          handTags: tags,
          category: UNSORTED,
          createdAt: now,
          updatedAt: now
        })} ON CONFLICT (normalized_url) DO NOTHING RETURNING id`
      })

      const addTo = Effect.fnUntraced(function* (link: NewLink, existing: typeof Known.Type) {
        const note = joinNotes(existing.note, link.note)
        const newTags = Array.difference(link.tags, existing.handTags)
        if (note === existing.note && newTags.length === 0) return
        const tags = JSON.stringify([...existing.handTags, ...newTags].slice(0, MAX_TAGS))
        yield* sql`UPDATE links SET note = ${note}, hand_tags = ${tags}, updated_at = ${DateTime.formatIso(yield* DateTime.now)},
          tags = (SELECT json_group_array(tag) FROM (SELECT DISTINCT value AS tag FROM
            (SELECT value FROM json_each(${tags}) UNION ALL SELECT value FROM json_each(tags)) LIMIT ${MAX_TAGS}))
          WHERE id = ${existing.id}`
      })

      const claim = Effect.fn("LinkStore.claim")(
        function* (link: NewLink) {
          const inserted = yield* insert(link)
          const existing = yield* Effect.flatten(known(link.normalizedUrl))
          if (inserted.length === 0) yield* addTo(link, existing)
          return { link: yield* get(existing.id), created: inserted.length > 0 }
        },
        transaction,
        orDefect
      )

      const finish = Effect.fn("LinkStore.finish")(
        function* (id: LinkId, found: Enrichment) {
          const hand = yield* handTags(id)
          if (Option.isNone(hand)) return Option.none()
          const { page, repository, summary, fellBack } = found
          const read = !fellBack.includes("page")
          const tags = Array.dedupe([...hand.value.handTags, ...summary.tags]).slice(0, MAX_TAGS)
          // A source that fell back keeps what an earlier run had found; only a first run takes the fallback.
          const keep = (column: string, usable: boolean) =>
            sql.literal(`${usable ? "1" : "0"} OR enrichment = 'pending' OR ${column} IN ('', '[]', host)`)
          yield* sql`UPDATE links SET
          title = CASE WHEN title_by_hand THEN title WHEN ${keep("title", read)} THEN ${page.title} ELSE title END,
          description = CASE WHEN ${keep("description", read)} THEN ${page.description} ELSE description END,
          summary = CASE WHEN summary_by_hand THEN summary
            WHEN ${keep("summary", !fellBack.includes("model"))} THEN ${summary.summary} ELSE summary END,
          tags = CASE WHEN ${keep("tags", !fellBack.includes("model"))} THEN ${JSON.stringify(tags)} ELSE tags END,
          category = CASE WHEN category_by_hand THEN category ELSE coalesce(${summary.category}, category) END,
          text = CASE WHEN ${keep("text", read)} THEN ${page.text} ELSE text END,
          image = coalesce(${page.image}, image), favicon = coalesce(${page.favicon}, favicon),
          site_name = coalesce(${page.siteName}, site_name), author = coalesce(${page.author}, author),
          published_at = coalesce(${page.publishedAt}, published_at), language = coalesce(${page.language}, language),
          canonical_url = coalesce(${page.canonicalUrl}, canonical_url), final_url = ${page.url},
          repository = coalesce(${repository === null ? null : JSON.stringify(repository)}, repository),
          enrichment = ${fellBack.length === 0 ? "complete" : "partial"},
          updated_at = ${DateTime.formatIso(yield* DateTime.now)}
          WHERE id = ${id}`
          return yield* find(id)
        },
        transaction,
        orDefect
      )

      const remove = Effect.fn("LinkStore.remove")(
        function* (ids: ReadonlyArray<LinkId>) {
          const gone = sql`(SELECT value FROM json_each(${JSON.stringify(ids)}))`
          yield* sql`DELETE FROM links WHERE id IN ${gone}`
          yield* sql`DELETE FROM jobs WHERE subject IN ${gone}`
          yield* sql`UPDATE undo SET before = json_set(before, '$.links', json((
            SELECT json_group_array(json(value)) FROM json_each(before, '$.links') WHERE value ->> 'id' NOT IN ${gone}
          ))) WHERE EXISTS (SELECT 1 FROM json_each(before, '$.links') WHERE value ->> 'id' IN ${gone})`
          yield* sql`DELETE FROM collections WHERE id NOT IN
          (SELECT collection_id FROM links WHERE collection_id IS NOT NULL)`
        },
        transaction,
        orDefect
      )

      return {
        claim,
        finish,
        get,
        getAll,
        remove,
        categories: Effect.orDie(
          sql<CategoryCount>`SELECT category AS name, count(*) AS count FROM links GROUP BY category ORDER BY count DESC, name`
        )
      }
    })
  )
}
