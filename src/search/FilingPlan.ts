import { Array as Arr, Context, Effect, Layer, type Stream } from "effect"
import { type EmbedderInUse, type Neighbour, rounded } from "../domain/Enrichment.ts"
import { clusters } from "../organize/Clusters.ts"
import { CollectionNamer, TakenNames } from "../organize/CollectionName.ts"
import { LibraryWords } from "../organize/LibraryWords.ts"
import { groupingThreshold } from "../organize/Likeness.ts"
import { bestCollection, groupScore, isSureInGroup, rankCollections } from "../organize/Vote.ts"
import { yieldToEventLoop } from "../runtime/Scheduling.ts"
import { FilingStore } from "../store/links/CollectionStore.ts"
import { ComparisonHelper, compareVectorsWithHelp } from "./ComparisonHelper.ts"
import { type Compared, findSimilarLinks, mixedVectors } from "./SimilarLinks.ts"
import { eachRow, makeProgress, type Progress, streamOfSteps } from "./Steps.ts"
import { VectorIndex } from "./VectorIndex.ts"

/** A link, the collection it belongs in, and the links that it is filed with, most similar first. */
export interface Move {
  readonly id: number
  /** Name of the collection. */
  readonly to: string
  readonly because: ReadonlyArray<Neighbour>
  readonly similarity: number
  /** Whether about 85 of 100 such moves are correct. */
  readonly isSure: boolean
}

/** A collection that does not exist yet. */
export interface NewCollection {
  readonly name: string
  /** Number of links that move there. */
  readonly size: number
  /** Up to six of them, the most similar to the others first. */
  readonly typical: ReadonlyArray<number>
}

/** Progress, a batch of moves, or the end of the plan with the collections that do not exist yet. */
export type FilingStep =
  | Progress
  | { readonly type: "moves"; readonly moves: ReadonlyArray<Move> }
  | { readonly type: "end"; readonly formed: ReadonlyArray<NewCollection> }

const LEAST_GROUP = 3
const REASONS = 3
const MOVES_AT_ONCE = 500
/** Links by which the model names a group. */
const TYPICAL = 6
/** Share of the work spent on comparing vectors, and on that and all else that finds similar links. */
const COMPARING = 0.6
const SEARCHING = 0.8

/** Plans where the unfiled links belong: first into existing collections, then into new ones. Changes nothing. */
export class FilingPlan extends Context.Tag("FilingPlan")<
  FilingPlan,
  { readonly plan: (embedder: EmbedderInUse) => Stream.Stream<FilingStep> }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const index = yield* VectorIndex
      const store = yield* FilingStore
      const helper = yield* ComparisonHelper

      /** Reads the words of every link, to compare links and to name groups. */
      const countWords = Effect.gen(function* () {
        const words = new LibraryWords()
        const namer = new CollectionNamer(words)
        yield* eachRow(store.profiles, (profile) => {
          words.add(profile.id, profile)
          namer.add(profile)
        })
        return { namer, words }
      })

      const work = Effect.fnUntraced(function* (
        embedder: EmbedderInUse,
        emit: (step: FilingStep) => Effect.Effect<void>
      ) {
        const { threshold } = embedder
        const unfiled = yield* store.unfiled
        const total = unfiled.length
        const progress = makeProgress(total, emit)
        const matrix = yield* index.matrix(embedder)
        const memberships = yield* store.memberships
        const refusals = yield* store.refusals

        // The words are read while another thread may already compare the vectors.
        const [byVector, { namer, words }] = yield* Effect.all(
          [
            compareVectorsWithHelp(
              { embedder, matrix },
              unfiled,
              (share) => progress(COMPARING * share),
              helper
            ),
            countWords
          ],
          { concurrency: "unbounded" }
        )
        const compared: Compared = { embedder, matrix, words }
        const near = yield* findSimilarLinks(compared, unfiled, byVector, (share) =>
          progress(COMPARING + (SEARCHING - COMPARING) * share)
        )
        const remaining = new Set(unfiled)

        const names = new Map((yield* store.collections).map(({ id, name }) => [id, name]))
        const moves: Array<Move> = []
        const move = (one: Move) => {
          remaining.delete(one.id)
          const because = one.because.slice(0, REASONS).map(rounded)
          moves.push({ ...one, ...rounded(one), because })
        }
        /** The link's neighbours with the collections they are in, except those that the owner refused for the link. */
        const votersOf = (id: number) => {
          const refused = refusals.get(id) ?? []
          return near.of(id).map((one) => {
            const collection = memberships.get(one.id) ?? null
            return {
              ...one,
              collection: collection !== null && refused.includes(collection) ? null : collection
            }
          })
        }
        for (const id of unfiled) {
          const best = bestCollection(votersOf(id), threshold)
          if (best === undefined) continue
          const { because, collection, isSure, score } = best
          move({ id, to: names.get(collection) ?? "", because, similarity: score, isSure })
        }

        const grouping = clusters({
          ids: [...remaining],
          ...mixedVectors(compared),
          neighboursOf: (id) => near.of(id),
          threshold: groupingThreshold(threshold),
          least: LEAST_GROUP
        })
        let step = grouping.next()
        for (; !step.done; step = grouping.next()) {
          yield* progress(SEARCHING + (1 - SEARCHING) * step.value)
          yield* yieldToEventLoop
        }
        const groupOf = new Map(step.value.flatMap((group, index) => group.map((id) => [id, index])))
        /** How similar a link of a group is to the other group or the collection that is most similar to it. */
        const rivalOf = (id: number, group: number) => {
          const others = votersOf(id).flatMap((one) => {
            const other = groupOf.get(one.id)
            if (other === group) return []
            return { ...one, collection: other === undefined ? one.collection : -1 - other }
          })
          return rankCollections(others)[0]?.score ?? -1
        }
        const taken = new TakenNames(names.values())
        const formed: Array<NewCollection> = []
        for (const [index, group] of step.value.entries()) {
          const name = namer.name(yield* store.profilesOf(group), taken)
          const members: Array<Neighbour> = []
          for (const id of group) {
            const because = near.of(id).filter((one) => groupOf.get(one.id) === index)
            const similarity = groupScore(because.map((one) => one.similarity))
            const isSure = isSureInGroup(similarity, rivalOf(id, index), threshold)
            move({ id, to: name, because, similarity, isSure })
            members.push({ id, similarity })
          }
          const typical = members.sort((a, b) => b.similarity - a.similarity).slice(0, TYPICAL)
          formed.push({ name, size: group.length, typical: typical.map(({ id }) => id) })
          yield* yieldToEventLoop
        }
        // In the order of the rows, of which several share a page of the database: that halves what filing writes.
        moves.sort((a, b) => a.id - b.id)
        // In batches: the receiver would be blocked by 100,000 moves at once.
        for (const some of Arr.chunksOf(moves, MOVES_AT_ONCE)) {
          yield* emit({ type: "moves", moves: some })
          yield* yieldToEventLoop
        }
        yield* emit({ type: "end", formed })
      })

      return {
        plan: (embedder) => streamOfSteps((emit) => work(embedder, emit))
      }
    })
  )
}
