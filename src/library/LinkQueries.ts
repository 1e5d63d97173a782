import { Array, Clock, DateTime, Effect, Option } from "effect"
import type { LinkId } from "../domain/Link.ts"
import { resolvePeriod } from "../domain/LinkQuery.ts"
import { Service } from "../runtime/Services.ts"
import { Reader } from "../search/Reader.ts"
import { ChangeStore } from "../store/links/ChangeStore.ts"
import { FacetStore, type Facets } from "../store/links/CollectionStore.ts"
import { LinkList } from "../store/links/LinkList.ts"
import { LinkStore } from "../store/links/LinkStore.ts"
import type { Period } from "../store/links/StatisticsStore.ts"
import { TrashStore } from "../store/links/TrashStore.ts"
import { SnapshotStore } from "../store/pages/SnapshotStore.ts"
import { Embeddings } from "./Embeddings.ts"
import { LikelyTags } from "./LikelyTags.ts"

/** As periods of the search. */
const SINCE = { week: "7d", month: "30d" }
const WEEKS = 52
const TOP = 20
const MAX_HISTORY = 50

/** Oldest first; the current week is the last. */
const lastWeeks = (now: DateTime.Utc): ReadonlyArray<Period> => {
  const monday = DateTime.startOf(now, "week", { weekStartsOn: 1 })
  return Array.makeBy(WEEKS, (index) => {
    const from = DateTime.subtract(monday, { weeks: WEEKS - 1 - index })
    return [DateTime.formatIso(from), DateTime.formatIso(DateTime.add(from, { weeks: 1 }))]
  })
}

const make = Effect.gen(function* () {
  const { facets } = yield* FacetStore
  const links = yield* LinkStore
  const list = yield* LinkList
  const trash = yield* TrashStore
  const reader = yield* Reader
  const embeddings = yield* Embeddings
  const changes = yield* ChangeStore
  const likely = yield* LikelyTags
  const snapshots = yield* SnapshotStore

  /** As a search for `added:` counts them. */
  const savedIn = Effect.fnUntraced(function* (period: string) {
    const filter = resolvePeriod(
      { field: "added", value: period, negated: false },
      yield* Clock.currentTimeMillis
    )
    return yield* list.count({ terms: [], filters: [filter], sort: "newest" })
  })

  const countsOf = Effect.fnUntraced(function* (found: Facets) {
    return {
      links: found.total,
      favorites: found.favorites,
      shared: found.shareable,
      collections: found.collections.length,
      categories: found.categories.length,
      unfiled: found.uncollected,
      pagesToRead: found.unread,
      states: found.states,
      trash: found.trash,
      savedThisWeek: yield* savedIn(SINCE.week),
      savedThisMonth: yield* savedIn(SINCE.month)
    }
  })

  const collections = Effect.map(facets, (found) => [...found.collections].sort((a, b) => b.count - a.count))

  return {
    /** In the library or in the trash. */
    getAnywhere: (id: LinkId) =>
      Effect.catchAll(links.get(id), (missing) =>
        Effect.flatMap(trash.getAll([id]), ([link]) => (link === undefined ? missing : Effect.succeed(link)))
      ),
    details: Effect.fn("LinkQueries.details")(function* (id: LinkId) {
      const link = yield* links.get(id)
      return {
        link,
        ...(yield* links.details(id)),
        history: yield* changes.history(id, MAX_HISTORY),
        likelyTags: yield* likely.of(link),
        snapshotAt: Option.getOrNull(Option.map(yield* snapshots.about(id), ({ savedAt }) => savedAt)),
        earlierSnapshots: yield* snapshots.earlier(id)
      }
    }),
    /** Uniformly at random; none in an empty library. */
    random: Effect.map(
      Effect.flatMap(list.random, (id) => links.getAll(Option.toArray(id))),
      Array.head
    ),
    collections,
    /** `pagesToRead` are imported links whose pages are still to be read. */
    counts: Effect.flatMap(facets, countsOf).pipe(Effect.withSpan("LinkQueries.counts")),
    /**
     * The weeks begin on Monday at 0:00 UTC, the oldest first; the top lists have those with the most links. `incomplete`
     * links lack a part, because a source failed. Sizes are in bytes, those of pages without their pictures.
     */
    statistics: Effect.gen(function* () {
      const found = yield* facets
      const embedder = yield* embeddings.inUse
      const periods = lastWeeks(yield* DateTime.now)
      const counted = yield* reader.count({
        periods,
        sites: TOP,
        embedder: Option.getOrNull(Option.map(embedder, ({ id }) => id))
      })
      return {
        ...(yield* countsOf(found)),
        incomplete: counted.incomplete,
        weeks: periods.map(([from], index) => ({ from, saved: counted.saved[index] ?? 0 })),
        top: {
          sites: counted.sites,
          tags: found.tags.slice(0, TOP),
          categories: found.categories.slice(0, TOP),
          collections: (yield* collections).slice(0, TOP)
        },
        embeddings: {
          embedder: Option.match(embedder, { onNone: () => embeddings.name, onSome: ({ name }) => name }),
          done: counted.embedded,
          waiting: counted.unembedded
        },
        pages: {
          kept: counted.keptPages,
          versions: counted.pageVersions,
          missing: counted.missingPages
        },
        size: {
          database: counted.databaseBytes,
          vectors: counted.vectorBytes,
          pages: counted.pageBytes
        }
      }
    }).pipe(Effect.withSpan("LinkQueries.statistics"))
  }
})

export class LinkQueries extends Service<LinkQueries>()("LinkQueries", make) {}

export type Counts = Effect.Effect.Success<LinkQueries["Type"]["counts"]>
