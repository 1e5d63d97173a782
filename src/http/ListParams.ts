import { Effect } from "effect"
import { BadRequest } from "../api/Failures.ts"
import type { LinkQuery, Sort } from "../domain/LinkQuery.ts"
import { parseQuery } from "../search/Query.ts"
import { decodeCursor } from "./Cursor.ts"

/** The most links a page holds. */
const MAX_LIMIT = 1_000

type Params = Readonly<Record<string, string | ReadonlyArray<string> | undefined>>

/** A parameter that was given, the last one where it was repeated; an empty one counts as not given. */
const given = (params: Params, name: string): string | undefined => {
  const value = params[name]
  const one = typeof value === "string" ? value : value?.at(-1)
  return one === "" ? undefined : one
}

const unknownValue = (name: string, allowed: string) =>
  new BadRequest(`The parameter "${name}" must be ${allowed}.`)

const flag = Effect.fnUntraced(function* (params: Params, name: string) {
  const value = given(params, name)
  if (value === undefined) return undefined
  if (value === "true" || value === "1") return true
  if (value === "false" || value === "0") return false
  return yield* unknownValue(name, "true or false")
})

const collection = Effect.fnUntraced(function* (params: Params) {
  const value = given(params, "collection")
  if (value === undefined) return undefined
  if (value === "none") return null
  if (/^\d{1,15}$/.test(value)) return Number(value)
  return yield* unknownValue("collection", "a collection's number or none")
})

const linkNumber = Effect.fnUntraced(function* (params: Params) {
  const value = given(params, "like")
  if (value === undefined) return undefined
  if (/^[1-9]\d{0,14}$/.test(value)) return Number(value)
  return yield* unknownValue("like", "a link's number")
})

const limit = Effect.fnUntraced(function* (params: Params) {
  const value = given(params, "limit")
  if (value === undefined) return undefined
  const number = /^\d{1,6}$/.test(value) ? Number(value) : 0
  if (number >= 1 && number <= MAX_LIMIT) return number
  return yield* unknownValue("limit", `a number from 1 to ${MAX_LIMIT}`)
})

const sorts: ReadonlyArray<Sort> = ["newest", "oldest", "title", "relevance"]

const sort = Effect.fnUntraced(function* (params: Params) {
  const value = given(params, "sort")
  if (value === undefined) return undefined
  return sorts.find((one) => one === value) ?? (yield* unknownValue("sort", sorts.join(", ")))
})

const cursor = Effect.fnUntraced(function* (params: Params) {
  const value = given(params, "cursor")
  if (value === undefined) return undefined
  return yield* Effect.mapError(decodeCursor(value), () => unknownValue("cursor", "the nextCursor of a page"))
})

/**
 * The query a list's parameters ask for. A search text is never refused; any other value that is not known is.
 */
export const listQuery = Effect.fnUntraced(function* (params: Params) {
  const { filters, terms } = parseQuery(given(params, "q") ?? "")
  const category = given(params, "category")
  const tag = given(params, "tag")
  const after = yield* cursor(params)
  const like = yield* linkNumber(params)
  const relevant = like !== undefined || terms.some((term) => !term.negated)
  const order = (yield* sort(params)) ?? (relevant ? "relevance" : "newest")
  if (after !== undefined && after.sort !== order && !(order === "relevance" && after.sort === "newest"))
    return yield* unknownValue("cursor", "of a page in the same order")
  const query: LinkQuery = {
    terms,
    filters: [
      ...filters,
      ...(category === undefined ? [] : [{ field: "category", value: category, negated: false } as const]),
      ...(tag === undefined ? [] : [{ field: "tag", value: tag.toLowerCase(), negated: false } as const])
    ],
    collection: yield* collection(params),
    favorite: yield* flag(params, "favorite"),
    shareable: yield* flag(params, "shareable"),
    ...(like === undefined ? {} : { like }),
    limit: yield* limit(params),
    sort: order,
    cursor: after
  }
  return query
})
