import { Schema } from "effect"
import type { EmbedderInUse, Neighbour } from "../domain/Embedding.ts"
import { ours } from "../domain/Ours.ts"
import { type Answering, answering, streaming } from "../runtime/Thread.ts"
import type { DuplicateStep } from "./DuplicateSearch.ts"
import type { FilingStep } from "./FilingPlan.ts"
import type { RankedPage, RankRequest } from "./Ranking.ts"
import { type Reader, ReaderUnavailable } from "./Reader.ts"

export class Rank extends Schema.TaggedRequest<Rank>()("Rank", {
  failure: ReaderUnavailable,
  success: ours<RankedPage>(),
  payload: { request: ours<RankRequest>() }
}) {}

export class Nearest extends Schema.TaggedRequest<Nearest>()("Nearest", {
  failure: ReaderUnavailable,
  success: ours<ReadonlyArray<Neighbour>>(),
  payload: { embedder: ours<EmbedderInUse>(), vector: ours<Float32Array>(), k: Schema.Int }
}) {}

export class PlanFiling extends Schema.TaggedRequest<PlanFiling>()("PlanFiling", {
  failure: ReaderUnavailable,
  success: ours<FilingStep>(),
  payload: { embedder: ours<EmbedderInUse>() }
}) {}

export class FindDuplicates extends Schema.TaggedRequest<FindDuplicates>()("FindDuplicates", {
  failure: ReaderUnavailable,
  success: ours<DuplicateStep>(),
  payload: { embedder: ours<EmbedderInUse | null>() }
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
