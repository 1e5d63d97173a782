import { Context, Data, Effect, Layer, Schema, Stream } from "effect"
import type { EmbedderInUse, Neighbour } from "../domain/Enrichment.ts"
import { Health } from "../domain/Health.ts"
import { uncheckedSchema } from "../domain/Schemas.ts"
import {
  type Answering,
  answering,
  makeThread,
  streaming,
  type Thread,
  type ThreadOptions,
  type ThreadUnavailable
} from "../runtime/Thread.ts"
import { FilingStore } from "../store/links/CollectionStore.ts"
import { LinkList } from "../store/links/LinkList.ts"
import { MatchMarks } from "../store/search/MatchMarks.ts"
import { RankedText } from "../store/search/RankedText.ts"
import { VectorStore } from "../store/vectors/VectorStore.ts"
import { DuplicateSearch, type DuplicateStep } from "./DuplicateSearch.ts"
import { FilingPlan, type FilingStep } from "./FilingPlan.ts"
import { type RankedPage, Ranking, type RankRequest } from "./Ranking.ts"
import { VectorIndex } from "./VectorIndex.ts"

/** The thread that searches cannot answer: it died twice, takes too long, or has too many requests. */
export class ReaderUnavailable extends Schema.TaggedError<ReaderUnavailable>()("ReaderUnavailable", {
  reason: Schema.Literal("died", "slow", "busy")
}) {
  override get message() {
    return "Search is not available right now. Try again in a minute."
  }
}

/**
 * Everything that reads much of the library at once: searches, the semantic index, plans over all links.
 *
 * It can live in this thread or in one of its own, which leaves the event loop to requests.
 */
export class Reader extends Context.Tag("Reader")<
  Reader,
  {
    readonly rank: (request: RankRequest) => Effect.Effect<RankedPage, ReaderUnavailable>
    /** The `k` links nearest to a unit vector of this embedder, best first. */
    readonly nearest: (
      embedder: EmbedderInUse,
      vector: Float32Array,
      k: number
    ) => Effect.Effect<ReadonlyArray<Neighbour>, ReaderUnavailable>
    /** Where the unfiled links belong: steps of progress, then the plan. Changes nothing. */
    readonly planFiling: (embedder: EmbedderInUse) => Stream.Stream<FilingStep, ReaderUnavailable>
    /** Which links are the same or nearly: steps of progress, then the groups. */
    readonly findDuplicates: (
      embedder: EmbedderInUse | null
    ) => Stream.Stream<DuplicateStep, ReaderUnavailable>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const ranking = yield* Ranking
      const index = yield* VectorIndex
      const filing = yield* FilingPlan
      const duplicates = yield* DuplicateSearch
      return {
        rank: ranking.page,
        nearest: index.nearest,
        planFiling: filing.plan,
        findDuplicates: duplicates.find
      }
    })
  )
}

export class Rank extends Schema.TaggedRequest<Rank>()("Rank", {
  failure: ReaderUnavailable,
  success: uncheckedSchema<RankedPage>(),
  payload: { request: uncheckedSchema<RankRequest>() }
}) {}

export class Nearest extends Schema.TaggedRequest<Nearest>()("Nearest", {
  failure: ReaderUnavailable,
  success: uncheckedSchema<ReadonlyArray<Neighbour>>(),
  payload: {
    embedder: uncheckedSchema<EmbedderInUse>(),
    vector: uncheckedSchema<Float32Array>(),
    k: Schema.Int
  }
}) {}

export class PlanFiling extends Schema.TaggedRequest<PlanFiling>()("PlanFiling", {
  failure: ReaderUnavailable,
  success: uncheckedSchema<FilingStep>(),
  payload: { embedder: uncheckedSchema<EmbedderInUse>() }
}) {}

export class FindDuplicates extends Schema.TaggedRequest<FindDuplicates>()("FindDuplicates", {
  failure: ReaderUnavailable,
  success: uncheckedSchema<DuplicateStep>(),
  payload: { embedder: uncheckedSchema<EmbedderInUse | null>() }
}) {}

/** The requests of the reader's thread: the methods of `Reader`. */
export const ReaderRequest = Schema.Union(Rank, Nearest, PlanFiling, FindDuplicates)
export type ReaderRequest = typeof ReaderRequest.Type

/** Answers a request of the thread with this reader. */
export const answerReading =
  (reader: Reader["Type"]) =>
  (request: ReaderRequest): Answering => {
    switch (request._tag) {
      case "Rank":
        return answering(request, reader.rank(request.request))
      case "Nearest":
        return answering(request, reader.nearest(request.embedder, request.vector, request.k))
      case "PlanFiling":
        return streaming(request, reader.planFiling(request.embedder))
      case "FindDuplicates":
        return streaming(request, reader.findDuplicates(request.embedder))
    }
  }

/** How long loading a large library's index may take. */
const START = "2 minutes"
/** How long a search may take. */
const SEARCH = "20 seconds"
/** How long a plan may work between two of its steps. */
const STEP = "10 minutes"

/** The search thread did not start, so the service cannot. */
export class ReaderNotStarted extends Data.TaggedError("ReaderNotStarted")<{ readonly reason: string }> {
  override get message() {
    return `The search thread did not start: ${this.reason}`
  }
}

const notStarted = ({ detail, reason }: ThreadUnavailable) =>
  new ReaderNotStarted({
    reason: detail ?? (reason === "slow" ? `it was not ready after ${START}.` : "it died. The log says more.")
  })

/** Logs why the thread cannot answer, and fails with the error that callers know. */
const orUnavailable = ({ detail, reason }: ThreadUnavailable) =>
  Effect.zipRight(
    Effect.logWarning("The search thread cannot answer", { reason, detail }),
    new ReaderUnavailable({ reason })
  )

/**
 * The reader in separate threads: one for searches, which is ready before the layer is, and one for each plan, which ends
 * with the plan. Neither requests nor searches wait for a plan. `spawn` starts a thread that answers `ReaderRequest`.
 */
export const layer = (spawn: () => Worker) =>
  Layer.scoped(
    Reader,
    Effect.gen(function* () {
      const health = yield* Health
      const options: ThreadOptions = { name: "search", spawn, starting: START, most: 1_000, patience: SEARCH }
      const searches = yield* makeThread({
        ...options,
        onChange: (isAnswering) => health.set("search", !isAnswering)
      })
      yield* Effect.mapError(searches.start, notStarted)

      const planning = makeThread({ ...options, name: "plan", patience: STEP })
      /** A thread for one stream, which ends with it. */
      const alone = <A>(work: (thread: Thread) => Stream.Stream<A, ReaderUnavailable | ThreadUnavailable>) =>
        Stream.unwrapScoped(Effect.map(planning, work)).pipe(
          Stream.catchTag("ThreadUnavailable", (error) => Stream.fromEffect(orUnavailable(error)))
        )
      const search = <A>(asked: Effect.Effect<A, ReaderUnavailable | ThreadUnavailable>) =>
        Effect.catchTag(asked, "ThreadUnavailable", orUnavailable)

      // Progress may come twice; moves and groups may not.
      const isProgress = ({ type }: { readonly type: string }) => type === "progress"
      return {
        rank: (request) => search(searches.ask(new Rank({ request }))),
        nearest: (embedder, vector, k) => search(searches.ask(new Nearest({ embedder, k, vector }))),
        planFiling: (embedder) => alone((thread) => thread.stream(new PlanFiling({ embedder }), isProgress)),
        findDuplicates: (embedder) =>
          alone((thread) => thread.stream(new FindDuplicates({ embedder }), isProgress))
      }
    })
  )

/** What reads much of the library at once, over one database connection. */
export const readerLayer = Reader.layer.pipe(
  Layer.provide([Ranking.layer, FilingPlan.layer, DuplicateSearch.layer]),
  Layer.provide(VectorIndex.layer),
  Layer.provide([LinkList.layer, MatchMarks.layer, RankedText.layer, FilingStore.layer, VectorStore.layer])
)
