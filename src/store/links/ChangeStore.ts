import { SqlClient, SqlSchema } from "@effect/sql"
import { Array, Context, DateTime, Duration, Effect, Layer, Schema } from "effect"
import {
  type Change,
  ChangedSince,
  CollectionNotEmpty,
  CollectionNotFound,
  Field,
  UndoNotFound
} from "../../domain/Change.ts"
import { LinkId, LinkNotFound } from "../../domain/Link.ts"
import type { StoreUnavailable } from "../../domain/StoreUnavailable.ts"
import { nextTurn } from "../../runtime/Scheduling.ts"
import { Transaction } from "../Transaction.ts"

/** How long a change can be undone. */
const UNDO_AGE = Duration.days(7)

/** Links written down at a time, so that the event loop turns in between: some milliseconds' work. */
const ROWS = 2_000

interface Column {
  /** The name and value this column has in JSON, from `links l` and `collections c`. */
  readonly read: string
  /** The assignment from such JSON, `v.wrote`. */
  readonly write: string
  /** Whether the column no longer holds what was written; null for a mark that goes with another column. */
  readonly differs: string | null
}

const flag = (json: string, column: string): Column => ({
  read: `'${json}', json(iif(l.${column}, 'true', 'false'))`,
  write: `${column} = coalesce(v.wrote ->> '${json}', ${column})`,
  differs: `l.${column} IS NOT v.wrote ->> '${json}'`
})
const mark = (json: string, column: string): Column => ({ ...flag(json, column), differs: null })
const text = (json: string, column: string): Column => ({
  read: `'${json}', l.${column}`,
  write: `${column} = coalesce(v.wrote ->> '${json}', ${column})`,
  differs: `l.${column} IS NOT v.wrote ->> '${json}'`
})

const columns: Record<Field, ReadonlyArray<Column>> = {
  favorite: [flag("favorite", "favorite")],
  shareable: [flag("shareable", "shareable")],
  category: [text("category", "category"), mark("categoryByHand", "category_by_hand")],
  title: [text("title", "title"), mark("titleByHand", "title_by_hand")],
  summary: [text("summary", "summary"), mark("summaryByHand", "summary_by_hand")],
  collection: [
    {
      read: "'collection', c.name",
      write: "collection_id = (SELECT id FROM collections WHERE name = v.wrote ->> 'collection')",
      // A collection's name is the same in any case.
      differs: "c.name IS NOT v.wrote ->> 'collection'"
    },
    mark("collectionByHand", "collection_by_hand")
  ]
}
const columnsOf = (fields: ReadonlyArray<Field>) => fields.flatMap((field) => columns[field])

/** The marks of fields that jobs change: what the owner has chosen, an undo of a job leaves. */
const byHand: Partial<Record<Field, string>> = {
  category: "l.category_by_hand",
  collection: "l.collection_by_hand"
}

/** A change as it is written down: an edit, or the removal of links, by themselves or into another one. */
export const WrittenChange = Schema.Struct({
  id: Schema.Int,
  token: Schema.String,
  kind: Schema.Literal("edit", "delete", "merge"),
  intoId: Schema.NullOr(LinkId),
  fields: Schema.parseJson(Schema.Array(Field)),
  automatic: Schema.BooleanFromUnknown
})
export type WrittenChange = typeof WrittenChange.Type

/** The links of a change that are not changed yet: all of them, or those of some numbers, and how many at a time. */
export interface Part {
  readonly most: number
  readonly among?: ReadonlyArray<LinkId>
}

/**
 * Changes links and remembers what they said before and what was written, so that a change can be undone.
 *
 * A change is written down with all its links first (`accept`, `acceptRemoval`, `undo`), and then made piece by piece
 * (`next`, `edit`): what has been written down is made even when the program ends in between.
 */
export class ChangeStore extends Context.Tag("ChangeStore")<
  ChangeStore,
  {
    /**
     * Makes the change to all of its links or to none, and returns the token that undoes it; with an earlier change's
     * token, both together.
     */
    readonly apply: (change: Change, token?: string) => Effect.Effect<string, LinkNotFound | StoreUnavailable>
    /** Writes the change down without making it, and returns the token that undoes it. */
    readonly accept: (change: Change) => Effect.Effect<string, LinkNotFound | StoreUnavailable>
    /** Writes down that these links are to be deleted, merged into another one or not. Returns the change's token. */
    readonly acceptRemoval: (
      ids: ReadonlyArray<LinkId>,
      into?: LinkId
    ) => Effect.Effect<string, LinkNotFound | StoreUnavailable>
    /**
     * Writes down the reverse of the change with this token, without making it, and returns its token. Links deleted since
     * are left out, and those the owner has changed by hand since a job did. Fails where any other says something else than
     * the change wrote, unless forced to.
     */
    readonly undo: (
      token: string,
      options: { readonly force: boolean }
    ) => Effect.Effect<string, UndoNotFound | ChangedSince | StoreUnavailable>
    /** The changes that are written down and not made to all of their links, the first first. */
    readonly unfinished: Effect.Effect<ReadonlyArray<WrittenChange>>
    /** Numbers of links that the change has still to be made to, in order. */
    readonly next: (change: WrittenChange, part: Part) => Effect.Effect<ReadonlyArray<LinkId>>
    /** Makes an edit to these of its links. */
    readonly edit: (
      change: WrittenChange,
      ids: ReadonlyArray<LinkId>
    ) => Effect.Effect<void, StoreUnavailable>
    /** Notes that the change is made: collections it was to remove go where they are empty. */
    readonly finish: (change: WrittenChange) => Effect.Effect<void, StoreUnavailable>
    /** The links of the change with this token, in the order of their numbers. */
    readonly linksOf: (token: string) => Effect.Effect<ReadonlyArray<LinkId>>
    /** Removes a collection without links, and returns the token that undoes this. */
    readonly removeCollection: (
      id: number
    ) => Effect.Effect<string, CollectionNotFound | CollectionNotEmpty | StoreUnavailable>
    /** Deletes changes too old to be undone, in steps. */
    readonly prune: Effect.Effect<void, StoreUnavailable>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const transaction = yield* Transaction
      const listOf = (ids: ReadonlyArray<number>) =>
        sql`(SELECT value FROM json_each(${JSON.stringify(ids)}))`

      const unfinished = SqlSchema.findAll({
        Request: Schema.Void,
        Result: WrittenChange,
        execute: () =>
          sql`SELECT id, token, kind, into_id, fields, automatic FROM changes WHERE finished = 0 ORDER BY id`
      })
      const undoable = SqlSchema.findOne({
        Request: Schema.Struct({ token: Schema.String, since: Schema.String }),
        Result: Schema.Struct({ ...WrittenChange.fields, made: Schema.String, removed: Schema.String }),
        execute: ({ since, token }) =>
          sql`SELECT id, token, kind, into_id, fields, automatic, made, removed FROM changes
            WHERE token = ${token} AND kind = 'edit' AND created_at >= ${since}`
      })
      const oldest = Effect.map(DateTime.now, (now) =>
        DateTime.formatIso(DateTime.subtractDuration(now, UNDO_AGE))
      )

      /** Writes down a change, or that one written down earlier goes on. */
      const write = Effect.fnUntraced(function* (
        about: Pick<WrittenChange, "token" | "kind"> &
          Partial<WrittenChange> & { readonly removes?: string; readonly made?: string }
      ) {
        const createdAt = DateTime.formatIso(yield* DateTime.now)
        const {
          automatic = false,
          fields = [],
          intoId = null,
          kind,
          made = "[]",
          removes = "[]",
          token
        } = about
        const [row] = yield* sql<{ id: number }>`INSERT INTO changes ${sql.insert({
          token,
          kind,
          intoId,
          fields: JSON.stringify(fields),
          automatic: automatic ? 1 : 0,
          removes,
          made,
          createdAt
        })} ON CONFLICT (token) DO UPDATE SET finished = 0 RETURNING id`
        const written: WrittenChange = { id: row?.id ?? 0, token, kind, intoId, fields, automatic }
        return written
      })

      /** Writes down the links of a change, as JSON objects with an `id`, and fails where one of them does not exist. */
      const writeLinks = Effect.fnUntraced(function* (
        { id: change }: WrittenChange,
        links: ReadonlyArray<{ readonly id: LinkId }>
      ) {
        for (let at = 0; at < links.length; at += ROWS) {
          if (at > 0) yield* nextTurn
          const rows = JSON.stringify(links.slice(at, at + ROWS))
          const [missing] = yield* sql<{ id: number }>`SELECT value ->> 'id' AS id FROM json_each(${rows})
            WHERE NOT EXISTS (SELECT 1 FROM links WHERE id = value ->> 'id') LIMIT 1`
          if (missing !== undefined) return yield* new LinkNotFound({ id: LinkId.make(missing.id) })
          yield* sql`INSERT INTO change_links (change_id, link_id, pending, wrote)
            SELECT ${change}, value ->> 'id', 1, json_remove(value, '$.id') FROM json_each(${rows})
            WHERE true ON CONFLICT DO UPDATE SET wrote = excluded.wrote, pending = 1`
        }
      })

      const accept = Effect.fn("ChangeStore.accept")(function* (
        { automatic, fields, links }: Change,
        token: string
      ) {
        const written = yield* write({ token, kind: "edit", fields, automatic: automatic === true })
        yield* writeLinks(written, links)
        return written
      })

      const next = Effect.fn("ChangeStore.next")(function* ({ id }: WrittenChange, { among, most }: Part) {
        const some = among === undefined ? sql`` : sql`AND link_id IN ${listOf(among)}`
        const rows = yield* sql<{ linkId: number }>`SELECT link_id FROM change_links
          WHERE change_id = ${id} AND pending = 1 ${some} ORDER BY link_id LIMIT ${most}`
        return rows.map(({ linkId }) => LinkId.make(linkId))
      }, Effect.orDie)

      const edit = Effect.fn("ChangeStore.edit")(function* (
        { fields, id }: WrittenChange,
        ids: ReadonlyArray<LinkId>
      ) {
        if (ids.length === 0) return
        const now = DateTime.formatIso(yield* DateTime.now)
        const list = listOf(ids)
        if (fields.includes("collection")) {
          const made = yield* sql<{ id: number }>`INSERT INTO collections (name, created_at)
            SELECT DISTINCT wrote ->> 'collection', ${now} FROM change_links
            WHERE change_id = ${id} AND link_id IN ${list} AND wrote ->> 'collection' IS NOT NULL
            ON CONFLICT (name) DO NOTHING RETURNING id`
          for (const one of made)
            yield* sql`UPDATE changes SET made = json_insert(made, '$[#]', ${one.id}) WHERE id = ${id}`
        }
        const read = columnsOf(fields).map((column) => column.read)
        const assignments = columnsOf(fields).map((column) => column.write)
        yield* sql`UPDATE change_links SET pending = 0, before = coalesce(before, (
            SELECT json_object(${sql.literal(read.join(", "))})
            FROM links l LEFT JOIN collections c ON c.id = l.collection_id WHERE l.id = link_id
          )) WHERE change_id = ${id} AND link_id IN ${list}`
        yield* sql`UPDATE links SET ${sql.literal(assignments.join(", "))}, updated_at = ${now}
          FROM change_links AS v WHERE v.change_id = ${id} AND v.link_id IN ${list} AND links.id = v.link_id`
      })

      const finish = Effect.fn("ChangeStore.finish")(function* ({ id, kind }: WrittenChange) {
        // A deletion leaves nothing to undo.
        if (kind !== "edit") return yield* sql`DELETE FROM changes WHERE id = ${id}`
        const removed = yield* sql<{ json: string }>`DELETE FROM collections
          WHERE id IN (SELECT part.value FROM changes, json_each(changes.removes) AS part WHERE changes.id = ${id})
          AND NOT EXISTS (SELECT 1 FROM links WHERE collection_id = collections.id)
          RETURNING json_object('id', id, 'name', name, 'createdAt', created_at) AS json`
        return yield* sql`UPDATE changes SET finished = 1, removes = '[]',
          removed = ${`[${removed.map(({ json }) => json).join()}]`} WHERE id = ${id}`
      })

      const apply = Effect.fn("ChangeStore.apply")(function* (change: Change, token: string) {
        const written = yield* accept(change, token)
        yield* edit(
          written,
          change.links.map(({ id }) => id)
        )
        yield* finish(written)
        return token
      })

      /** How many links that the change `to` is to be made to say something else than the change `of` wrote. */
      const differing = Effect.fnUntraced(function* (
        of: WrittenChange,
        to: number,
        after: number,
        last: number
      ) {
        const conditions = of.fields.map((field) =>
          columns[field].flatMap(({ differs }) => (differs === null ? [] : [`(${differs})`])).join(" OR ")
        )
        const counts = conditions.map((condition, index) => `total(${condition}) AS f${index}`)
        const [row = {}] = yield* sql<Record<string, number>>`
          SELECT count(*) AS n, total(${sql.literal(conditions.join(" OR ") || "false")}) AS links
            ${sql.literal(counts.map((count) => `, ${count}`).join(""))}
          FROM change_links v JOIN change_links t ON t.change_id = ${to} AND t.link_id = v.link_id
          JOIN links l ON l.id = v.link_id LEFT JOIN collections c ON c.id = l.collection_id
          WHERE v.change_id = ${of.id} AND v.link_id > ${after} AND v.link_id <= ${last} AND v.wrote IS NOT NULL`
        return {
          links: row["links"] ?? 0,
          fields: of.fields.filter((_, index) => (row[`f${index}`] ?? 0) > 0)
        }
      })

      const undo = Effect.fn("ChangeStore.undo")(function* (
        token: string,
        { force }: { readonly force: boolean }
      ) {
        const found = yield* Effect.orDie(undoable({ token, since: yield* oldest }))
        const of = yield* Effect.mapError(found, () => new UndoNotFound())
        const { automatic, fields, made, removed } = of
        const restored = yield* sql<{ id: number }>`INSERT INTO collections (id, name, created_at)
          SELECT value ->> 'id', value ->> 'name', value ->> 'createdAt' FROM json_each(${removed})
          WHERE true ON CONFLICT DO NOTHING RETURNING id`
        const back = crypto.randomUUID()
        const { id } = yield* write({
          token: back,
          kind: "edit",
          fields,
          automatic,
          removes: made,
          made: JSON.stringify(restored.map((one) => one.id))
        })
        const chosen = automatic ? fields.flatMap((field) => byHand[field] ?? []) : []
        const notChosen =
          chosen.length === 0
            ? sql``
            : sql`AND NOT EXISTS (SELECT 1 FROM links l WHERE l.id = link_id AND ${sql.literal(chosen.join(" + "))} > 0)`
        const changed = { links: 0, of: 0, fields: new Set<Field>() }
        for (let after = 0; ; ) {
          const [end] = yield* sql<{
            last: number | null
            n: number
          }>`SELECT max(link_id) AS last, count(*) AS n
            FROM (SELECT link_id FROM change_links WHERE change_id = ${of.id} AND link_id > ${after}
              ORDER BY link_id LIMIT ${ROWS})`
          if (end === undefined || end.last === null) break
          yield* sql`INSERT INTO change_links (change_id, link_id, pending, wrote)
            SELECT ${id}, link_id, 1, before FROM change_links
            WHERE change_id = ${of.id} AND link_id > ${after} AND link_id <= ${end.last} ${notChosen}`
          const some = yield* differing(of, id, after, end.last)
          changed.links += some.links
          changed.of += end.n
          for (const field of some.fields) changed.fields.add(field)
          after = end.last
          if (end.n === ROWS) yield* nextTurn
        }
        if (changed.links > 0 && !force)
          return yield* new ChangedSince({ ...changed, fields: [...changed.fields] })
        return back
      })

      const removeCollection = Effect.fn("ChangeStore.removeCollection")(function* (id: number) {
        const [found] = yield* sql<{ name: string; filled: number }>`SELECT name,
          EXISTS (SELECT 1 FROM links WHERE collection_id = collections.id) AS filled
          FROM collections WHERE id = ${id}`
        if (found === undefined) return yield* new CollectionNotFound({ id })
        if (found.filled === 1) return yield* new CollectionNotEmpty({ name: found.name })
        const token = crypto.randomUUID()
        yield* finish(yield* write({ token, kind: "edit", removes: JSON.stringify([id]) }))
        return token
      })

      const pruneSome = Effect.gen(function* () {
        const [old] = yield* sql<{ id: number }>`SELECT id FROM changes
          WHERE created_at < ${yield* oldest} AND finished = 1 LIMIT 1`
        if (old === undefined) return false
        const links = sql`SELECT link_id FROM change_links WHERE change_id = ${old.id}`
        yield* sql`DELETE FROM change_links WHERE change_id = ${old.id} AND link_id IN (${links} LIMIT ${ROWS})`
        yield* sql`DELETE FROM changes WHERE id = ${old.id} AND NOT EXISTS (${links})`
        return true
      })

      return {
        next,
        apply: (change, token) => transaction(apply(change, token ?? crypto.randomUUID())),
        accept: (change) =>
          transaction(Effect.map(accept(change, crypto.randomUUID()), (written) => written.token)),
        acceptRemoval: Effect.fn("ChangeStore.acceptRemoval")((ids, into) =>
          transaction(
            Effect.gen(function* () {
              const token = crypto.randomUUID()
              const written = yield* write({
                token,
                kind: into === undefined ? "delete" : "merge",
                intoId: into ?? null
              })
              yield* writeLinks(
                written,
                ids.map((id) => ({ id }))
              )
              return token
            })
          )
        ),
        undo: (token, options) => transaction(undo(token, options)),
        unfinished: Effect.withSpan(Effect.orDie(unfinished()), "ChangeStore.unfinished"),
        edit: (change, ids) => transaction(edit(change, ids)),
        finish: (change) => transaction(Effect.asVoid(finish(change))),
        linksOf: Effect.fn("ChangeStore.linksOf")((token) =>
          Effect.map(
            Effect.orDie(
              sql<{ linkId: number }>`SELECT link_id FROM change_links
                WHERE change_id = (SELECT id FROM changes WHERE token = ${token}) ORDER BY link_id`
            ),
            Array.map(({ linkId }) => LinkId.make(linkId))
          )
        ),
        removeCollection: (id) => transaction(removeCollection(id)),
        prune: Effect.gen(function* () {
          while (yield* transaction(pruneSome)) yield* nextTurn
        }).pipe(Effect.withSpan("ChangeStore.prune"))
      }
    })
  )
}
