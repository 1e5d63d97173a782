import { Context, Effect, Layer, Option, type Stream } from "effect"
import type { Highlights, LinkQuery } from "../domain/LinkQuery.ts"
import { NEAR_FLOOR, typedText } from "../search/Fusion.ts"
import type { Meaning } from "../search/Ranking.ts"
import { Reader, type ReaderUnavailable } from "../search/Reader.ts"
import { LinkList, type LinkPage } from "../store/links/LinkList.ts"
import { Measure } from "../telemetry/Metrics.ts"
import { Embeddings } from "./Embeddings.ts"

/** A page of links; a search by words adds the positions of the words in each link. */
interface SearchPage extends LinkPage {
  readonly highlights?: ReadonlyArray<Highlights>
}

/** Minimum similarity of a link listed as similar to another one, as a share of the embedder's threshold. */
const LIKE_FLOOR = 0.5

/** Lists links in an order, searches them by words and meaning, and counts the matches. */
export class SearchLinks extends Context.Tag("SearchLinks")<
  SearchLinks,
  {
    /** Returns a page of links. Only a search by relevance can be unavailable. */
    readonly page: (query: LinkQuery) => Effect.Effect<SearchPage, ReaderUnavailable>
    readonly count: (query: LinkQuery) => Effect.Effect<number>
    /** Streams every link of a query that is not sorted by relevance, in chunks. */
    readonly all: (query: LinkQuery) => Stream.Stream<string>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const list = yield* LinkList
      const reader = yield* Reader
      const embeddings = yield* Embeddings

      const meaningOf = Effect.fnUntraced(function* ({ like }: LinkQuery, text: string) {
        if (like !== undefined) {
          const inUse = yield* embeddings.inUse
          return Option.match(inUse, {
            onNone: () => null,
            onSome: (embedder): Meaning => ({
              embedder,
              vector: null,
              floor: LIKE_FLOOR * embedder.threshold
            })
          })
        }
        const embedded = yield* embeddings.embedQuery(text)
        return Option.match(embedded, {
          onNone: () => null,
          onSome: ({ embedder, vector }): Meaning => ({
            embedder,
            vector,
            floor: NEAR_FLOOR * embedder.threshold
          })
        })
      })

      const search = Effect.fn("SearchLinks.search")(function* (query: LinkQuery) {
        const { text } = typedText(query.terms)
        return yield* reader.rank({ query, meaning: yield* meaningOf(query, text) })
      })

      return {
        count: list.count,
        all: list.all,
        page: (query) =>
          isSearch(query)
            ? Effect.zipRight(Measure.searches.count("owner"), Measure.searchDuration.timed()(search(query)))
            : list.page(query)
      }
    })
  )
}

/** Whether a query is sorted by relevance and has something to rank by. */
export const isSearch = ({ like, sort, terms }: LinkQuery): boolean =>
  sort === "relevance" && (like !== undefined || terms.some((term) => !term.negated))
