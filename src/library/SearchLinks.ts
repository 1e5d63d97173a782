import { Effect, Option, Schema, Stream } from "effect"
import { DEFAULT_SEARCH_PAGES, Setting } from "../config/Configuration.ts"
import { Link } from "../domain/Link.ts"
import { type Highlights, isBroad, isInTrash, type LinkQuery } from "../domain/LinkQuery.ts"
import { Service } from "../runtime/Services.ts"
import { typedText } from "../search/Fusion.ts"
import type { Meaning } from "../search/MeaningSearch.ts"
import type { Match } from "../search/Ranking.ts"
import { Reader, type ReaderUnavailable } from "../search/Reader.ts"
import { LinkList, type LinkPage } from "../store/links/LinkList.ts"
import { TrashList } from "../store/links/TrashList.ts"
import { Measure } from "../telemetry/Metrics.ts"
import { Embeddings } from "./Embeddings.ts"

/** A search by words adds their positions in each link. */
interface SearchPage extends LinkPage {
  readonly highlights?: ReadonlyArray<Highlights>
  /** If all were found by meaning, `likeness` has each similarity as a share of the embedder's threshold. */
  readonly match?:
    | { readonly by: "words" | "some" }
    | { readonly by: "meaning"; readonly likeness: ReadonlyMap<number, number> }
  /** The words that were searched for instead of words that no link contains. */
  readonly also?: ReadonlyArray<string>
  /** False for a search whose vector was not available. */
  readonly isComplete?: boolean
}

/** Without the note, because e-readers list these links too. */
const KeptLink = Link.pick(
  ...(["id", "url", "host", "title", "author", "siteName", "summary", "description", "category"] as const),
  ...(["language", "publishedAt", "createdAt", "kept"] as const)
)
export type KeptLink = typeof KeptLink.Type

const decodeKept = Schema.decodeSync(Schema.parseJson(KeptLink))

/** Links searched for a kept page, and read at a time. */
const MAX_SEARCHED = 2_000
const READ_AT_ONCE = 200

/** Of similar links, as a share of the embedder's threshold. */
const LIKE_FLOOR = 0.5

const make = Effect.gen(function* () {
  const list = yield* LinkList
  const reader = yield* Reader
  const trash = yield* TrashList
  const embeddings = yield* Embeddings

  /** Unless the query asks for archived links, or none is archived. */
  const withoutArchived = (query: LinkQuery): Effect.Effect<LinkQuery> =>
    isBroad(query)
      ? Effect.map(list.hasArchived, (hideArchived) => (hideArchived ? { ...query, hideArchived } : query))
      : Effect.succeed(query)

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
      onSome: (one): Meaning => ({
        embedder: one.embedder,
        vector: one.vector,
        floor: embeddings.searchFloor(one.embedder),
        someWordsWeight: embeddings.someWordsWeight(one)
      })
    })
  })

  const search = Effect.fn("SearchLinks.search")(function* (query: LinkQuery, waits: boolean) {
    const { text } = typedText(query.terms)
    const isComplete =
      waits || query.like !== undefined || ((yield* reader.isLoaded) && (yield* embeddings.isAtHand(text)))
    const pages = yield* Effect.orElseSucceed(Setting.searchPages.config, () => DEFAULT_SEARCH_PAGES)
    const meaning = isComplete ? yield* meaningOf(query, text) : null
    const page = yield* reader.rank({ query, pages, meaning })
    const threshold = meaning === null ? 1 : embeddings.searchThreshold(meaning.embedder)
    return { ...page, isComplete, match: matchOf(page.match, threshold) }
  })

  /** Unless it `waits`, a search whose vector is not at hand uses its words alone. */
  const pageOf = (given: LinkQuery, waits = true): Effect.Effect<SearchPage, ReaderUnavailable> =>
    isInTrash(given)
      ? trash.page(given)
      : Effect.flatMap(withoutArchived(given), (query) =>
          isSearch(query)
            ? Effect.zipRight(
                Measure.searches.count("owner"),
                Measure.searchDuration.timed()(search(query, waits))
              )
            : list.page(query)
        )

  /** Among the first 2,000 of a list; none in the trash. `next` is where the search stopped; null at the end. */
  const kept = Effect.fn("SearchLinks.kept")(function* (query: LinkQuery, limit: number) {
    const links: Array<KeptLink> = []
    if (isInTrash(query)) return { links, next: null }
    let next = query.cursor ?? null
    for (let searched = 0; searched < MAX_SEARCHED; searched += READ_AT_ONCE) {
      const page = yield* pageOf({ ...query, limit: READ_AT_ONCE, cursor: next ?? undefined })
      links.push(...page.links.map((json) => decodeKept(json)).filter((link) => link.kept))
      next = page.next
      if (next === null || links.length >= limit) break
    }
    return { links: links.slice(0, limit), next }
  })

  return {
    kept,
    count: (query: LinkQuery) =>
      isInTrash(query) ? trash.count(query) : Effect.flatMap(withoutArchived(query), list.count),
    /** For queries that are not sorted by relevance. */
    all: (query: LinkQuery) =>
      isInTrash(query) ? trash.all(query) : Stream.unwrap(Effect.map(withoutArchived(query), list.all)),
    page: pageOf
  }
})

/** Archived links are left out unless the query narrows the library; the trash is searched alone. */
export class SearchLinks extends Service<SearchLinks>()("SearchLinks", make) {}

const matchOf = (match: Match, threshold: number): SearchPage["match"] =>
  match.by === "meaning"
    ? {
        by: "meaning",
        likeness: new Map([...match.similarity].map(([id, similarity]) => [id, similarity / threshold]))
      }
    : match

export const isSearch = ({ filters, like, sort, terms }: LinkQuery): boolean =>
  sort === "relevance" &&
  !isInTrash({ filters }) &&
  (like !== undefined || terms.some((term) => !term.negated))
