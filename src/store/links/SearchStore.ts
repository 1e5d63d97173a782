import { Model, SqlClient } from "@effect/sql"
import { DateTime, Effect, Option, Redacted, Schema } from "effect"
import { SavedSearch, SearchNameTaken, SearchNotFound, TooManySearches } from "../../domain/SavedSearch.ts"
import { isSameSecret, makeSecret } from "../../runtime/Secret.ts"
import { Service } from "../../runtime/Services.ts"
import { MAX_SEARCHES } from "../../shared/Limits.ts"
import { decodeRows, readFlag, readNumber, readRows } from "../Rows.ts"
import { Transaction } from "../Transaction.ts"
import { ChangeStore } from "./ChangeStore.ts"
import { recordCreated, recorded } from "./Journal.ts"

/** How the token of a search begins in a copy of the library without its secrets: it opens no feed. */
export const LEFT_OUT = "left out "

const SearchRow = Schema.Struct({
  ...SavedSearch.omit("order", "pinned", "feedText").fields,
  pinned: Model.BooleanFromNumber,
  feedText: Model.BooleanFromNumber
})
const readSearchRow = readRows(SearchRow)

export interface NewSearch extends Pick<SavedSearch, "name" | "query" | "sort" | "pinned" | "feedText"> {
  readonly order?: number | undefined
}

/** `renewFeed` gives its feed another secret address. */
export interface SearchEdit {
  readonly name?: string | undefined
  readonly query?: string | undefined
  readonly sort?: SavedSearch["sort"] | undefined
  readonly pinned?: boolean | undefined
  readonly feedText?: boolean | undefined
  readonly order?: number | undefined
  readonly renewFeed?: boolean | undefined
}

const NO_PLACE = -1

const decodePlaces = decodeRows(Schema.Struct({ id: Schema.Int, position: Schema.Int }))

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const changes = yield* ChangeStore
  const transaction = yield* Transaction
  const all = Effect.map(
    readSearchRow(
      sql`SELECT id, name, query, sort, pinned, feed_text, token, created_at FROM searches ORDER BY position, id`
    ),
    (found) => found.map((row, order): SavedSearch => ({ ...row, order }))
  )

  const get = Effect.fnUntraced(function* (id: number) {
    const found = (yield* all).find((one) => one.id === id)
    return found ?? (yield* new SearchNotFound())
  })

  const requireFree = Effect.fnUntraced(function* (name: string, id: number) {
    if (yield* readFlag(sql`SELECT id FROM searches WHERE name = ${name} AND id <> ${id}`))
      return yield* new SearchNameTaken({ name })
  })

  const reorder = Effect.fnUntraced(function* (change: number, id: number, order: number) {
    const known = yield* decodePlaces(sql`SELECT id, position FROM searches ORDER BY position, id`)
    const moved = known.filter((one) => one.id === id)
    const ordered = known.filter((one) => one.id !== id).toSpliced(order, 0, ...moved)
    for (const [place, one] of ordered.entries())
      if (one.position !== place)
        yield* recorded(
          sql,
          change,
          "search",
          [one.id],
          sql`UPDATE searches SET position = ${place} WHERE id = ${one.id}`
        )
  })

  const create = Effect.fn("SearchStore.create")(function* ({
    feedText,
    name,
    order,
    pinned,
    query,
    sort
  }: NewSearch) {
    const known = yield* all
    if (known.length >= MAX_SEARCHES) return yield* new TooManySearches()
    yield* requireFree(name, 0)
    const values = {
      name,
      query,
      sort,
      pinned: pinned ? 1 : 0,
      feedText: feedText ? 1 : 0,
      position: NO_PLACE,
      token: makeSecret(),
      createdAt: DateTime.formatIso(yield* DateTime.now)
    }
    const { done: id, undo } = yield* changes.record((change) =>
      Effect.gen(function* () {
        const id = yield* readNumber(sql`INSERT INTO searches ${sql.insert(values)} RETURNING id`)
        yield* recordCreated(sql, change, "search", [id])
        yield* reorder(change, id, order ?? known.length)
        return id
      })
    )
    return { search: yield* Effect.catchTag(get(id), "SearchNotFound", Effect.die), undo }
  }, transaction)

  const edit = Effect.fn("SearchStore.edit")(function* (id: number, given: SearchEdit) {
    const { feedText, name, order, pinned, query, renewFeed = false, sort } = given
    yield* get(id)
    if (name !== undefined) yield* requireFree(name, id)
    const values = {
      ...(name === undefined ? {} : { name }),
      ...(query === undefined ? {} : { query }),
      ...(sort === undefined ? {} : { sort }),
      ...(pinned === undefined ? {} : { pinned: pinned ? 1 : 0 }),
      ...(feedText === undefined ? {} : { feedText: feedText ? 1 : 0 }),
      ...(renewFeed ? { token: makeSecret() } : {})
    }
    const write = sql`UPDATE searches SET ${sql.update(values)} WHERE id = ${id}`
    const { undo } = yield* changes.record((change) =>
      Effect.gen(function* () {
        if (Object.keys(values).length > 0) yield* recorded(sql, change, "search", [id], write)
        if (order !== undefined) yield* reorder(change, id, order)
      })
    )
    return { search: yield* get(id), undo }
  }, transaction)

  const remove = Effect.fn("SearchStore.remove")(function* (id: number) {
    yield* get(id)
    const gone = sql`DELETE FROM searches WHERE id = ${id}`
    return (yield* changes.record((change) => recorded(sql, change, "search", [id], gone))).undo
  }, transaction)

  return {
    all: Effect.withSpan(all, "SearchStore.all"),
    create,
    edit,
    remove,
    /** Returns the saved search whose feed has this token. Takes as long for any token. */
    withToken: Effect.fn("SearchStore.withToken")((token: Redacted.Redacted) =>
      Effect.map(all, (searches) => {
        // Compares with every one, so that the time tells nothing.
        const found = searches.filter(
          (one) => isSameSecret(one.token, token) && !Redacted.value(token).startsWith(LEFT_OUT)
        )
        return Option.fromNullable(found[0])
      })
    )
  }
})

export class SearchStore extends Service<SearchStore>()("SearchStore", make) {}
