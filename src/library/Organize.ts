import { Array as Arr, Context, Data, Effect, Layer, Option, Schema, Stream } from "effect"
import type { Job, JobNotFound } from "../domain/Job.ts"
import { FiledBecause, LinkId } from "../domain/Link.ts"
import type { StoreUnavailable } from "../domain/StoreUnavailable.ts"
import { GroupNamer, MOST_GROUPS } from "../enrich/model/GroupNamer.ts"
import { TakenNames } from "../organize/CollectionName.ts"
import { yieldToEventLoop } from "../runtime/Scheduling.ts"
import type { Move } from "../search/FilingPlan.ts"
import { Reader } from "../search/Reader.ts"
import { ChangeStore } from "../store/links/ChangeStore.ts"
import { FilingStore } from "../store/links/CollectionStore.ts"
import { LinkStore } from "../store/links/LinkStore.ts"
import { afterCommit, Transaction } from "../store/Transaction.ts"
import { Embeddings } from "./Embeddings.ts"
import { Events } from "./Events.ts"
import { type JobFailure, type JobRun, Jobs, type Outcome } from "./Jobs.ts"
import { LargeChanges } from "./LargeChanges.ts"

/** Links filed per transaction: a few milliseconds, so that requests can use the database in between. */
const CHUNK = 50
/** Maximum number of moves in a job's result, the most similar ones; `filed` counts all of them. */
const MAX_MOVES = 1_000
/** Links by which the model names a group, the most similar ones. */
const SHOWN = 6

/** The moves that a preview has shown, as its job keeps them to make them later. */
const KeptMove = Schema.Struct({
  id: Schema.Int,
  to: Schema.String,
  because: Schema.Array(FiledBecause),
  similarity: Schema.Number,
  isSure: Schema.Boolean
})
type KeptMove = typeof KeptMove.Type
const KeptPreview = Schema.Struct({ moves: Schema.Array(KeptMove), formed: Schema.Array(Schema.String) })
type KeptPreview = typeof KeptPreview.Type
const decodePreview = Schema.decodeUnknownOption(KeptPreview)

/** A preview that cannot be applied as it was shown. Nothing was filed. */
export class PreviewOutdated extends Data.TaggedError("PreviewOutdated")<{
  /** Why, or how many links have changed. */
  readonly because: "applied" | "collections" | number
}> {}

/** Files every unfiled link with the links near it, and creates new collections for groups of similar links. */
export class Organize extends Context.Tag("Organize")<
  Organize,
  {
    /** Starts the job; a dry run reports the moves and changes nothing. */
    readonly start: (options: { readonly dryRun: boolean }) => Effect.Effect<Job, StoreUnavailable>
    /**
     * Starts the job that makes the moves of a dry run exactly as its result lists them. Fails if they can no longer all
     * be made, or if its new collections exist by now or its other ones are gone.
     */
    readonly accept: (preview: number) => Effect.Effect<Job, JobNotFound | PreviewOutdated | StoreUnavailable>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const jobs = yield* Jobs
      const reader = yield* Reader
      const store = yield* FilingStore
      const links = yield* LinkStore
      const changes = yield* ChangeStore
      const transaction = yield* Transaction
      const embeddings = yield* Embeddings
      const events = yield* Events
      const large = yield* LargeChanges
      const namer = yield* GroupNamer

      /**
       * Returns the moves and the names of the new collections, where the model names the largest if there is one. A name
       * that is in use is not used again.
       */
      const renamed = Effect.fnUntraced(function* (
        moves: ReadonlyArray<Move>,
        formed: ReadonlyArray<string>
      ) {
        if (formed.length === 0) return { moves, formed }
        const isNew = new Set(formed)
        const groups = Map.groupBy(
          moves.filter(({ to }) => isNew.has(to)),
          ({ to }) => to
        )
        const asked = formed.slice(0, MOST_GROUPS)
        const shown = asked.map((name) =>
          (groups.get(name) ?? [])
            .toSorted((a, b) => b.similarity - a.similarity)
            .slice(0, SHOWN)
            .map(({ id }) => id)
        )
        const profiles = new Map(
          (yield* store.profilesOf(shown.flat())).map((profile) => [Number(profile.id), profile])
        )
        const proposed = yield* namer.name(
          asked.map((name, index) => ({
            size: groups.get(name)?.length ?? 0,
            members: (shown[index] ?? []).flatMap((id) => profiles.get(id) ?? [])
          }))
        )
        const taken = new TakenNames((yield* store.collections).map(({ name }) => name))
        const names = new Map<string, string>()
        const kept = formed.filter((_, index) => !proposed.has(index))
        for (const name of kept) names.set(name, taken.take([name]))
        for (const [index, wanted] of proposed) {
          const name = formed[index] ?? ""
          names.set(name, taken.take([wanted, name]))
        }
        return {
          formed: formed.map((name) => names.get(name) ?? name),
          moves: moves.map((move) => ({ ...move, to: names.get(move.to) ?? move.to }))
        }
      })

      /** Applies the moves of links that are still unfiled; returns the moves it applied. */
      const file = Effect.fnUntraced(function* <M extends KeptMove>(moves: ReadonlyArray<M>, token: string) {
        const ids = moves.map(({ id }) => LinkId.make(id))
        return yield* transaction(
          Effect.gen(function* () {
            yield* large.applyPending(ids)
            const still = new Set(yield* store.fileable(moves))
            const made = moves.filter(({ id }) => still.has(id))
            if (made.length > 0)
              yield* changes.apply(
                {
                  fields: ["collection"],
                  automatic: true,
                  links: made.map(({ because, id, to }) => ({
                    id: LinkId.make(id),
                    collection: to,
                    collectionByHand: false,
                    filedBecause: because
                  }))
                },
                token
              )
            const changed = links.getAll(made.map(({ id }) => LinkId.make(id)))
            yield* afterCommit(Effect.flatMap(changed, (all) => events.links("changed", all)))
            return made
          })
        )
      })

      const plan = Effect.fnUntraced(function* (run: JobRun) {
        const embedder = yield* embeddings.inUse
        if (Option.isNone(embedder)) return { moves: [], formed: [] }
        const moves: Array<Move> = []
        let formed: ReadonlyArray<string> = []
        yield* Stream.runForEach(reader.planFiling(embedder.value), (step) => {
          if (step.type === "progress") return run.progress(step.done, step.total)
          return Effect.sync(() => {
            if (step.type === "moves") for (const move of step.moves) moves.push(move)
            else formed = step.formed
          })
        }).pipe(Effect.mapError((): JobFailure => ({ message: unavailable })))
        return yield* renamed(moves, formed)
      })

      /** Makes the moves, in pieces, and returns those it made and the token that undoes them. */
      const fileAll = Effect.fnUntraced(function* (run: JobRun, moves: ReadonlyArray<KeptMove>) {
        const token = crypto.randomUUID()
        const filed: Array<KeptMove> = []
        for (const chunk of Arr.chunksOf(moves, CHUNK)) {
          // In one transaction, so that no link is filed without an undo.
          const applied = yield* transaction(
            Effect.tap(file(chunk, token), (made) =>
              made.length > 0 ? run.checkpoint(null, token) : Effect.void
            )
          )
          filed.push(...applied)
          yield* yieldToEventLoop
        }
        return { filed, undo: filed.length > 0 ? token : undefined }
      })

      /** The result of these moves; titles are added when the job is read, from the links that still exist. */
      const resultOf = (made: ReadonlyArray<KeptMove>, formed: ReadonlyArray<string>) => {
        const listed = made.toSorted((a, b) => b.similarity - a.similarity).slice(0, MAX_MOVES)
        const names = new Set(made.map(({ to }) => to))
        const shown = new Set(listed.map(({ to }) => to))
        const shownFormed = formed.filter((name) => shown.has(name))
        return {
          listed,
          result: {
            filed: made.length,
            collections: formed.filter((name) => names.has(name)).length,
            ...(shownFormed.length === 0 ? {} : { formed: shownFormed }),
            moves: listed.map(({ because, id, isSure, similarity, to }) => ({
              id,
              to,
              because: because.map((one) => one.id),
              similarity,
              sure: isSure
            }))
          }
        }
      }

      const work = (dryRun: boolean) =>
        Effect.fnUntraced(
          function* (run: JobRun): Effect.fn.Return<Outcome<"organize">, JobFailure> {
            const { formed, moves } = yield* plan(run)
            if (!dryRun) {
              const { filed, undo } = yield* fileAll(run, moves)
              return { result: resultOf(filed, formed).result, undo }
            }
            const { listed, result } = resultOf(moves, formed)
            const kept: KeptPreview = {
              moves: listed.map(({ because, id, isSure, similarity, to }) => ({
                id,
                to,
                because,
                similarity,
                isSure
              })),
              formed: result.formed ?? []
            }
            yield* run.checkpoint(kept, null)
            return { result: { ...result, dryRun } }
          },
          Effect.mapError((error): JobFailure => ({ message: error.message }))
        )

      const makeKept = ({ formed, moves }: KeptPreview) =>
        Effect.fnUntraced(
          function* (run: JobRun): Effect.fn.Return<Outcome<"organize">, JobFailure> {
            const { filed, undo } = yield* fileAll(run, moves)
            return { result: resultOf(filed, formed).result, undo }
          },
          Effect.mapError((error): JobFailure => ({ message: error.message }))
        )

      const outdated = (because: PreviewOutdated["because"]) => new PreviewOutdated({ because })

      /** The moves of a preview, if they can all be made as they were shown. */
      const current = Effect.fnUntraced(function* (preview: number) {
        const job = yield* jobs.get(preview)
        const kept = job.state === "done" ? Option.getOrUndefined(decodePreview(job.resume)) : undefined
        if (kept === undefined) return yield* outdated("applied")
        const existing = new Set((yield* store.collections).map(({ name }) => name))
        const formed = new Set(kept.formed)
        if (kept.moves.some(({ to }) => existing.has(to) === formed.has(to)))
          return yield* outdated("collections")
        const still = yield* store.fileable(kept.moves)
        const gone = kept.moves.length - still.length
        return gone > 0 ? yield* outdated(gone) : kept
      })

      return {
        start: Effect.fn("Organize.start")(function* ({ dryRun }) {
          const total = (yield* store.unfiled).length
          return yield* jobs.start({ action: "organize", total }, work(dryRun))
        }),
        accept: Effect.fn("Organize.accept")(function* (preview) {
          const kept = yield* current(preview)
          return yield* jobs.start({ action: "organize", total: kept.moves.length }, makeKept(kept))
        })
      }
    })
  )
}

const unavailable =
  "The links could not be compared: the search thread stopped. Nothing was filed. Start the job again."
