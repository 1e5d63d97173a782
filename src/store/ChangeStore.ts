import { SqlClient, SqlSchema } from "@effect/sql"
import { Array, Context, DateTime, Duration, Effect, Layer, Option, Schema } from "effect"
import { Change, type Field, FieldValues, UndoNotFound } from "../domain/Change.ts"
import { LinkNotFound } from "../domain/Link.ts"
import { StoreUnavailable } from "../domain/StoreUnavailable.ts"
import { dropEmptyCollections } from "./LinkSql.ts"
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
          return sql`SELECT json_object('id', l.id, ${sql.literal(read.join(", "))}) AS json
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

      const makeCollections = Effect.fnUntraced(function* (links: ReadonlyArray<FieldValues>, now: string) {
        const names = Array.dedupe(Array.filterMap(links, (link) => Option.fromNullable(link.collection)))
        yield* sql`INSERT INTO collections (name, created_at) SELECT value, ${now} FROM json_each(${JSON.stringify(names)})
          WHERE true ON CONFLICT (name) DO NOTHING`
      })

      const apply = Effect.fn("ChangeStore.apply")(function* (change: Change, token: string) {
        const links = yield* valuesOf(change)
        const found = new Set(links.map(({ json }) => json.id))
        const missing = change.links.find((link) => !found.has(link.id))
        if (missing !== undefined) return yield* new LinkNotFound({ id: missing.id })

        yield* remember({ ...change, links: links.map(({ json }) => json) }, token)
        const now = DateTime.formatIso(yield* DateTime.now)
        const filing = change.fields.includes("collection")
        if (filing) yield* makeCollections(change.links, now)
        const write = change.fields.flatMap((field) => columns[field].map((column) => column.write))
        yield* sql`UPDATE links SET ${sql.literal(write.join(", "))}, updated_at = ${now}
          FROM json_each(${JSON.stringify(change.links)}) AS v WHERE links.id = v.value ->> 'id'`
        // Links that were in none leave none behind.
        if (links.some(({ json }) => json.collection != null)) yield* sql.unsafe(dropEmptyCollections)
        return token
      })

      return {
        apply: (change, token) =>
          Effect.catchAll(transaction(apply(change, token ?? crypto.randomUUID())), (error) =>
            error instanceof LinkNotFound || error instanceof StoreUnavailable
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
          const still = yield* Effect.orDie(valuesOf({ ...first, links }))
          const ids = new Set(
            still.filter(({ json }) => !(first.automatic && byHand(json))).map(({ json }) => json.id)
          )
          return { ...first, links: links.filter((link) => ids.has(link.id)) }
        })
      }
    })
  )
}

const byHand = ({ categoryByHand, collectionByHand }: FieldValues) =>
  categoryByHand === true || collectionByHand === true
