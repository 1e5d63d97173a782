import { Effect } from "effect"
import { BadRequest } from "../api/Failures.ts"
import { MAX_LIMIT } from "../api/Parameters.ts"
import { type LinkQuery, type Sort, sorts } from "../domain/LinkQuery.ts"
import { parseQuery } from "../search/Query.ts"
import type { Audience } from "../store/Matching.ts"
import { decodeCursor } from "./Cursor.ts"
import type { Params } from "./SearchParams.ts"

/** A parameter that was given, the last one where it was repeated; an empty one counts as not given. */
export const given = (params: Params, name: string): string | undefined => {
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

const collection = Effect.fnUntraced(function* (params: Params, audience: Audience) {
  const value = given(params, "collection")
  if (value === undefined) return undefined
  if (value === "none") return null
  if (/^\d{1,15}$/.test(value)) return Number(value)
  // To the public a collection has no number, only its name.
  if (audience === "public") return { field: "collection", value, negated: false } as const
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

const sort = Effect.fnUntraced(function* (params: Params) {
  const value = given(params, "sort")
  if (value === undefined) return undefined
  return sorts.find((one) => one === value) ?? (yield* unknownValue("sort", sorts.join(", ")))
})

const cursor = Effect.fnUntraced(function* (params: Params, audience: Audience) {
  const value = given(params, "cursor")
  if (value === undefined) return undefined
  return yield* Effect.mapError(decodeCursor(value, audience), () =>
    unknownValue("cursor", "the nextCursor of a page")
  )
})

interface Reading {
  /** The owner unless it is said: to the public a link's number, its note and its marks do not exist. */
  readonly audience?: Audience
  /** The order where nothing is searched for and none is asked for. */
  readonly unsearched?: Sort
}

/** What only the owner may ask for. */
const owners = Effect.fnUntraced(function* (params: Params, audience: Audience) {
  const asked: Params = audience === "owner" ? params : {}
  return {
    favorite: yield* flag(asked, "favorite"),
    shareable: yield* flag(asked, "shareable"),
    like: yield* linkNumber(asked)
  }
})

/**
 * The query a list's parameters ask for. A search text is never refused; any other value that is not known is.
 */
export const listQuery = Effect.fnUntraced(function* (
  params: Params,
  { audience = "owner", unsearched = "newest" }: Reading = {}
) {
  const { filters, terms } = parseQuery(given(params, "q") ?? "")
  const category = given(params, "category")
  const tag = given(params, "tag")
  const after = yield* cursor(params, audience)
  const filed = yield* collection(params, audience)
  const more = yield* owners(params, audience)
  const relevant = more.like !== undefined || terms.some((term) => !term.negated)
  const order = (yield* sort(params)) ?? (relevant ? "relevance" : unsearched)
  if (after !== undefined && after.sort !== order && !(order === "relevance" && after.sort === "newest"))
    return yield* unknownValue("cursor", "of a page in the same order")
  const query: LinkQuery = {
    terms,
    filters: [
      ...filters,
      ...(category === undefined ? [] : [{ field: "category", value: category, negated: false } as const]),
      ...(tag === undefined ? [] : [{ field: "tag", value: tag.toLowerCase(), negated: false } as const]),
      ...(typeof filed === "object" && filed !== null ? [filed] : [])
    ],
    ...more,
    collection: typeof filed === "object" && filed !== null ? undefined : filed,
    limit: yield* limit(params),
    sort: order,
    cursor: after
  }
  return query
})
