import { Schema } from "effect"
import type { EmbedderInUse, Neighbour } from "../domain/Embedding.ts"
import { ours } from "../domain/Ours.ts"
import type { DuplicateStep } from "./DuplicateSearch.ts"
import type { FilingStep } from "./FilingPlan.ts"
import type { RankedPage, RankRequest } from "./Ranking.ts"

/** Opens the library at this path, before anything is asked of it. */
export class Open extends Schema.TaggedRequest<Open>()("InitialMessage", {
  failure: Schema.Never,
  success: Schema.Void,
  payload: { filename: Schema.String }
}) {}

export class Rank extends Schema.TaggedRequest<Rank>()("Rank", {
  failure: Schema.Never,
  success: ours<RankedPage>(),
  payload: { request: ours<RankRequest>() }
}) {}

export class Nearest extends Schema.TaggedRequest<Nearest>()("Nearest", {
  failure: Schema.Never,
  success: ours<ReadonlyArray<Neighbour>>(),
  payload: { embedder: ours<EmbedderInUse>(), vector: ours<Float32Array>(), k: Schema.Int }
}) {}

export class PlanFiling extends Schema.TaggedRequest<PlanFiling>()("PlanFiling", {
  failure: Schema.Never,
  success: ours<FilingStep>(),
  payload: { embedder: ours<EmbedderInUse>() }
}) {}

export class FindDuplicates extends Schema.TaggedRequest<FindDuplicates>()("FindDuplicates", {
  failure: Schema.Never,
  success: ours<DuplicateStep>(),
  payload: { embedder: ours<EmbedderInUse | null>() }
}) {}

/** What the reading thread is asked: the methods of `Reader`. */
export const ReaderRequest = Schema.Union(Open, Rank, Nearest, PlanFiling, FindDuplicates)
export type ReaderRequest = typeof ReaderRequest.Type
