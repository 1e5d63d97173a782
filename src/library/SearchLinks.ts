import { Context, Effect, Layer, Option, type Stream } from "effect"
import type { Highlights, LinkQuery } from "../domain/LinkQuery.ts"
import { normalizeUrl, parseWebUrl } from "../domain/WebUrl.ts"
import type { Meaning } from "../search/Ranking.ts"
import { Reader, type ReaderUnavailable } from "../search/Reader.ts"
import { LinkList, type LinkPage } from "../store/links/LinkList.ts"
import { Measure } from "../telemetry/Metrics.ts"
import { Embeddings } from "./Embeddings.ts"

/** A page of links; where words were searched for, with where they stand in each. */
interface SearchPage extends LinkPage {
  readonly highlights?: ReadonlyArray<Highlights>
}

/** How near a link must be to words to be found by meaning alone, and to another link to be called like it: shares of the threshold. */
const WORDS_FLOOR = 0.65
const LIKE_FLOOR = 0.5

/** Lists links in an order, or searches them by words and by meaning. */
export class SearchLinks extends Context.Tag("SearchLinks")<
  SearchLinks,
  {
    /** A page of links. Only a search in the order of relevance can be unavailable. */
    readonly page: (query: LinkQuery) => Effect.Effect<SearchPage, ReaderUnavailable>
    readonly count: (query: LinkQuery) => Effect.Effect<number>
    /** Every link of a query that asks for no relevance, in chunks. */
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
        const embedded = yield* embeddings.query(text)
        return Option.match(embedded, {
          onNone: () => null,
          onSome: ({ embedder, vector }): Meaning => ({
            embedder,
            vector,
            floor: WORDS_FLOOR * embedder.threshold
          })
        })
      })

      const search = Effect.fn("SearchLinks.search")(function* (query: LinkQuery) {
        const text = query.terms
          .filter((term) => !term.negated)
          .map((term) => term.text)
          .join(" ")
        const address = Option.map(parseWebUrl(text), normalizeUrl)
        return yield* reader.rank({
          query,
          text,
          address: Option.getOrNull(address),
          meaning: yield* meaningOf(query, text)
        })
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

/** Whether a query is answered in the order of relevance, which takes something to be relevant to. */
export const isSearch = ({ like, sort, terms }: LinkQuery): boolean =>
  sort === "relevance" && (like !== undefined || terms.some((term) => !term.negated))
