import { SqlClient, SqlSchema } from "@effect/sql"
import { Array, Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import { UNSORTED } from "../domain/Category.ts"
import type { CategoryCount, Enrichment } from "../domain/Enrichment.ts"
import { type Link, LinkId, LinkNotFound } from "../domain/Link.ts"
import { joinNotes } from "../domain/Note.ts"
import { RETRY_WAITS } from "../domain/Retry.ts"
import type { StoreUnavailable } from "../domain/StoreUnavailable.ts"
import { MAX_TAGS } from "../domain/Tags.ts"
import type { TagCount } from "../domain/TagVocabulary.ts"
import { LinkRow, linkJson } from "./LinkJson.ts"
import { finishLink, insertLink, savedBefore, unionOfTags } from "./LinkSql.ts"
import { orDefect, orUnavailable, Transaction } from "./Transaction.ts"

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

const decodeRow = Schema.decode(LinkRow)

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
    /** Writes what the note is now. */
    readonly setNote: (id: LinkId, note: string) => Effect.Effect<void, StoreUnavailable>
    /** Writes what enrichment found; none where the link has been deleted meanwhile. */
    readonly finish: (id: LinkId, found: Enrichment) => Effect.Effect<Option.Option<Link>, StoreUnavailable>
    readonly get: (id: LinkId) => Effect.Effect<Link, LinkNotFound>
    /** The links of these numbers, in the order given; numbers that no link has are left out. */
    readonly getAll: (ids: ReadonlyArray<LinkId>) => Effect.Effect<ReadonlyArray<Link>>
    /** The same links, each as JSON text. */
    readonly jsonOf: (ids: ReadonlyArray<LinkId>) => Effect.Effect<ReadonlyArray<string>>
    /**
     * Deletes the links, everything derived from them, and what other records say of them: undo steps, results of jobs,
     * waiting replies, arrivals that were given up.
     */
    readonly remove: (ids: ReadonlyArray<LinkId>) => Effect.Effect<void, StoreUnavailable>
    /** The part of `remove` whose cost grows with the number of links: for one piece of a large deletion. */
    readonly removeSome: (ids: ReadonlyArray<LinkId>) => Effect.Effect<void, StoreUnavailable>
    /** The rest of `remove`, once all of the links are deleted. */
    readonly forgetRemoved: Effect.Effect<void, StoreUnavailable>
    /** Takes up to `limit` links whose next look (`RETRY_WAITS`) is due, and counts that look. */
    readonly takeDue: (limit: number) => Effect.Effect<ReadonlyArray<LinkId>, StoreUnavailable>
    readonly count: Effect.Effect<number>
    /** The categories in use, the busiest first. */
    readonly categories: Effect.Effect<ReadonlyArray<CategoryCount>>
    /** So many of the tags in use, the busiest first; none that is private. */
    readonly busiestTags: (limit: number) => Effect.Effect<ReadonlyArray<TagCount>>
    /** The tags in use that are spelled so without their hyphens; none that is private. */
    readonly tagsSpelled: (spellings: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<TagCount>>
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
      const dueIds = SqlSchema.findAll({
        Request: Schema.Struct({ now: Schema.String, limit: Schema.Int }),
        Result: Schema.Struct({ id: LinkId, retries: Schema.Int }),
        execute: ({ limit, now }) =>
          sql`SELECT id, retries FROM links WHERE retry_at <= ${now} ORDER BY retry_at LIMIT ${limit}`
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

      /** A statement that answers the link it has written. */
      const written = (statement: string, values: ReadonlyArray<string | number | null>) =>
        sql.unsafe<{ json: string }>(statement, values)

      const addTo = Effect.fnUntraced(function* (link: NewLink) {
        const existing = yield* Effect.flatten(known(link.normalizedUrl))
        const note = joinNotes(existing.note, link.note)
        const newTags = Array.difference(link.tags, existing.handTags)
        if (note === existing.note && newTags.length === 0) return yield* get(existing.id)
        // A link from a file may have come with more tags than are given here.
        const limit = Math.max(MAX_TAGS, existing.handTags.length)
        const tags = JSON.stringify([...existing.handTags, ...newTags].slice(0, limit))
        const now = DateTime.formatIso(yield* DateTime.now)
        // Written first, for the union below reads it.
        yield* sql`UPDATE links SET hand_tags = ${tags} WHERE id = ${existing.id}`
        yield* sql`UPDATE links SET note = ${note}, updated_at = ${now},
          tags = ${sql.literal(unionOfTags("hand_tags", "tags", String(MAX_TAGS)))} WHERE id = ${existing.id}`
        return yield* get(existing.id)
      })

      const claim = Effect.fn("LinkStore.claim")(
        function* (link: NewLink) {
          const now = yield* DateTime.now
          const { host, normalizedUrl, note, url } = link
          const tags = JSON.stringify(link.tags.slice(0, MAX_TAGS))
          const [row] = yield* written(insertLink, [
            url,
            normalizedUrl,
            host,
            note,
            tags,
            UNSORTED,
            DateTime.formatIso(now),
            savedBefore(now)
          ])
          return row === undefined
            ? { link: yield* transaction(addTo(link)), created: false }
            : { link: (yield* decodeRow(row)).json, created: true }
        },
        orUnavailable,
        orDefect
      )

      const finish = Effect.fn("LinkStore.finish")(
        function* (id: LinkId, { fellBack, mayPass, page, repository, summary }: Enrichment) {
          const now = yield* DateTime.now
          const [row] = yield* written(finishLink, [
            id,
            fellBack.includes("page") ? 0 : 1,
            summary.summary === "" ? 0 : 1,
            page.title,
            page.description,
            summary.summary,
            JSON.stringify(summary.tags),
            MAX_TAGS,
            summary.category,
            page.text,
            page.image,
            page.favicon,
            page.siteName,
            page.author,
            page.publishedAt,
            page.language,
            page.canonicalUrl,
            page.url,
            repository === null ? null : JSON.stringify(repository),
            fellBack.length === 0 ? "complete" : "partial",
            mayPass ? 1 : 0,
            lookAfter(now, 0),
            DateTime.formatIso(now),
            summary.tags.length === 0 ? 0 : 1
          ])
          return row === undefined ? Option.none() : Option.some((yield* decodeRow(row)).json)
        },
        orUnavailable,
        orDefect
      )

      const takeDue = Effect.fn("LinkStore.takeDue")(
        function* (limit: number) {
          const now = yield* DateTime.now
          const due = yield* dueIds({ now: DateTime.formatIso(now), limit })
          for (const { id, retries } of due) {
            const next = lookAfter(now, retries + 1)
            yield* sql`UPDATE links SET retries = retries + 1, retry_at = ${next} WHERE id = ${id}`
          }
          return due.map(({ id }) => id)
        },
        transaction,
        orDefect
      )

      const setNote = Effect.fn("LinkStore.setNote")(function* (id: LinkId, note: string) {
        const now = DateTime.formatIso(yield* DateTime.now)
        yield* sql`UPDATE links SET note = ${note}, updated_at = ${now} WHERE id = ${id}`
      }, orUnavailable)

      const removeSome = Effect.fn("LinkStore.removeSome")(
        function* (ids: ReadonlyArray<LinkId>) {
          const gone = sql`(SELECT value FROM json_each(${JSON.stringify(ids)}))`
          // Before the links: an arrival that was given up names them by their addresses alone.
          yield* sql`UPDATE inbox SET payload = '' WHERE state = 'dead' AND payload <> '' AND EXISTS (
            SELECT 1 FROM json_tree(iif(json_valid(payload), payload, json_array(payload))) AS part, links AS l
            WHERE l.id IN ${gone} AND part.type = 'text' AND instr(part.atom, l.url) > 0)`
          yield* sql`DELETE FROM links WHERE id IN ${gone}`
          yield* sql`DELETE FROM jobs WHERE subject IN ${gone}`
          // A reply that would tell of these links alone is of no use any more.
          yield* sql`DELETE FROM outbox WHERE EXISTS (SELECT 1 FROM json_each(link_ids) WHERE value IN ${gone})
            AND NOT EXISTS (SELECT 1 FROM json_each(link_ids) AS about JOIN links ON links.id = about.value)`
        },
        transaction,
        orDefect
      )

      const forgetRemoved = Effect.gen(function* () {
        yield* sql`INSERT INTO upkeep (task, asked) VALUES ('merge', 1) ON CONFLICT DO UPDATE SET asked = asked + 1`
        yield* sql`UPDATE jobs SET result = json_set(result, '$.moves', json((
            SELECT json_group_array(json(value)) FROM json_each(result, '$.moves')
            WHERE value ->> 'id' IN (SELECT id FROM links)
          ))) WHERE action = 'organize' AND EXISTS (
            SELECT 1 FROM json_each(result, '$.moves') WHERE value ->> 'id' NOT IN (SELECT id FROM links))`
      }).pipe(transaction, orDefect, Effect.withSpan("LinkStore.forgetRemoved"))

      const remove = Effect.fn("LinkStore.remove")((ids: ReadonlyArray<LinkId>) =>
        transaction(Effect.zipRight(removeSome(ids), forgetRemoved))
      )

      const jsonOf = Effect.fn("LinkStore.jsonOf")(
        (ids: ReadonlyArray<LinkId>) => sql<{ json: string }>`SELECT ${sql.literal(linkJson)} AS json
            FROM json_each(${JSON.stringify(ids)}) AS wanted
            JOIN links l ON l.id = wanted.value LEFT JOIN collections c ON c.id = l.collection_id
            ORDER BY wanted.key`,
        Effect.map(Array.map(({ json }) => json)),
        Effect.orDie
      )

      return {
        claim,
        finish,
        get,
        getAll,
        jsonOf,
        remove,
        removeSome,
        forgetRemoved,
        setNote,
        takeDue,
        count: Effect.map(
          Effect.orDie(sql<{ n: number }>`SELECT count(*) AS n FROM links`),
          ([row]) => row?.n ?? 0
        ),
        busiestTags: Effect.fn("LinkStore.busiestTags")((limit) =>
          Effect.orDie(
            sql<TagCount>`SELECT tag AS name, links AS count FROM tags_in_use
              WHERE substr(tag, 1, 1) <> '.' ORDER BY links DESC, tag LIMIT ${limit}`
          )
        ),
        tagsSpelled: Effect.fn("LinkStore.tagsSpelled")((spellings) =>
          Effect.orDie(
            sql<TagCount>`SELECT tag AS name, links AS count FROM tags_in_use
              WHERE spelling IN (SELECT value FROM json_each(${JSON.stringify(spellings)}))
              AND substr(tag, 1, 1) <> '.' ORDER BY links DESC, tag`
          )
        ),
        categories: Effect.orDie(
          sql<CategoryCount>`SELECT category AS name, links AS count FROM categories_in_use ORDER BY links DESC, name`
        )
      }
    })
  )
}

/** When a link is looked at again that has had so many further looks; null where it is not. */
const lookAfter = (now: DateTime.Utc, looks: number): string | null => {
  const wait = RETRY_WAITS[looks]
  return wait === undefined ? null : DateTime.formatIso(DateTime.addDuration(now, wait))
}
