import { HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Chunk, Context, Effect, Option, Stream, Tracer } from "effect"
import type { LinkQuery } from "../domain/LinkQuery.ts"
import { isSearch, type SearchLinks } from "../library/SearchLinks.ts"
import { isPublicSearch, type PublicPage, type PublicSearch } from "../search/PublicSearch.ts"
import { type Params, readListParameters } from "../shared/ListParameters.ts"
import { noticesOf } from "../shared/SearchNotices.ts"
import { listQuery, ownerCursor, publicCursor, publicQuery, searchParams } from "./ListQuery.ts"

/** Maximum number of links in a response sent in one piece; a longer list is streamed. */
const MAX_UNSTREAMED = 1_000

const json = { contentType: "application/json" }

/** Whether a search waits for its meaning: by default it does. */
const waitsOf = (params: Params) => readListParameters(params).values.wait ?? true

const pickRequest = Context.pick(HttpServerRequest.HttpServerRequest, Tracer.ParentSpan)

/**
 * Leaves a handler only the request and its span: of all services, which a handler gets from its group, each span and
 * statement would make a copy and compare it.
 */
const withRequestOnly = <A, E>(handler: Effect.Effect<A, E, HttpServerRequest.HttpServerRequest>) =>
  Effect.mapInputContext(handler, (all: Context.Context<HttpServerRequest.HttpServerRequest>) =>
    pickRequest(all)
  )

/** Answers a list request of the owner: the store writes the JSON of each link, which is only joined here. */
export const linkJsonPage = Effect.fnUntraced(function* (list: SearchLinks["Type"]) {
  const params = yield* searchParams
  const query = yield* listQuery(params)
  if (query.limit === undefined && !isSearch(query)) {
    const total = yield* list.count(query)
    if (total > MAX_UNSTREAMED) return streamed(list.all(query), total, noticesIn(params))
  }
  return HttpServerResponse.text(yield* pageJson(list, query, params, waitsOf(params)), json)
}, withRequestOnly)

/** `query` was made of `params`; `waits` says whether a search waits for its meaning. */
export const pageJson = Effect.fnUntraced(function* (
  list: SearchLinks["Type"],
  query: LinkQuery,
  params: Params,
  waits: boolean
) {
  const { next, ...page } = yield* list.page(query, waits)
  return textOf(page, next === null ? null : ownerCursor.encode(next), noticesIn(params, page.also))
})

/** Answers a request of the public list: the whole list, unless the request has search words or a limit. */
export const publicJsonPage = Effect.fnUntraced(function* (search: PublicSearch["Type"]) {
  const params = yield* searchParams
  const query = yield* publicQuery(params)
  const { next, ...page } = yield* search.page(query)
  const named = page.collection === null ? "" : `,"collection":${JSON.stringify(page.collection)}`
  const notices = `${noticesIn(params, page.also)}${named}`
  if (next === null || query.limit !== undefined || isPublicSearch(query))
    return HttpServerResponse.text(
      textOf(page, next === null ? null : publicCursor.encode(next), notices),
      json
    )
  const rest = Stream.paginateChunkEffect(next, (cursor) =>
    Effect.map(search.page({ ...query, cursor }), ({ links, next }) => [
      Chunk.unsafeFromArray([...links]),
      Option.fromNullable(next)
    ])
  )
  return streamed(Stream.concat(Stream.fromIterable(page.links), rest), page.total, notices)
})

interface Page extends Pick<PublicPage, "links" | "total" | "highlights"> {
  readonly isComplete?: boolean
}

/** The notices about the search text, as JSON. */
const noticesIn = ({ q }: Params, also?: ReadonlyArray<string>) =>
  JSON.stringify(typeof q === "string" ? noticesOf(q, also) : [])

const textOf = ({ highlights, isComplete, links, total }: Page, cursor: string | null, notices: string) => {
  const next = cursor === null ? "null" : `"${cursor}"`
  const marked = highlights === undefined ? "" : `,"highlights":${JSON.stringify(highlights)}`
  const left = isComplete === false ? ',"complete":false' : ""
  return `{"links":[${links.join(",")}],"total":${total},"nextCursor":${next}${left}${marked},"notices":${notices}}`
}

const streamed = <E>(links: Stream.Stream<string, E>, total: number, notices: string) => {
  const joined = links.pipe(
    Stream.chunks,
    Stream.map(Chunk.join(",")),
    Stream.filter((text) => text !== ""),
    Stream.intersperse(",")
  )
  const text = Stream.make(`{"links":[`).pipe(
    Stream.concat(joined),
    Stream.concat(Stream.make(`],"total":${total},"nextCursor":null,"notices":${notices}}`))
  )
  return HttpServerResponse.stream(Stream.encodeText(text), json)
}
