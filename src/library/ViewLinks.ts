import { Array, Context, DateTime, Effect, Layer, Option } from "effect"
import type { Link, LinkId, LinkNotFound } from "../domain/Link.ts"
import { FacetStore, type Facets } from "../store/links/CollectionStore.ts"
import { LinkList, RandomLink } from "../store/links/LinkList.ts"
import { LinkStore } from "../store/links/LinkStore.ts"

/** A collection with the number of its links. */
export interface CountedCollection {
  readonly id: number
  readonly name: string
  readonly count: number
}

/** The library in numbers. */
export interface Statistics {
  readonly links: number
  readonly favorites: number
  readonly shared: number
  readonly collections: number
  readonly categories: number
  /** Links in no collection. */
  readonly unfiled: number
  /** Imported links whose pages are still to be read. */
  readonly unread: number
  /** Links saved in the last 7 days, and in the last 30. */
  readonly savedThisWeek: number
  readonly savedThisMonth: number
}

/** The week and the month of the statistics, in days. */
const DAYS = { week: 7, month: 30 }

/** Looks up links by number, the collections, and the library's counts. */
export class ViewLinks extends Context.Tag("ViewLinks")<
  ViewLinks,
  {
    readonly get: (id: LinkId) => Effect.Effect<Link, LinkNotFound>
    /** Returns the links with these numbers in the order given, each once, skipping numbers that do not exist. */
    readonly byIds: (ids: ReadonlyArray<LinkId>) => Effect.Effect<ReadonlyArray<Link>>
    /** Returns links in the order of these numbers, each as JSON text, skipping numbers that do not exist. */
    readonly jsonOf: (ids: ReadonlyArray<LinkId>) => Effect.Effect<ReadonlyArray<string>>
    /** Counts of the library's links by attribute. */
    readonly facets: Effect.Effect<Facets>
    /** A link picked uniformly at random; none in an empty library. */
    readonly random: Effect.Effect<Option.Option<Link>>
    /** All collections, largest first. */
    readonly collections: Effect.Effect<ReadonlyArray<CountedCollection>>
    readonly statistics: Effect.Effect<Statistics>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const { facets } = yield* FacetStore
      const links = yield* LinkStore
      const list = yield* LinkList
      const random = yield* RandomLink

      /** Counts the links saved in the last `days` days. */
      const savedIn = Effect.fnUntraced(function* (days: number) {
        const since = DateTime.formatIso(DateTime.subtract(yield* DateTime.now, { days }))
        return yield* list.count({
          terms: [],
          filters: [{ field: "after", value: since, negated: false }],
          sort: "newest"
        })
      })

      return {
        get: links.get,
        byIds: (ids) => links.getAll([...new Set(ids)]),
        jsonOf: links.jsonOf,
        facets,
        random: Effect.map(
          Effect.flatMap(random.pick, (id) => links.getAll(Option.toArray(id))),
          Array.head
        ),
        collections: Effect.map(facets, ({ collections }) =>
          [...collections].sort((a, b) => b.count - a.count)
        ),
        statistics: Effect.gen(function* () {
          const counts = yield* facets
          return {
            links: counts.total,
            favorites: counts.favorites,
            shared: counts.shareable,
            collections: counts.collections.length,
            categories: counts.categories.length,
            unfiled: counts.uncollected,
            unread: counts.unread,
            savedThisWeek: yield* savedIn(DAYS.week),
            savedThisMonth: yield* savedIn(DAYS.month)
          }
        }).pipe(Effect.withSpan("ViewLinks.statistics"))
      }
    })
  )
}
