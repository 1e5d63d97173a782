import { Context, Duration, Effect, Layer, Stream } from "effect"
import { type Incoming, joinIncoming } from "../domain/Incoming.ts"
import type { ImportResult } from "../domain/Job.ts"
import type { StoreUnavailable } from "../domain/StoreUnavailable.ts"
import { makePieceSize, nextTurn, quietTurn } from "../runtime/Scheduling.ts"
import { MergeStore } from "../store/links/MergeStore.ts"
import { ReadingQueue } from "../store/pages/ReadingQueue.ts"
import { orDefect, Transaction } from "../store/Transaction.ts"
import { ImportStore } from "../store/transfer/ImportStore.ts"
import { Measure } from "../telemetry/Metrics.ts"
import type { FormatError } from "../transfer/Format.ts"
import { type ImportFile, type ImportPlan, ImportReader } from "../transfer/ImportReader.ts"

/** How far an import has come: links of the file that are dealt with, and how many of them were new. */
interface Reached {
  readonly done: number
  readonly created: number
}

/** An import that the database holds up. */
export interface Held extends Reached {
  readonly total: number
  readonly error: StoreUnavailable
}

export interface ImportOptions {
  /** Whether the pages of its links are only read when they are asked for. */
  readonly later: boolean
  /** Whether links of another Linkbower keep their numbers. */
  readonly keepNumbers: boolean
  /** Whether links that another Linkbower shares are shared here too. */
  readonly keepShared: boolean
  /** Called after each step, outside its transaction: how many links of how many are in the library. */
  readonly onStep: (step: { readonly done: number; readonly total: number }) => Effect.Effect<void>
  /** Where an earlier run of the same import stopped. */
  readonly from?: Reached
  /** Called within the transaction of each step, so that what it writes is as true as the step. */
  readonly reached?: (reached: Reached) => Effect.Effect<void, StoreUnavailable>
  /** Called before each pause in which the import waits for the database; its failure ends the import. */
  readonly onWait: (held: Held) => Effect.Effect<void, StoreUnavailable>
}

/** The first pause in which an import waits for the database, and the longest; each is twice as long as the one before. */
const PAUSE = Duration.seconds(1)
const LONGEST_PAUSE = Duration.minutes(1)

/** Links written in one transaction: so few that other writers wait for milliseconds only. */
const STEP = { first: 16, least: 4, most: 100, target: 5 }

/**
 * Takes a file of links into the library; taking it in a second time changes nothing. Where the database cannot be written
 * it waits, with growing pauses, and goes on where it stopped. The file is read again then, so that nothing of it is kept
 * in memory meanwhile.
 */
export class ImportWriter extends Context.Tag("ImportWriter")<
  ImportWriter,
  {
    readonly file: (
      file: ImportFile,
      options: ImportOptions
    ) => Effect.Effect<ImportResult, FormatError | StoreUnavailable>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const reader = yield* ImportReader
      const store = yield* ImportStore
      const merges = yield* MergeStore
      const queue = yield* ReadingQueue
      const transaction = yield* Transaction
      const size = makePieceSize(STEP)

      /** Adds what the file says to links that are there. */
      const joinAll = Effect.fnUntraced(function* (
        known: ReadonlyArray<Incoming>,
        collections: Collections,
        keepShared: boolean
      ) {
        const ids = new Map(
          (yield* store.find(known.map((link) => link.normalizedUrl))).map((one) => [
            one.normalizedUrl,
            one.id
          ])
        )
        for (const link of known) {
          const id = ids.get(link.normalizedUrl)
          if (id === undefined) continue
          const joined = joinIncoming(yield* merges.read(id), link, {
            collection: collectionOf(link, collections),
            keepShared
          })
          if (joined !== undefined) yield* merges.write(joined)
        }
      })

      const takeSome = Effect.fnUntraced(function* (
        links: ReadonlyArray<Incoming>,
        { keepNumbers, keepShared, later }: ImportOptions
      ) {
        const { byName, made: collections } = yield* store.collections(
          links.flatMap((link) => link.collection ?? [])
        )
        const first = yield* store.insert(links, { keepNumbers, keepShared })
        // A number that is taken by now is no reason to lose its link.
        const again = keepNumbers
          ? yield* store.insert(without(links, first), { keepNumbers: false, keepShared })
          : []
        const made = [...first, ...again]
        const byAddress = new Map(made.map((one) => [one.normalizedUrl, one.id]))
        const unread = links.flatMap((link) =>
          link.whole === null || link.whole.unread ? (byAddress.get(link.normalizedUrl) ?? []) : []
        )
        if (unread.length > 0) yield* queue.add(unread, later)
        yield* joinAll(without(links, made), byName, keepShared)
        return { created: made.length, collections }
      })

      /** Writes some of the links, and how far that takes the import, in one transaction. */
      const takeStep = (links: ReadonlyArray<Incoming>, before: Reached, options: ImportOptions) =>
        transaction(
          Effect.gen(function* () {
            const begun = performance.now()
            const taken = yield* takeSome(links, options)
            if (links.length === size.current()) size.took(performance.now() - begun)
            // Made for links that were in the library already, and stayed where they were.
            yield* store.removeEmpty(taken.collections)
            const reached = { done: before.done + links.length, created: before.created + taken.created }
            yield* noteOf(options)(reached)
            // Requests that came in meanwhile run before the commit, which writes the search indexes.
            yield* nextTurn
            return reached
          })
        )

      return {
        file: Effect.fn("ImportWriter.file")(function* (file, options) {
          let reached: Reached = options.from ?? { done: 0, created: 0 }
          let total = 0
          let pause = PAUSE
          const note = noteOf(options)

          /** Reads the file from its start, and writes what is not in the library yet. */
          const attempt = Effect.gen(function* () {
            let plan: ImportPlan | undefined
            let seen = 0
            let shared = 0
            const filled = new Set<string>()
            yield* Stream.runForEach(
              reader.read(file),
              Effect.fnUntraced(function* (step) {
                if (step._tag === "Plan") {
                  plan = step
                  total = plan.found - plan.rejected - plan.repeated
                  if (options.keepNumbers && reached.done === 0)
                    yield* orDefect(
                      transaction(Effect.zipRight(store.restoreCollections(step.collections), note(reached)))
                    )
                  return
                }
                for (const { collection, whole } of step.links) {
                  if (collection !== null) filled.add(collection)
                  if (whole?.shareable === true) shared++
                }
                const links = step.links.slice(Math.max(reached.done - seen, 0))
                seen += step.links.length
                for (let from = 0; from < links.length; ) {
                  const before = reached.created
                  const some = links.slice(from, from + size.current())
                  reached = yield* orDefect(takeStep(some, reached, options))
                  from += some.length
                  pause = PAUSE
                  yield* Measure.linksSaved.countBy(reached.created - before, "import")
                  yield* options.onStep({ done: reached.done, total })
                  yield* quietTurn
                }
              })
            )
            // Those that the file itself has as empty.
            const empty = (plan?.collections ?? []).filter(({ name }) => !filled.has(name))
            yield* orDefect(transaction(store.collections(empty.map(({ name }) => name))))
            return { ...resultOf(plan, reached.created), shared }
          })

          const patiently: Effect.Effect<ImportResult, FormatError | StoreUnavailable> = Effect.catchTag(
            attempt,
            "StoreUnavailable",
            (error) =>
              Effect.suspend(() => {
                const now = pause
                pause = Duration.min(Duration.times(pause, 2), LONGEST_PAUSE)
                return Effect.zipRight(options.onWait({ ...reached, total, error }), Effect.sleep(now))
              }).pipe(Effect.zipRight(Effect.suspend(() => patiently)))
          )
          return yield* patiently
        })
      }
    })
  )
}

const noteOf =
  ({ reached: note }: ImportOptions) =>
  (reached: Reached): Effect.Effect<void, StoreUnavailable> =>
    note === undefined ? Effect.void : note(reached)

type Collections = Effect.Effect.Success<ReturnType<ImportStore["Type"]["collections"]>>["byName"]

const collectionOf = ({ collection }: Incoming, collections: Collections) =>
  collection === null ? null : (collections.get(collection) ?? null)

const without = (links: ReadonlyArray<Incoming>, made: ReadonlyArray<{ readonly normalizedUrl: string }>) => {
  const addresses = new Set(made.map(({ normalizedUrl }) => normalizedUrl))
  return links.filter(({ normalizedUrl }) => !addresses.has(normalizedUrl))
}

const resultOf = (plan: ImportPlan | undefined, created: number): Omit<ImportResult, "shared"> => ({
  format: plan?.format ?? "",
  found: plan?.found ?? 0,
  created,
  merged: (plan?.found ?? 0) - (plan?.rejected ?? 0) - created,
  rejected: plan?.rejected ?? 0,
  rejects: plan?.rejects ?? [],
  counts: plan?.counts ?? "item"
})
