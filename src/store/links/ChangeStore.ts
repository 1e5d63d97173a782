import { Model, SqlClient, SqlSchema } from "@effect/sql"
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
import { yieldToEventLoop } from "../../runtime/Scheduling.ts"
import { decodeIds, decodeRows, readNumbers, readOrDefect } from "../Rows.ts"
import { Transaction } from "../Transaction.ts"

/** How long a change can be undone. */
const UNDO_AGE = Duration.days(7)

/** Links recorded per step, a few milliseconds of work, so that the event loop turns in between. */
const ROWS = 2_000

interface Column {
  /** JSON key and value of this column, from `links l` and `collections c`. */
  readonly read: string
  /** Assignment from that JSON in `v.wrote`. */
  readonly write: string
  /** Condition that the column no longer holds what the change wrote; null for a by-hand mark of another column. */
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
      // Collection names are case-insensitive.
      differs: "c.name IS NOT v.wrote ->> 'collection'"
    },
    mark("collectionByHand", "collection_by_hand")
  ]
}
const columnsOf = (fields: ReadonlyArray<Field>) => fields.flatMap((field) => columns[field])

/** By-hand marks of the fields that jobs change; undoing a job keeps what the owner has chosen by hand. */
const handMarks: Partial<Record<Field, string>> = {
  category: "l.category_by_hand",
  collection: "l.collection_by_hand"
}

/** A recorded change: an edit, a deletion of links, or a merge of links into another one. */
export const RecordedChange = Schema.Struct({
  id: Schema.Int,
  token: Schema.String,
  kind: Schema.Literal("edit", "delete", "merge"),
  intoId: Schema.NullOr(LinkId),
  fields: Schema.parseJson(Schema.Array(Field)),
  automatic: Schema.BooleanFromUnknown
})
export type RecordedChange = typeof RecordedChange.Type

const decodeRemoved = decodeRows(Schema.Struct({ json: Schema.String }))
const decodeCounts = decodeRows(Schema.Record({ key: Schema.String, value: Schema.Number }))
const decodeEnd = decodeRows(Schema.Struct({ last: Schema.NullOr(Schema.Int), n: Schema.Int }))
const decodeCollection = decodeRows(Schema.Struct({ name: Schema.String, filled: Model.BooleanFromNumber }))

/** A piece of a change: at most `most` of its pending links, restricted to `among` if given. */
export interface ChangePiece {
  readonly most: number
  readonly among?: ReadonlyArray<LinkId>
}

/**
 * Changes links and records their values before and after, so that a change can be undone.
 *
 * A change is first recorded with all its links (`accept`, `acceptRemoval`, `undo`) and then applied piece by piece
 * (`next`, `edit`), so a recorded change is applied even if the program ends in between.
 */
export class ChangeStore extends Context.Tag("ChangeStore")<
  ChangeStore,
  {
    /**
     * Applies the change to all of its links or to none and returns its undo token. Given an earlier change's token, it
     * extends that change, and the token undoes both.
     */
    readonly apply: (change: Change, token?: string) => Effect.Effect<string, LinkNotFound | StoreUnavailable>
    /** Records the change without applying it, and returns its undo token. */
    readonly accept: (change: Change) => Effect.Effect<string, LinkNotFound | StoreUnavailable>
    /** Records that these links are to be deleted, or merged into `into`, and returns the change's token. */
    readonly acceptRemoval: (
      ids: ReadonlyArray<LinkId>,
      into?: LinkId
    ) => Effect.Effect<string, LinkNotFound | StoreUnavailable>
    /**
     * Records the reverse of the change with this token without applying it, and returns the token of the reverse. It
     * skips links deleted since, and for a job's change also links the owner has changed by hand since. Fails with
     * `ChangedSince` if any other link no longer holds what the change wrote, unless `force` is set.
     */
    readonly undo: (
      token: string,
      options: { readonly force: boolean }
    ) => Effect.Effect<string, UndoNotFound | ChangedSince | StoreUnavailable>
    /** The recorded changes that are not fully applied, oldest first. */
    readonly unfinished: Effect.Effect<ReadonlyArray<RecordedChange>>
    /** Returns the numbers of links the change is still to be applied to, in order. */
    readonly next: (change: RecordedChange, part: ChangePiece) => Effect.Effect<ReadonlyArray<LinkId>>
    /** Applies an edit to these of its links. */
    readonly edit: (
      change: RecordedChange,
      ids: ReadonlyArray<LinkId>
    ) => Effect.Effect<void, StoreUnavailable>
    /** Marks an edit as applied and deletes the collections it removes if they are empty; drops a removal's record. */
    readonly finish: (change: RecordedChange) => Effect.Effect<void, StoreUnavailable>
    /** Returns the links of the change with this token, ordered by number. */
    readonly linksOf: (token: string) => Effect.Effect<ReadonlyArray<LinkId>>
    /** Removes an empty collection and returns the undo token. */
    readonly removeCollection: (
      id: number
    ) => Effect.Effect<string, CollectionNotFound | CollectionNotEmpty | StoreUnavailable>
    /** Deletes changes too old to undo, in steps. */
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
        Result: RecordedChange,
        execute: () =>
          sql`SELECT id, token, kind, into_id, fields, automatic FROM changes WHERE finished = 0 ORDER BY id`
      })
      const undoable = SqlSchema.findOne({
        Request: Schema.Struct({ token: Schema.String, since: Schema.String }),
        Result: Schema.Struct({ ...RecordedChange.fields, made: Schema.String, removed: Schema.String }),
        execute: ({ since, token }) =>
          sql`SELECT id, token, kind, into_id, fields, automatic, made, removed FROM changes
            WHERE token = ${token} AND kind = 'edit' AND created_at >= ${since}`
      })
      const oldest = Effect.map(DateTime.now, (now) =>
        DateTime.formatIso(DateTime.subtractDuration(now, UNDO_AGE))
      )

      /** Records a change, or reopens the recorded change with the same token. */
      const write = Effect.fnUntraced(function* (
        about: Pick<RecordedChange, "token" | "kind"> &
          Partial<RecordedChange> & { readonly removes?: string; readonly made?: string }
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
        const values = {
          token,
          kind,
          intoId,
          fields: JSON.stringify(fields),
          automatic: automatic ? 1 : 0,
          removes,
          made,
          createdAt
        }
        const [row] = yield* decodeIds(
          sql`INSERT INTO changes ${sql.insert(values)}
            ON CONFLICT (token) DO UPDATE SET finished = 0 RETURNING id`
        )
        const written: RecordedChange = { id: row?.id ?? 0, token, kind, intoId, fields, automatic }
        return written
      })

      /** Records the links of a change as JSON objects with an `id`; fails if one of them does not exist. */
      const writeLinks = Effect.fnUntraced(function* (
        { id: change }: RecordedChange,
        links: ReadonlyArray<{ readonly id: LinkId }>
      ) {
        for (let at = 0; at < links.length; at += ROWS) {
          if (at > 0) yield* yieldToEventLoop
          const rows = JSON.stringify(links.slice(at, at + ROWS))
          const [missing] = yield* decodeIds(
            sql`SELECT value ->> 'id' AS id FROM json_each(${rows})
              WHERE NOT EXISTS (SELECT 1 FROM links WHERE id = value ->> 'id') LIMIT 1`
          )
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

      const next = Effect.fn("ChangeStore.next")(function* (
        { id }: RecordedChange,
        { among, most }: ChangePiece
      ) {
        const some = among === undefined ? sql`` : sql`AND link_id IN ${listOf(among)}`
        const ids = yield* readNumbers(sql`SELECT link_id FROM change_links
          WHERE change_id = ${id} AND pending = 1 ${some} ORDER BY link_id LIMIT ${most}`)
        return ids.map((one) => LinkId.make(one))
      })

      const edit = Effect.fn("ChangeStore.edit")(function* (
        { fields, id }: RecordedChange,
        ids: ReadonlyArray<LinkId>
      ) {
        if (ids.length === 0) return
        const now = DateTime.formatIso(yield* DateTime.now)
        const list = listOf(ids)
        if (fields.includes("collection")) {
          const made = yield* decodeIds(
            sql`INSERT INTO collections (name, created_at)
              SELECT DISTINCT wrote ->> 'collection', ${now} FROM change_links
              WHERE change_id = ${id} AND link_id IN ${list} AND wrote ->> 'collection' IS NOT NULL
              ON CONFLICT (name) DO NOTHING RETURNING id`
          )
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

      const finish = Effect.fn("ChangeStore.finish")(function* ({ id, kind }: RecordedChange) {
        // A removal cannot be undone.
        if (kind !== "edit") return yield* sql`DELETE FROM changes WHERE id = ${id}`
        const removed = yield* decodeRemoved(
          sql`DELETE FROM collections
            WHERE id IN (SELECT part.value FROM changes, json_each(changes.removes) AS part WHERE changes.id = ${id})
            AND NOT EXISTS (SELECT 1 FROM links WHERE collection_id = collections.id)
            RETURNING json_object('id', id, 'name', name, 'createdAt', created_at) AS json`
        )
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

      /** Counts the links of change `to`, from `after` to `last`, that no longer hold what change `of` wrote. */
      const differing = Effect.fnUntraced(function* (
        of: RecordedChange,
        to: number,
        after: number,
        last: number
      ) {
        const conditions = of.fields.map((field) =>
          columns[field].flatMap(({ differs }) => (differs === null ? [] : [`(${differs})`])).join(" OR ")
        )
        const counts = conditions.map((condition, index) => `total(${condition}) AS f${index}`)
        const [row = {}] = yield* decodeCounts(
          sql`SELECT count(*) AS n, total(${sql.literal(conditions.join(" OR ") || "false")}) AS links
              ${sql.literal(counts.map((count) => `, ${count}`).join(""))}
            FROM change_links v JOIN change_links t ON t.change_id = ${to} AND t.link_id = v.link_id
            JOIN links l ON l.id = v.link_id LEFT JOIN collections c ON c.id = l.collection_id
            WHERE v.change_id = ${of.id} AND v.link_id > ${after} AND v.link_id <= ${last} AND v.wrote IS NOT NULL`
        )
        return {
          links: row["links"] ?? 0,
          fields: of.fields.filter((_, index) => (row[`f${index}`] ?? 0) > 0)
        }
      })

      const undo = Effect.fn("ChangeStore.undo")(function* (
        token: string,
        { force }: { readonly force: boolean }
      ) {
        const found = yield* readOrDefect(undoable({ token, since: yield* oldest }))
        const original = yield* Effect.mapError(found, () => new UndoNotFound())
        const { automatic, fields, made, removed } = original
        const restored = yield* decodeIds(
          sql`INSERT INTO collections (id, name, created_at)
            SELECT value ->> 'id', value ->> 'name', value ->> 'createdAt' FROM json_each(${removed})
            WHERE true ON CONFLICT DO NOTHING RETURNING id`
        )
        const undoToken = crypto.randomUUID()
        const { id } = yield* write({
          token: undoToken,
          kind: "edit",
          fields,
          automatic,
          removes: made,
          made: JSON.stringify(restored.map((one) => one.id))
        })
        const chosen = automatic ? fields.flatMap((field) => handMarks[field] ?? []) : []
        const notChosen =
          chosen.length === 0
            ? sql``
            : sql`AND NOT EXISTS (SELECT 1 FROM links l WHERE l.id = link_id AND ${sql.literal(chosen.join(" + "))} > 0)`
        const changed = { links: 0, of: 0, fields: new Set<Field>() }
        for (let after = 0; ; ) {
          const [end] = yield* decodeEnd(
            sql`SELECT max(link_id) AS last, count(*) AS n
              FROM (SELECT link_id FROM change_links WHERE change_id = ${original.id} AND link_id > ${after}
                ORDER BY link_id LIMIT ${ROWS})`
          )
          if (end === undefined || end.last === null) break
          yield* sql`INSERT INTO change_links (change_id, link_id, pending, wrote)
            SELECT ${id}, link_id, 1, before FROM change_links
            WHERE change_id = ${original.id} AND link_id > ${after} AND link_id <= ${end.last} ${notChosen}`
          const some = yield* differing(original, id, after, end.last)
          changed.links += some.links
          changed.of += end.n
          for (const field of some.fields) changed.fields.add(field)
          after = end.last
          if (end.n === ROWS) yield* yieldToEventLoop
        }
        if (changed.links > 0 && !force)
          return yield* new ChangedSince({ ...changed, fields: [...changed.fields] })
        return undoToken
      })

      const removeCollection = Effect.fn("ChangeStore.removeCollection")(function* (id: number) {
        const [found] = yield* decodeCollection(
          sql`SELECT name, EXISTS (SELECT 1 FROM links WHERE collection_id = collections.id) AS filled
            FROM collections WHERE id = ${id}`
        )
        if (found === undefined) return yield* new CollectionNotFound({ id })
        if (found.filled) return yield* new CollectionNotEmpty({ name: found.name })
        const token = crypto.randomUUID()
        yield* finish(yield* write({ token, kind: "edit", removes: JSON.stringify([id]) }))
        return token
      })

      const pruneSome = Effect.gen(function* () {
        const [old] = yield* decodeIds(
          sql`SELECT id FROM changes WHERE created_at < ${yield* oldest} AND finished = 1 LIMIT 1`
        )
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
        unfinished: Effect.withSpan(readOrDefect(unfinished()), "ChangeStore.unfinished"),
        edit: (change, ids) => transaction(edit(change, ids)),
        finish: (change) => transaction(Effect.asVoid(finish(change))),
        linksOf: Effect.fn("ChangeStore.linksOf")((token) =>
          Effect.map(
            readNumbers(
              sql`SELECT link_id FROM change_links
                WHERE change_id = (SELECT id FROM changes WHERE token = ${token}) ORDER BY link_id`
            ),
            Array.map((id) => LinkId.make(id))
          )
        ),
        removeCollection: (id) => transaction(removeCollection(id)),
        prune: Effect.gen(function* () {
          while (yield* transaction(pruneSome)) yield* yieldToEventLoop
        }).pipe(Effect.withSpan("ChangeStore.prune"))
      }
    })
  )
}
