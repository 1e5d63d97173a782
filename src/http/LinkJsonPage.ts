import { HttpServerResponse } from "@effect/platform"
import { Chunk, Effect, Stream } from "effect"
import type { LinkQuery } from "../domain/LinkQuery.ts"
import { isSearch, type SearchLinks } from "../library/SearchLinks.ts"
import type { Audience } from "../store/Matching.ts"
import { encodeCursor } from "./Cursor.ts"
import { listQuery } from "./ListParams.ts"
import { searchParams } from "./SearchParams.ts"

/** Up to this many links are answered in one piece; more are streamed. */
const ONE_PIECE = 1_000

const json = { contentType: "application/json" }

/** Answers a list request: the store writes each link's JSON, and here it is only joined. */
export const linkJsonPage = Effect.fnUntraced(function* (list: SearchLinks["Type"], audience: Audience) {
  const params = yield* searchParams
  // The public list's page and its interface are in the same order at the same address.
  const query = yield* listQuery(params, {
    audience,
    unsearched: audience === "public" ? "collection" : "newest"
  })
  if (query.limit === undefined && !isSearch(query)) {
    const total = yield* list.count(query, audience)
    if (total > ONE_PIECE) return streamed(list, query, audience, total)
  }
  return HttpServerResponse.text(yield* pageJson(list, query, audience), json)
})

/** One page as JSON text. */
export const pageJson = Effect.fnUntraced(function* (
  list: SearchLinks["Type"],
  query: LinkQuery,
  audience: Audience
) {
  const { highlights, links, next, total } = yield* list.page(query, audience)
  const cursor = next === null ? "null" : `"${encodeCursor(next, audience)}"`
  const marked = highlights === undefined ? "" : `,"highlights":${JSON.stringify(highlights)}`
  return `{"links":[${links.join(",")}],"total":${total},"nextCursor":${cursor}${marked}}`
})

const streamed = (list: SearchLinks["Type"], query: LinkQuery, audience: Audience, total: number) => {
  const links = list.all(query, audience).pipe(
    Stream.chunks,
    Stream.map(Chunk.join(",")),
    Stream.filter((text) => text !== ""),
    Stream.intersperse(",")
  )
  const text = Stream.make(`{"links":[`).pipe(
    Stream.concat(links),
    Stream.concat(Stream.make(`],"total":${total},"nextCursor":null}`))
  )
  return HttpServerResponse.stream(Stream.encodeText(text), json)
}
