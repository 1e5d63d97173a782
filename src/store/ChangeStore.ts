import { SqlClient, SqlSchema } from "@effect/sql"
import { Array, Context, DateTime, Duration, Effect, Layer, Option, Schema } from "effect"
import {
  Change,
  CollectionNotEmpty,
  CollectionNotFound,
  type Field,
  FieldValues,
  type RemovedCollection,
  UndoNotFound
} from "../domain/Change.ts"
import { LinkNotFound } from "../domain/Link.ts"
import { StoreUnavailable } from "../domain/StoreUnavailable.ts"
import { Transaction } from "./Transaction.ts"

/** How long a change can be undone. */
export const UNDO_AGE = Duration.days(7)

interface Column {
  /** The JSON this field has in `FieldValues`, from `links l` and `collections c`. */
  readonly read: string
  /** The assignment from such JSON, `v.value`. */
  readonly write: string
}

const flag = (json: string, column: string): Column => ({
  read: `'${json}', json(iif(l.${column}, 'true', 'false'))`,
  write: `${column} = coalesce(v.value ->> '${json}', ${column})`
})
const text = (json: string, column: string): Column => ({
  read: `'${json}', l.${column}`,
  write: `${column} = coalesce(v.value ->> '${json}', ${column})`
})

const columns: Record<Field, ReadonlyArray<Column>> = {
  favorite: [flag("favorite", "favorite")],
  shareable: [flag("shareable", "shareable")],
  category: [text("category", "category"), flag("categoryByHand", "category_by_hand")],
  title: [text("title", "title"), flag("titleByHand", "title_by_hand")],
  summary: [text("summary", "summary"), flag("summaryByHand", "summary_by_hand")],
  collection: [
    {
      read: "'collection', c.name",
      write: "collection_id = (SELECT id FROM collections WHERE name = v.value ->> 'collection')"
    },
    flag("collectionByHand", "collection_by_hand")
  ]
}

/** Changes links and remembers how they were, so that a change can be taken back. */
export class ChangeStore extends Context.Tag("ChangeStore")<
  ChangeStore,
  {
    /**
     * Makes the change to all of its links or to none, and returns the token that takes it back; with an earlier change's
     * token, both together.
     */
    readonly apply: (change: Change, token?: string) => Effect.Effect<string, LinkNotFound | StoreUnavailable>
    /** Removes a collection without links, and returns the token that undoes this. */
    readonly removeCollection: (
      id: number
    ) => Effect.Effect<string, CollectionNotFound | CollectionNotEmpty | StoreUnavailable>
    /** Gives the change with this token; links deleted since are left out of it. */
    readonly before: (token: string) => Effect.Effect<Change, UndoNotFound>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const transaction = yield* Transaction

      const valuesOf = SqlSchema.findAll({
        Request: Change,
        Result: Schema.Struct({ json: Schema.parseJson(FieldValues) }),
        execute: ({ fields, links }) => {
          const read = fields.flatMap((field) => columns[field].map((column) => column.read))
          return sql`SELECT json_object(${sql.literal(["'id', l.id", ...read].join(", "))}) AS json
            FROM links l LEFT JOIN collections c ON c.id = l.collection_id
            WHERE l.id IN (SELECT value FROM json_each(${JSON.stringify(links.map((link) => link.id))}))`
        }
      })
      const saved = SqlSchema.findAll({
        Request: Schema.String,
        Result: Schema.Struct({ before: Schema.parseJson(Change) }),
        execute: (token) => sql`SELECT before FROM undo WHERE token = ${token} ORDER BY part`
      })

      const remember = Effect.fnUntraced(function* (before: Change, token: string) {
        const now = yield* DateTime.now
        yield* sql`DELETE FROM undo WHERE created_at < ${DateTime.formatIso(DateTime.subtractDuration(now, UNDO_AGE))}`
        yield* sql`INSERT INTO undo (token, part, before, created_at) VALUES (${token},
          (SELECT coalesce(max(part), -1) + 1 FROM undo WHERE token = ${token}),
          ${JSON.stringify(before)}, ${DateTime.formatIso(now)})`
      })

      /** Restores collections and makes those whose names are new. Returns the numbers of all that were not there. */
      const makeCollections = Effect.fnUntraced(function* ({ links, restores = [] }: Change, now: string) {
        const names = Array.dedupe(Array.filterMap(links, (link) => Option.fromNullable(link.collection)))
        const restored =
          restores.length === 0
            ? []
            : yield* sql<{ id: number }>`INSERT INTO collections (id, name, created_at)
                SELECT value ->> 'id', value ->> 'name', value ->> 'createdAt' FROM json_each(${JSON.stringify(restores)})
                WHERE true ON CONFLICT DO NOTHING RETURNING id`
        const made =
          names.length === 0
            ? []
            : yield* sql<{ id: number }>`INSERT INTO collections (name, created_at)
                SELECT value, ${now} FROM json_each(${JSON.stringify(names)})
                WHERE true ON CONFLICT (name) DO NOTHING RETURNING id`
        return [...restored, ...made].map(({ id }) => id)
      })

      const removeEmpty = (ids: ReadonlyArray<number>) =>
        ids.length === 0
          ? Effect.succeed([])
          : sql<RemovedCollection>`DELETE FROM collections
              WHERE id IN (SELECT value FROM json_each(${JSON.stringify(ids)}))
              AND NOT EXISTS (SELECT 1 FROM links WHERE collection_id = collections.id)
              RETURNING id, name, created_at`

      const apply = Effect.fn("ChangeStore.apply")(function* (change: Change, token: string) {
        const links = yield* valuesOf(change)
        const found = new Set(links.map(({ json }) => json.id))
        const missing = change.links.find((link) => !found.has(link.id))
        if (missing !== undefined) return yield* new LinkNotFound({ id: missing.id })

        const now = DateTime.formatIso(yield* DateTime.now)
        const made = yield* makeCollections(change, now)
        if (change.fields.length > 0) {
          const write = change.fields.flatMap((field) => columns[field].map((column) => column.write))
          yield* sql`UPDATE links SET ${sql.literal(write.join(", "))}, updated_at = ${now}
            FROM json_each(${JSON.stringify(change.links)}) AS v WHERE links.id = v.value ->> 'id'`
        }
        const removed = yield* removeEmpty(change.removes ?? [])
        yield* remember(
          {
            fields: change.fields,
            links: links.map(({ json }) => json),
            ...(change.automatic === undefined ? {} : { automatic: change.automatic }),
            ...(made.length === 0 ? {} : { removes: made }),
            ...(removed.length === 0 ? {} : { restores: removed })
          },
          token
        )
        return token
      })

      const removeCollection = Effect.fn("ChangeStore.removeCollection")(function* (id: number) {
        const [found] = yield* sql<{ name: string; filled: number }>`SELECT name,
          EXISTS (SELECT 1 FROM links WHERE collection_id = collections.id) AS filled
          FROM collections WHERE id = ${id}`
        if (found === undefined) return yield* new CollectionNotFound({ id })
        if (found.filled === 1) return yield* new CollectionNotEmpty({ name: found.name })
        return yield* apply({ fields: [], links: [], removes: [id] }, crypto.randomUUID())
      })

      return {
        apply: (change, token) =>
          Effect.catchAll(transaction(apply(change, token ?? crypto.randomUUID())), (error) =>
            error instanceof LinkNotFound || error instanceof StoreUnavailable
              ? Effect.fail(error)
              : Effect.die(error)
          ),
        removeCollection: (id) =>
          Effect.catchAll(transaction(removeCollection(id)), (error) =>
            error instanceof CollectionNotFound ||
            error instanceof CollectionNotEmpty ||
            error instanceof StoreUnavailable
              ? Effect.fail(error)
              : Effect.die(error)
          ),
        before: Effect.fn("ChangeStore.before")(function* (token) {
          const parts = (yield* Effect.orDie(saved(token))).map(({ before }) => before)
          const [first] = parts
          if (first === undefined) return yield* new UndoNotFound()
          // What a link was before the first of several changes is what it was before them all.
          const links = [
            ...new Map(
              parts.flatMap((part) => part.links.map((link) => [link.id, link] as const)).toReversed()
            ).values()
          ]
          const removes = parts.flatMap((part) => part.removes ?? [])
          const restores = parts.flatMap((part) => part.restores ?? [])
          const still = yield* Effect.orDie(valuesOf({ ...first, links }))
          const ids = new Set(
            still.filter(({ json }) => !(first.automatic && byHand(json))).map(({ json }) => json.id)
          )
          return { ...first, links: links.filter((link) => ids.has(link.id)), removes, restores }
        })
      }
    })
  )
}

const byHand = ({ categoryByHand, collectionByHand }: FieldValues) =>
  categoryByHand === true || collectionByHand === true
