import { Effect, Option, Schedule, Schema } from "effect"
import { modelInUse } from "../config/ModelChoice.ts"
import type { LinkId } from "../domain/Link.ts"
import { Categorizer } from "../enrich/model/Categorizer.ts"
import { modelFailures } from "../enrich/model/LanguageModel.ts"
import { bestCategory } from "../organize/Vote.ts"
import { yieldToEventLoop } from "../runtime/Scheduling.ts"
import { Service } from "../runtime/Services.ts"
import { UNSORTED } from "../shared/Category.ts"
import { ChangeStore } from "../store/links/ChangeStore.ts"
import { FilingStore, type ProfileWithText } from "../store/links/CollectionStore.ts"
import { LinkStore } from "../store/links/LinkStore.ts"
import { NameStore } from "../store/links/NameStore.ts"
import { afterCommit, Transaction } from "../store/Transaction.ts"
import { VectorStore } from "../store/vectors/VectorStore.ts"
import { Embeddings } from "./Embeddings.ts"
import { Events } from "./Events.ts"
import { Filing } from "./Filing.ts"
import { asJobFailure, type JobFailure, type JobRun, Jobs, type Outcome } from "./Jobs.ts"
import { LargeChanges } from "./LargeChanges.ts"
import { currentModelNames } from "./Summaries.ts"

/** Links per model call. */
const BATCH = 20
const NEIGHBOURS = 12
/** Two, after 5 and 10 seconds. */
const backoff = Schedule.intersect(Schedule.exponential("5 seconds"), Schedule.recurs(2))

const Resume = Schema.Struct({
  after: Schema.Int,
  done: Schema.Int,
  changed: Schema.Int,
  all: Schema.Boolean,
  otherModel: Schema.Boolean
})
const resumeOf = Schema.decodeUnknownOption(Resume)
type Resume = typeof Resume.Type

interface Options {
  readonly all: boolean
  /** Leaves out links whose summary is the owner's or the current model's. */
  readonly otherModel?: boolean | undefined
}

const make = Effect.gen(function* () {
  const jobs = yield* Jobs
  const store = yield* FilingStore
  const links = yield* LinkStore
  const names = yield* NameStore
  const vectors = yield* VectorStore
  const changes = yield* ChangeStore
  const categorizer = yield* Categorizer
  const embeddings = yield* Embeddings
  const filing = yield* Filing
  const events = yield* Events
  const large = yield* LargeChanges
  const transaction = yield* Transaction

  /** Without a model: the category of most near neighbours; the link's own counts as one vote. */
  const byNeighbours = Effect.fnUntraced(function* (batch: ReadonlyArray<ProfileWithText>) {
    const found = new Map<number, string>()
    const embedder = Option.getOrUndefined(yield* embeddings.inUse)
    if (embedder === undefined) return found
    const floats = yield* vectors.floats(
      embedder.id,
      batch.map(({ id }) => id)
    )
    for (const link of batch) {
      const vector = floats.get(link.id)
      if (vector === undefined) continue
      const around = yield* filing.neighbours(embedder, vector, NEIGHBOURS)
      const category = bestCategory(around, embedder.threshold)
      if (category !== undefined) found.set(link.id, category)
    }
    return found
  })

  const categoriesOf = Effect.fnUntraced(function* (batch: ReadonlyArray<ProfileWithText>) {
    const asked = categorizer.categorize(batch, yield* links.categories)
    return yield* asked.pipe(
      Effect.retry({ schedule: backoff, while: ({ reason }) => reason !== "not-configured" }),
      Effect.catchAll(
        ({ reason }): Effect.Effect<ReadonlyMap<number, string>, JobFailure> =>
          reason === "not-configured"
            ? Effect.mapError(byNeighbours(batch), () => ({ message: unavailable }))
            : Effect.fail({ message: `${modelFailures[reason]}. ${KEPT}` })
      )
    )
  })

  /** Undefined if no links are left out. */
  const currentModel = ({ otherModel = false }: Pick<Options, "otherModel">) =>
    otherModel ? currentModelNames(links) : Effect.succeed(undefined)

  /** Leaves out links that the owner has recategorized meanwhile; returns how many it applied. */
  const write = Effect.fnUntraced(function* (
    moves: ReadonlyArray<{ id: LinkId; category: string }>,
    all: boolean,
    notBy: ReadonlyArray<string> | undefined,
    token: string
  ) {
    yield* large.applyPending(moves.map(({ id }) => id))
    const open = new Set<number>(
      yield* store.categorizable(
        moves.map(({ id }) => id),
        all,
        notBy
      )
    )
    const made = moves.filter(({ id }) => open.has(id)).map((move) => ({ ...move, categoryByHand: false }))
    if (made.length > 0) yield* changes.apply({ fields: ["category"], automatic: true, links: made }, token)
    const changed = links.getAll(made.map(({ id }) => id))
    yield* afterCommit(Effect.flatMap(changed, (all) => events.links("changed", all)))
    return made.length
  })

  const work = (from: Resume, token: string) =>
    Effect.fnUntraced(function* (run: JobRun): Effect.fn.Return<Outcome<"recategorize">, JobFailure> {
      let at = from
      const notBy = yield* currentModel(from)
      for (;;) {
        const batch = yield* store.profilesWithText(at.after, BATCH)
        const last = batch.at(-1)
        if (last === undefined) break
        const numbers = new Set<number>(
          yield* store.categorizable(
            batch.map(({ id }) => id),
            at.all,
            notBy
          )
        )
        const open = batch.filter(({ id }) => numbers.has(id))
        const answers = open.length === 0 ? new Map<number, string>() : yield* categoriesOf(open)
        const meant = yield* names.meanings({ category: [...answers.values()] })
        const found = new Map([...answers].map(([id, name]) => [id, meant.category.get(name) ?? name]))
        const moves = open.flatMap(({ category, id }) => {
          const next = found.get(id)
          return next === undefined || next === category || next === UNSORTED ? [] : [{ id, category: next }]
        })
        // One transaction, so that a batch can be undone if the process dies right after it.
        at = yield* transaction(
          Effect.gen(function* () {
            const made = yield* write(moves, at.all, notBy, token)
            const reached: Resume = {
              after: last.id,
              done: at.done + batch.length,
              changed: at.changed + made,
              all: at.all,
              otherModel: at.otherModel
            }
            yield* run.checkpoint(reached, reached.changed > 0 ? token : null)
            return reached
          })
        )
        yield* run.progress(at.done, Math.max(run.job.total, at.done))
        yield* yieldToEventLoop
      }
      const { changed } = at
      const categories = (yield* links.categories).length
      return { result: { changed, categories }, undo: changed > 0 ? token : undefined }
    }, Effect.mapError(asJobFailure))

  /** The run that a start with these options would continue. */
  const interrupted = Effect.fnUntraced(function* ({ all, otherModel = false }: Options) {
    const cut = yield* jobs.interrupted("recategorize")
    return Option.flatMap(cut, ({ resume, undo }) =>
      Option.map(resumeOf(resume), (from) => ({ from, undo }))
    ).pipe(Option.filter(({ from }) => from.all === all && from.otherModel === otherModel && from.after > 0))
  })

  const isConfigured = Effect.map(modelInUse, Option.isSome)

  return {
    /** Resumes a run with the same options; keeps the owner's categories unless `all`, and restores them as such. */
    start: Effect.fn("Recategorize.start")(function* (options: Options) {
      const total = yield* links.count
      const cut = yield* interrupted(options)
      const from = Option.match(cut, {
        onNone: (): Resume => ({
          after: 0,
          done: 0,
          changed: 0,
          all: options.all,
          otherModel: options.otherModel === true
        }),
        onSome: (run) => run.from
      })
      const token = Option.getOrUndefined(cut)?.undo ?? crypto.randomUUID()
      return yield* jobs.start({ action: "recategorize", total }, work(from, token))
    }),
    /** `requests` are those to the model, without retries; 0 without a model. */
    estimate: Effect.fn("Recategorize.estimate")(function* (options: Options) {
      const cut = yield* interrupted(options)
      const after = Option.match(cut, { onNone: () => 0, onSome: ({ from }) => from.after })
      const found = yield* store.countCategorizable(after, options.all, BATCH, yield* currentModel(options))
      return {
        links: found.links,
        requests: (yield* isConfigured) ? found.batches : 0,
        resumes: Option.isSome(cut)
      }
    })
  }
})

export class Recategorize extends Service<Recategorize>()("Recategorize", make) {}

export type RecategorizeEstimate = Effect.Effect.Success<ReturnType<Recategorize["Type"]["estimate"]>>

const KEPT = "Completed changes are kept; start the job again later to continue."

const unavailable = `The links could not be compared: the search thread stopped. ${KEPT}`
