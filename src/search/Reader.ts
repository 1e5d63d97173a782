import { Context, Effect, Layer, Ref, Schedule, Schema, Stream } from "effect"
import type { EmbedderInUse, Neighbour } from "../domain/Enrichment.ts"
import { Health } from "../domain/Health.ts"
import { pausingBackgroundWork } from "../runtime/Scheduling.ts"
import {
  makeThread,
  type RequestHandler,
  respondWith,
  respondWithStream,
  type Thread,
  type ThreadOptions,
  type ThreadUnavailable,
  uncheckedSchema,
  yieldProcessor
} from "../runtime/Thread.ts"
import { FilingStore } from "../store/links/CollectionStore.ts"
import { LinkList } from "../store/links/LinkList.ts"
import { type CountRequest, type LinkCounts, StatisticsStore } from "../store/links/StatisticsStore.ts"
import { MatchMarks } from "../store/search/MatchMarks.ts"
import { PageTexts } from "../store/search/PageTexts.ts"
import { RankedText } from "../store/search/RankedText.ts"
import { VectorStore } from "../store/vectors/VectorStore.ts"
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

class Load extends Schema.TaggedRequest<Load>()("Load", {
  failure: ReaderUnavailable,
  success: Schema.Void,
  payload: {}
}) {}

class Rank extends Schema.TaggedRequest<Rank>()("Rank", {
  failure: ReaderUnavailable,
  success: uncheckedSchema<RankedPage>(),
  payload: { request: uncheckedSchema<RankRequest>() }
}) {}

class Nearest extends Schema.TaggedRequest<Nearest>()("Nearest", {
  failure: ReaderUnavailable,
  success: uncheckedSchema<ReadonlyArray<Neighbour>>(),
  payload: {
    embedder: uncheckedSchema<EmbedderInUse>(),
    vector: uncheckedSchema<Float32Array>(),
    k: Schema.Int
  }
}) {}

class PlanFiling extends Schema.TaggedRequest<PlanFiling>()("PlanFiling", {
  failure: ReaderUnavailable,
  success: uncheckedSchema<FilingStep>(),
  payload: { embedder: uncheckedSchema<EmbedderInUse>() }
}) {}

class FindDuplicates extends Schema.TaggedRequest<FindDuplicates>()("FindDuplicates", {
  failure: ReaderUnavailable,
  success: uncheckedSchema<DuplicateStep>(),
  payload: { embedder: uncheckedSchema<EmbedderInUse | null>() }
}) {}

class Count extends Schema.TaggedRequest<Count>()("Count", {
  failure: ReaderUnavailable,
  success: uncheckedSchema<LinkCounts>(),
  payload: { request: uncheckedSchema<CountRequest>() }
}) {}

/** Requests to the reader's thread: the methods of `Reader`. */
export const ReaderRequest = Schema.Union(Load, Rank, Nearest, PlanFiling, FindDuplicates, Count)
export type ReaderRequest = typeof ReaderRequest.Type

const inBackground = <A, E>(plan: Stream.Stream<A, E>) => Stream.unwrap(Effect.as(yieldProcessor, plan))

/** Answers a request to the thread with this reader; a plan leaves the processor to requests. */
export const answerReaderRequest =
  (reader: Reader["Type"]) =>
  (request: ReaderRequest): RequestHandler => {
    switch (request._tag) {
      case "Load":
        return respondWith(request, reader.load)
      case "Rank":
        return respondWith(request, reader.rank(request.request))
      case "Nearest":
        return respondWith(request, reader.nearest(request.embedder, request.vector, request.k))
      case "PlanFiling":
        return respondWithStream(request, inBackground(reader.planFiling(request.embedder)))
      case "FindDuplicates":
        return respondWithStream(request, inBackground(reader.findDuplicates(request.embedder)))
      case "Count":
        return respondWith(request, reader.count(request.request))
    }
  }

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
 * searches wait for a plan. `spawn` starts a thread that answers `ReaderRequest`.
 *
 * The layer does not wait for the semantic index, so that links are saved before it is loaded; until then the service
 * counts as starting.
 */
export const layer = (spawn: () => Worker) =>
  Layer.scoped(
    Reader,
    Effect.gen(function* () {
      const health = yield* Health
      const options: ThreadOptions = { name: "search", spawn, most: 1_000, patience: SEARCH }
      const scope = yield* Effect.scope
      const isLoaded = yield* Ref.make(false)
      const searches: Thread = yield* makeThread({
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
      const planning = makeThread({ ...options, name: "plan", patience: STEP })
      /** Runs one stream in its own thread, which ends with the stream. */
      const inOwnThread = <A>(
        work: (thread: Thread) => Stream.Stream<A, ReaderUnavailable | ThreadUnavailable>
      ) =>
        Stream.unwrapScoped(Effect.map(planning, work)).pipe(
          Stream.catchTag("ThreadUnavailable", (error) => Stream.fromEffect(orUnavailable(error)))
        )
      const search = <A>(asked: Effect.Effect<A, ReaderUnavailable | ThreadUnavailable>) =>
        Effect.catchTag(asked, "ThreadUnavailable", orUnavailable)
      const load: Effect.Effect<void, ReaderUnavailable> = search(
        Effect.suspend(() => searches.ask(new Load()))
      ).pipe(
        // A thread that has died loads the index when it is ready again.
        Effect.retry({ while: ({ reason }) => reason !== "died", schedule: Schedule.spaced("1 second") }),
        Effect.zipRight(Ref.set(isLoaded, true))
      )
      yield* Effect.forkScoped(health.starting(Effect.ignore(load)))

      // After a restart the thread may repeat progress, but not moves or groups.
      const isProgress = ({ type }: { readonly type: string }) => type === "progress"
      return {
        load,
        isLoaded: Ref.get(isLoaded),
        rank: (request) => pausingBackgroundWork(search(searches.ask(new Rank({ request })))),
        nearest: (embedder, vector, k) => search(searches.ask(new Nearest({ embedder, k, vector }))),
        planFiling: (embedder) =>
          inOwnThread((thread) => thread.stream(new PlanFiling({ embedder }), isProgress)),
        findDuplicates: (embedder) =>
          inOwnThread((thread) => thread.stream(new FindDuplicates({ embedder }), isProgress)),
        count: (request) => search(searches.ask(new Count({ request })))
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
