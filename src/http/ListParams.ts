import { HttpServerRequest } from "@effect/platform"
import { Effect, type Option } from "effect"
import { type LinkQuery, type PublicQuery, type Sort, sorts } from "../domain/LinkQuery.ts"
import { parseQuery } from "../search/Query.ts"
import type { Filter } from "../shared/SearchSyntax.ts"
import { BadRequest } from "./api/Failures.ts"
import { MAX_LIMIT } from "./api/Parameters.ts"
import { decodeCursor, decodePublicCursor } from "./Cursor.ts"

/** Returns a parameter's value, the last one if it is repeated; an empty value counts as absent. */
export const paramValue = (params: Params, name: string): string | undefined => {
  const value = params[name]
  const one = typeof value === "string" ? value : value?.at(-1)
  return one === "" ? undefined : one
}

const unknownValue = (name: string, allowed: string) =>
  new BadRequest(`The parameter "${name}" must be ${allowed}.`)

const flag = Effect.fnUntraced(function* (params: Params, name: string) {
  const value = paramValue(params, name)
  if (value === undefined) return undefined
  if (value === "true" || value === "1") return true
  if (value === "false" || value === "0") return false
  return yield* unknownValue(name, "true or false")
})

const collection = Effect.fnUntraced(function* (params: Params) {
  const value = paramValue(params, "collection")
  if (value === undefined) return undefined
  if (value === "none") return null
  if (/^\d{1,15}$/.test(value)) return Number(value)
  return yield* unknownValue("collection", "a collection's number or none")
})

const linkNumber = Effect.fnUntraced(function* (params: Params) {
  const value = paramValue(params, "like")
  if (value === undefined) return undefined
  if (/^[1-9]\d{0,14}$/.test(value)) return Number(value)
  return yield* unknownValue("like", "a link's number")
})

const limit = Effect.fnUntraced(function* (params: Params) {
  const value = paramValue(params, "limit")
  if (value === undefined) return undefined
  const number = /^\d{1,6}$/.test(value) ? Number(value) : 0
  if (number >= 1 && number <= MAX_LIMIT) return number
  return yield* unknownValue("limit", `a number from 1 to ${MAX_LIMIT}`)
})

const sort = Effect.fnUntraced(function* (params: Params) {
  const value = paramValue(params, "sort")
  if (value === undefined) return undefined
  return sorts.find((one) => one === value) ?? (yield* unknownValue("sort", sorts.join(", ")))
})

/**
 * Accepts a "newest" cursor for "relevance" too, because the owner's list without search words answers "relevance" by
 * date.
 */
const continuesByDate = (sort: Sort, order: Sort) =>
  sort === order || (order === "relevance" && sort === "newest")

/** Parses the cursor of a list in this order. */
const cursor = Effect.fnUntraced(function* <C extends { readonly sort: Sort }>(
  params: Params,
  order: Sort,
  decode: (text: string) => Option.Option<C>,
  continues: (sort: Sort, order: Sort) => boolean = (sort, order) => sort === order
) {
  const value = paramValue(params, "cursor")
  if (value === undefined) return undefined
  const found = yield* Effect.mapError(decode(value), () =>
    unknownValue("cursor", "the nextCursor of a page")
  )
  return continues(found.sort, order) ? found : yield* unknownValue("cursor", "of a page in the same order")
})

const named = (params: Params): ReadonlyArray<Filter> => {
  const [category, tag] = [paramValue(params, "category"), paramValue(params, "tag")]
  return [
    ...(category === undefined ? [] : [{ field: "category", value: category, negated: false } as const]),
    ...(tag === undefined ? [] : [{ field: "tag", value: tag.toLowerCase(), negated: false } as const])
  ]
}

/** Parses the parameters of the owner's list. Never rejects a search text; rejects any other unknown value. */
export const listQuery = Effect.fnUntraced(function* (params: Params) {
  const { filters, terms } = parseQuery(paramValue(params, "q") ?? "")
  const like = yield* linkNumber(params)
  const relevant = like !== undefined || terms.some((term) => !term.negated)
  const order = (yield* sort(params)) ?? (relevant ? "relevance" : "newest")
  const query: LinkQuery = {
    terms,
    filters: [...filters, ...named(params)],
    favorite: yield* flag(params, "favorite"),
    shareable: yield* flag(params, "shareable"),
    like,
    collection: yield* collection(params),
    limit: yield* limit(params),
    sort: order,
    cursor: yield* cursor(params, order, decodeCursor, continuesByDate)
  }
  return query
})

/**
 * Parses the parameters of the public list. A link's number, note and marks do not exist there, and a collection is
 * identified only by its name.
 */
export const publicQuery = Effect.fnUntraced(function* (params: Params) {
  const { filters, terms } = parseQuery(paramValue(params, "q") ?? "")
  const filed = paramValue(params, "collection")
  const relevant = terms.some((term) => !term.negated)
  const asked = (yield* sort(params)) ?? "relevance"
  // Without search words, all links are equally relevant.
  const order = asked === "relevance" && !relevant ? "collection" : asked
  const query: PublicQuery = {
    terms,
    filters: [...filters, ...named(params)],
    collection: filed === "none" ? null : filed,
    limit: yield* limit(params),
    sort: order,
    cursor: yield* cursor(params, order, decodePublicCursor)
  }
  return query
})

/** The query parameters of an address; a repeated one has a list of values. */
export type Params = Readonly<Record<string, string | ReadonlyArray<string> | undefined>>

/** Returns the request's query parameters as sent. The router's own parser turns two slashes into one. */
export const searchParams = Effect.map(HttpServerRequest.HttpServerRequest, ({ url }): Params => {
  const query = url.indexOf("?")
  const params = new URLSearchParams(query === -1 ? "" : url.slice(query))
  return Object.fromEntries(
    [...new Set(params.keys())].map((name) => {
      const [first, ...more] = params.getAll(name)
      return [name, more.length === 0 ? first : [first ?? "", ...more]]
    })
  )
})
