import { HttpServerRequest } from "@effect/platform"
import { Clock, Effect, Either, type Option, ParseResult, Random, Schema } from "effect"
import {
  Cursor,
  isInTrash,
  type LinkQuery,
  PublicCursor,
  type PublicQuery,
  parseQuery
} from "../domain/LinkQuery.ts"
import {
  defaultSort,
  MAX_SEED,
  type Params,
  readListParameters,
  readPublicListParameters,
  type Sort
} from "../shared/ListParameters.ts"
import type { Filter } from "../shared/SearchSyntax.ts"
import { BadRequest } from "./api/Failures.ts"
import { refusedParameter } from "./api/Input.ts"

/** Writes a cursor as the text that a client sends back: base64url of JSON. A cursor has the same form in JSON. */
const cursorCodec = <C>(schema: Schema.Schema<C>, write: (cursor: C) => string = JSON.stringify) => {
  const decode = ParseResult.decodeUnknownEither(Schema.parseJson(schema))
  return {
    encode: (cursor: C): string => Buffer.from(write(cursor)).toString("base64url"),
    decode: (text: string): Option.Option<C> =>
      Either.getRight(decode(Buffer.from(text, "base64url").toString()))
  }
}

export const ownerCursor = cursorCodec(Cursor)
/** The text contains nothing that is not on the public list. */
export const publicCursor = cursorCodec(PublicCursor, ParseResult.encodeSync(Schema.parseJson(PublicCursor)))

/** The owner's list without search words answers "relevance" by date. */
const continuesByDate = (sort: Sort, order: Sort) =>
  sort === order || (order === "relevance" && sort === "newest")

const parseCursor = Effect.fnUntraced(function* <C extends { readonly sort: Sort }>(
  text: string | undefined,
  order: Sort,
  decode: (text: string) => Option.Option<C>,
  continues: (sort: Sort, order: Sort) => boolean = (sort, order) => sort === order
) {
  if (text === undefined) return undefined
  const refuse = (mustBe: string) => new BadRequest(refusedParameter({ name: "cursor", mustBe }))
  const found = yield* Effect.mapError(decode(text), () => refuse("the nextCursor of a page"))
  return continues(found.sort, order) ? found : yield* refuse("from a page in the same order")
})

const named = ({
  category,
  tag
}: {
  readonly category: string | undefined
  readonly tag: string | undefined
}): ReadonlyArray<Filter> => [
  ...(category === undefined ? [] : [{ field: "category", value: category, negated: false } as const]),
  ...(tag === undefined ? [] : [{ field: "tag", value: tag.toLowerCase(), negated: false } as const])
]

/** The order of a list of the trash: the latest deletion first, where an order means nothing there. */
const trashOrder = (asked: Sort): Sort => (asked === "oldest" || asked === "title" ? asked : "newest")

/** The seed of a random order: the cursor's, so that pages fit together, or the one asked for, or another each time. */
const seedFor = (asked: number | undefined, cursor: Cursor | undefined): Effect.Effect<number> => {
  if (cursor?.sort === "random") return Effect.succeed(cursor.seed)
  return asked === undefined ? Random.nextIntBetween(0, MAX_SEED) : Effect.succeed(asked)
}

/** Parses the parameters of the owner's list. Never rejects a search text; rejects any other unknown value. */
export const listQuery = Effect.fnUntraced(function* (params: Params) {
  const {
    refused: [refused],
    values
  } = readListParameters(params)
  if (refused !== undefined) return yield* new BadRequest(refusedParameter(refused))
  const { collection, favorite, like, limit, shareable } = values
  const { filters, terms } = parseQuery(values.q ?? "", yield* Clock.currentTimeMillis)
  const asked = values.sort ?? defaultSort(like !== undefined || terms.some((term) => !term.negated))
  const order = isInTrash({ filters }) ? trashOrder(asked) : asked
  const cursor = yield* parseCursor(values.cursor, order, ownerCursor.decode, continuesByDate)
  const query: LinkQuery = {
    terms,
    filters: [...filters, ...named(values)],
    favorite,
    shareable,
    like,
    collection,
    limit,
    sort: order,
    ...(order === "random" ? { seed: yield* seedFor(values.seed, cursor) } : {}),
    cursor
  }
  return query
})

/** A link's number, note and marks do not exist there; a collection is identified by its name alone. */
export const publicQuery = Effect.fnUntraced(function* (params: Params) {
  const {
    refused: [refused],
    values
  } = readPublicListParameters(params)
  if (refused !== undefined) return yield* new BadRequest(refusedParameter(refused))
  const { filters, terms } = parseQuery(values.q ?? "", yield* Clock.currentTimeMillis)
  const ranked = terms.some((term) => !term.negated)
  const asked = values.sort ?? "relevance"
  // Without search words, all links are equally relevant.
  const order = asked === "relevance" && !ranked ? "collection" : asked
  const query: PublicQuery = {
    terms,
    filters: [...filters, ...named(values)],
    collection: values.collection,
    limit: values.limit,
    sort: order,
    cursor: yield* parseCursor(values.cursor, order, publicCursor.decode)
  }
  return query
})

/** Returns the request's query parameters as sent. The router's own parser keeps a value with one bad escape encoded. */
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
