import { Array as Arr, Data, Effect, Option, Schema, Stream } from "effect"
import { FiledBecause, LinkId } from "../domain/Link.ts"
import { GroupNamer, MOST_GROUPS } from "../enrich/model/GroupNamer.ts"
import { TakenNames } from "../organize/CollectionName.ts"
import { awaitQuietTurn, makeBatchSize, yieldToEventLoop } from "../runtime/Scheduling.ts"
import { Service } from "../runtime/Services.ts"
import type { Move, NewCollection } from "../search/FilingPlan.ts"
import { Reader } from "../search/Reader.ts"
import { ChangeStore } from "../store/links/ChangeStore.ts"
import { FilingStore } from "../store/links/CollectionStore.ts"
import { LinkStore } from "../store/links/LinkStore.ts"
import { afterCommit, Transaction } from "../store/Transaction.ts"
import { Embeddings } from "./Embeddings.ts"
import { Events } from "./Events.ts"
import { asJobFailure, type JobFailure, type JobRun, Jobs, type Outcome } from "./Jobs.ts"
import { LargeChanges, MAX_IN_ONE_TRANSACTION } from "./LargeChanges.ts"

/** Links per transaction; `target` is in milliseconds. */
const CHUNK = { first: 25, least: 10, most: 200, target: 4 }
/** The most similar moves; `filed` counts all. */
const MAX_MOVES = 1_000
/** Names chosen between two yields to the event loop. */
const NAMES = 50

/** A shown move, kept to be made later. */
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

/** `names` has the final names of new collections by those that the moves use. */
interface Plan {
  readonly moves: ReadonlyArray<KeptMove>
  readonly names: ReadonlyMap<string, string>
}

const movesAt = ({ moves, names }: Plan, at: number, count: number): ReadonlyArray<KeptMove> =>
  moves.slice(at, at + count).map((move) => ({ ...move, to: names.get(move.to) ?? move.to }))

class Tally {
  count = 0
  readonly #collections = new Set<string>()
  #listed: Array<KeptMove> = []

  add(moves: ReadonlyArray<KeptMove>): void {
    this.count += moves.length
    for (const move of moves) {
      this.#collections.add(move.to)
      this.#listed.push(move)
    }
    if (this.#listed.length > 2 * MAX_MOVES) this.#listed = this.mostSimilar()
  }

  /** At most 1,000. */
  mostSimilar(): Array<KeptMove> {
    return this.#listed.toSorted((a, b) => b.similarity - a.similarity).slice(0, MAX_MOVES)
  }

  /** Titles are added when the job is read. */
  result({ names }: Pick<Plan, "names">) {
    const listed = this.mostSimilar()
    const shown = new Set(listed.map(({ to }) => to))
    const formed = [...names.values()]
    const shownFormed = formed.filter((name) => shown.has(name))
    return {
      filed: this.count,
      collections: formed.filter((name) => this.#collections.has(name)).length,
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

/** The preview cannot be applied as shown; nothing was filed. */
export class PreviewOutdated extends Data.TaggedError("PreviewOutdated")<{
  /** A number says how many links have changed. */
  readonly because: "applied" | "collections" | number
}> {}

const make = Effect.gen(function* () {
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

  /** A model, if there is one, names the largest; a name taken meanwhile is not used again. */
  const namesFor = Effect.fnUntraced(function* (formed: ReadonlyArray<NewCollection>) {
    if (formed.length === 0) return new Map<string, string>()
    const asked = formed.slice(0, MOST_GROUPS)
    const profiles = new Map(
      (yield* store.profilesOf(asked.flatMap(({ typical }) => typical))).map((profile) => [
        Number(profile.id),
        profile
      ])
    )
    const proposed = yield* namer.name(
      asked.map(({ size, typical }) => ({
        size,
        members: typical.flatMap((id) => profiles.get(id) ?? [])
      }))
    )
    const taken = new TakenNames((yield* store.collections).map(({ name }) => name))
    const isProposed = (index: number) => Number(proposed.has(index))
    const order = [...formed.keys()].sort((a, b) => isProposed(a) - isProposed(b))
    const names = new Map(formed.map(({ name }) => [name, name]))
    for (const some of Arr.chunksOf(order, NAMES)) {
      for (const index of some) {
        const name = formed[index]?.name ?? ""
        names.set(name, taken.take([...Option.toArray(Option.fromNullable(proposed.get(index))), name]))
      }
      yield* yieldToEventLoop
    }
    return names
  })

  /** Applies the moves of links that are still unfiled. */
  const file = Effect.fnUntraced(function* (moves: ReadonlyArray<KeptMove>, token: string, isLarge: boolean) {
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
        const filed = made.map(({ id }) => LinkId.make(id))
        // After many changes pages reload their lists, so the links need not be read.
        yield* afterCommit(
          isLarge
            ? events.changed(filed)
            : Effect.flatMap(links.getAll(filed), (all) => events.links("changed", all))
        )
        return made
      })
    )
  })

  const plan = Effect.fnUntraced(function* (run: JobRun) {
    const moves: Array<Move> = []
    const embedder = yield* embeddings.inUse
    if (Option.isNone(embedder)) return { moves, names: new Map<string, string>() }
    let formed: ReadonlyArray<NewCollection> = []
    yield* Stream.runForEach(reader.planFiling(embedder.value), (step) => {
      if (step.type === "progress") return run.progress(step.done, step.total)
      return Effect.sync(() => {
        if (step.type === "moves") for (const move of step.moves) moves.push(move)
        else formed = step.formed
      })
    }).pipe(Effect.mapError((): JobFailure => ({ message: unavailable })))
    return { moves, names: yield* namesFor(formed) }
  })

  const fileAll = Effect.fnUntraced(function* (run: JobRun, plan: Plan) {
    const token = crypto.randomUUID()
    const tally = new Tally()
    const isLarge = plan.moves.length > MAX_IN_ONE_TRANSACTION
    const size = makeBatchSize(CHUNK)
    for (let at = 0; at < plan.moves.length; yield* awaitQuietTurn) {
      const chunk = movesAt(plan, at, size.current())
      // One transaction, so that no link is filed without an undo.
      const made = yield* transaction(
        Effect.gen(function* () {
          const begun = performance.now()
          const made = yield* file(chunk, token, isLarge)
          if (made.length > 0) yield* run.checkpoint(null, token)
          size.took(performance.now() - begun)
          // Requests that need no database run before the commit.
          yield* yieldToEventLoop
          return made
        })
      )
      tally.add(made)
      at += chunk.length
    }
    return { result: tally.result(plan), undo: tally.count > 0 ? token : undefined }
  })

  const work = (dryRun: boolean) =>
    Effect.fnUntraced(function* (run: JobRun): Effect.fn.Return<Outcome<"organize">, JobFailure> {
      const planned = yield* plan(run)
      if (!dryRun) return yield* fileAll(run, planned)
      const tally = new Tally()
      for (let at = 0; at < planned.moves.length; at += MAX_MOVES) {
        tally.add(movesAt(planned, at, MAX_MOVES))
        yield* yieldToEventLoop
      }
      const result = tally.result(planned)
      const kept: KeptPreview = { moves: tally.mostSimilar(), formed: result.formed ?? [] }
      yield* run.checkpoint(kept, null)
      return { result: { ...result, dryRun } }
    }, Effect.mapError(asJobFailure))

  const makeKept = ({ formed, moves }: KeptPreview) =>
    Effect.fnUntraced(function* (run: JobRun): Effect.fn.Return<Outcome<"organize">, JobFailure> {
      return yield* fileAll(run, { moves, names: new Map(formed.map((name) => [name, name])) })
    }, Effect.mapError(asJobFailure))

  const outdated = (because: PreviewOutdated["because"]) => new PreviewOutdated({ because })

  /** The moves of a preview, if all can be made as shown. */
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
    /** A dry run changes nothing. */
    start: Effect.fn("Organize.start")(function* ({ dryRun }: { readonly dryRun: boolean }) {
      return yield* jobs.start({ action: "organize", total: yield* store.uncollected }, work(dryRun))
    }),
    /** Exactly as listed; fails if a move cannot be made, or if collections have come or gone since. */
    accept: Effect.fn("Organize.accept")(function* (preview: number) {
      const kept = yield* current(preview)
      return yield* jobs.start({ action: "organize", total: kept.moves.length }, makeKept(kept))
    })
  }
})

/** Files every unfiled link with the links near it, and creates new collections for groups of similar links. */
export class Organize extends Service<Organize>()("Organize", make) {}

const unavailable =
  "The links could not be compared: the search thread stopped. Nothing was filed. Start the job again."
