import { Context, Effect, Layer, Ref, Schedule, Schema, Stream } from "effect"
import type { EmbedderInUse, Neighbour } from "../domain/Enrichment.ts"
import { Health } from "../domain/Health.ts"
import { pausingBackgroundWork } from "../runtime/Scheduling.ts"
import {
  makeThread,
  type Thread,
  type ThreadOptions,
  type ThreadUnavailable,
  threadOf
} from "../runtime/Thread.ts"
import { serveThread, yieldProcessor } from "../runtime/ThreadWork.ts"
import { readOnly } from "../store/Connection.ts"
import { FilingStore } from "../store/links/CollectionStore.ts"
import { LinkList } from "../store/links/LinkList.ts"
import { type CountRequest, type LinkCounts, StatisticsStore } from "../store/links/StatisticsStore.ts"
import { MatchMarks } from "../store/search/MatchMarks.ts"
import { PageTexts } from "../store/search/PageTexts.ts"
import { RankedText } from "../store/search/RankedText.ts"
import { hasLinks, VectorStore } from "../store/vectors/VectorStore.ts"
import { ComparisonHelper } from "./ComparisonHelper.ts"
import { DuplicateSearch, type DuplicateStep } from "./DuplicateSearch.ts"
import { FilingPlan, type FilingStep } from "./FilingPlan.ts"
import { type RankedPage, Ranking, type RankRequest } from "./Ranking.ts"
import { VectorIndex } from "./VectorIndex.ts"

/** The search thread cannot answer: it died twice, timed out, or has too many requests. */
export class ReaderUnavailable extends Schema.TaggedError<ReaderUnavailable>()("ReaderUnavailable", {
  reason: Schema.Literal("died", "slow", "busy")
}) {
  override get message() {
    return "Search is not available right now. Try again in a minute."
  }
}

/**
 * The operations that read much of the library at once: searches, the semantic index, plans over all links, statistics.
 *
 * Runs in the current thread, or in separate threads, which keeps the event loop free for requests.
 */
export class Reader extends Context.Tag("Reader")<
  Reader,
  {
    /** Loads the semantic index, which the first search would otherwise do. */
    readonly load: Effect.Effect<void, ReaderUnavailable>
    /** Whether the semantic index is loaded, so that no search waits for it. */
    readonly isLoaded: Effect.Effect<boolean>
    readonly rank: (request: RankRequest) => Effect.Effect<RankedPage, ReaderUnavailable>
    /** Returns the `k` links nearest to a unit vector of this embedder, best first. */
    readonly nearest: (
      embedder: EmbedderInUse,
      vector: Float32Array,
      k: number
    ) => Effect.Effect<ReadonlyArray<Neighbour>, ReaderUnavailable>
    /** Plans where the unfiled links belong: emits progress, then the plan. Changes nothing. */
    readonly planFiling: (embedder: EmbedderInUse) => Stream.Stream<FilingStep, ReaderUnavailable>
    /** Finds identical and nearly identical links: emits progress, then the groups. */
    readonly findDuplicates: (
      embedder: EmbedderInUse | null
    ) => Stream.Stream<DuplicateStep, ReaderUnavailable>
    readonly count: (request: CountRequest) => Effect.Effect<LinkCounts, ReaderUnavailable>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const ranking = yield* Ranking
      const index = yield* VectorIndex
      const filing = yield* FilingPlan
      const duplicates = yield* DuplicateSearch
      const statistics = yield* StatisticsStore
      return {
        load: index.load,
        isLoaded: Effect.succeed(true),
        rank: ranking.page,
        nearest: index.nearest,
        planFiling: filing.plan,
        findDuplicates: duplicates.find,
        count: statistics.count
      }
    })
  )
}

/** The reader as a service of a thread. */
const inThread = { tag: Reader, failure: ReaderUnavailable }

const inBackground = <A, E>(plan: Stream.Stream<A, E>) => Stream.unwrap(Effect.as(yieldProcessor, plan))

/** The reader of a thread: its plans leave the processor to requests. */
const threadReader = Layer.effect(
  Reader,
  Effect.map(Reader, (reader) => ({
    ...reader,
    planFiling: (embedder: EmbedderInUse) => inBackground(reader.planFiling(embedder)),
    findDuplicates: (embedder: EmbedderInUse | null) => inBackground(reader.findDuplicates(embedder))
  }))
)

/** Runs the calling thread as a reader of this database, over a read-only connection. */
export const serveReader = (library: string) =>
  serveThread(
    inThread,
    threadReader.pipe(
      Layer.provide(readerLayer),
      Layer.provide([readOnly(library), ComparisonHelper.layer(threadOf("comparison"))])
    )
  )

type ReaderThread = Thread<Reader["Type"], ReaderUnavailable>

/** Timeout for a search. */
const SEARCH = "20 seconds"
/** Timeout between two steps of a plan. */
const STEP = "10 minutes"

/** Logs why the thread cannot answer, then fails with `ReaderUnavailable`. */
const orUnavailable = ({ detail, reason }: ThreadUnavailable) =>
  Effect.zipRight(
    Effect.logWarning("The search thread cannot answer", { reason, detail }),
    new ReaderUnavailable({ reason })
  )

/**
 * Runs the reader in separate threads: one for searches and one per plan, which ends with the plan. Neither requests nor
 * searches wait for a plan. `spawn` starts a thread that calls `serveReader`.
 *
 * The layer does not wait for the semantic index, so that links are saved before it is loaded; until then the service
 * counts as starting. The thread of an empty library starts with the first question.
 */
export const layer = (spawn: () => Worker) =>
  Layer.scoped(
    Reader,
    Effect.gen(function* () {
      const health = yield* Health
      const options: ThreadOptions = { name: "search", spawn, most: 1_000, patience: SEARCH }
      const scope = yield* Effect.scope
      const isAwaited = yield* hasLinks
      const isLoaded = yield* Ref.make(!isAwaited)
      const searches: ReaderThread = yield* makeThread(inThread, {
        ...options,
        // A new thread has no index yet.
        onChange: (isAnswering) =>
          Effect.all(
            [
              Ref.set(isLoaded, false),
              health.set("search", !isAnswering),
              isAnswering ? Effect.forkIn(Effect.ignore(load), scope) : Effect.void
            ],
            { discard: true }
          )
      })
      const planning = makeThread(inThread, { ...options, name: "plan", patience: STEP })
      /** Runs one stream in its own thread, which ends with the stream. */
      const inOwnThread = <A>(
        work: (thread: ReaderThread) => Stream.Stream<A, ReaderUnavailable | ThreadUnavailable>
      ) =>
        Stream.unwrapScoped(Effect.map(planning, work)).pipe(
          Stream.catchTag("ThreadUnavailable", (error) => Stream.fromEffect(orUnavailable(error)))
        )
      const search = <A>(asked: Effect.Effect<A, ReaderUnavailable | ThreadUnavailable>) =>
        Effect.catchTag(asked, "ThreadUnavailable", orUnavailable)
      const load: Effect.Effect<void, ReaderUnavailable> = search(
        Effect.suspend(() => searches.ask("load"))
      ).pipe(
        // A thread that has died loads the index when it is ready again.
        Effect.retry({ while: ({ reason }) => reason !== "died", schedule: Schedule.spaced("1 second") }),
        Effect.zipRight(Ref.set(isLoaded, true))
      )
      if (isAwaited) yield* Effect.forkScoped(health.starting(Effect.ignore(load)))

      // After a restart the thread may repeat progress, but not moves or groups.
      const isProgress = ({ type }: { readonly type: string }) => type === "progress"
      return {
        load,
        isLoaded: Ref.get(isLoaded),
        rank: (request) => pausingBackgroundWork(search(searches.ask("rank", request))),
        nearest: (embedder, vector, k) => search(searches.ask("nearest", embedder, vector, k)),
        planFiling: (embedder) => inOwnThread((thread) => thread.stream(isProgress, "planFiling", embedder)),
        findDuplicates: (embedder) =>
          inOwnThread((thread) => thread.stream(isProgress, "findDuplicates", embedder)),
        count: (request) => search(searches.ask("count", request))
      }
    })
  )

/** The reader in the current thread, over one database connection. */
export const readerLayer = Reader.layer.pipe(
  Layer.provide([Ranking.layer, FilingPlan.layer, DuplicateSearch.layer]),
  Layer.provide(VectorIndex.layer),
  Layer.provide([
    LinkList.layer,
    MatchMarks.layer,
    PageTexts.layer,
    RankedText.layer,
    FilingStore.layer,
    StatisticsStore.layer,
    VectorStore.layer
  ])
)
