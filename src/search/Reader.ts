import { Context, Effect, Layer, Schema, type Stream } from "effect"
import type { EmbedderInUse, Neighbour } from "../domain/Embedding.ts"
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
