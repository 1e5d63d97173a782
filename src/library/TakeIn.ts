import { Context, Effect, Layer, Stream } from "effect"
import type { FormatError } from "../bookmarks/FormatError.ts"
import { type ImportFile, ImportReader } from "../bookmarks/ImportReader.ts"
import type { ImportPlan } from "../bookmarks/ImportSteps.ts"
import type { ImportResult } from "../domain/ImportResult.ts"
import { type Incoming, joinIncoming } from "../domain/Incoming.ts"
import { Measure } from "../domain/Metrics.ts"
import type { StoreUnavailable } from "../domain/StoreUnavailable.ts"
import { nextTurn } from "../store/EventLoop.ts"
import { ImportStore } from "../store/ImportStore.ts"
import { MergeStore } from "../store/MergeStore.ts"
import { ReadingQueue } from "../store/ReadingQueue.ts"
import { orDefect, Transaction } from "../store/Transaction.ts"

export interface TakeInOptions {
  /** Whether the pages of its links are only read when they are asked for. */
  readonly later: boolean
  /** Whether links of another Linkbower keep their numbers. */
  readonly keepNumbers: boolean
  /** Whether links that another Linkbower shares are shared here too. */
  readonly keepShared: boolean
  /** Called after each step, outside its transaction: how many links of how many are in the library. */
  readonly onStep: (step: { readonly done: number; readonly total: number }) => Effect.Effect<void>
}

/** Links written in one transaction: so few that whoever waits for the database does not notice. */
const STEP = 25

/** Takes a file of links into the library; taking it in a second time changes nothing. */
export class TakeIn extends Context.Tag("TakeIn")<
  TakeIn,
  {
    readonly file: (
      file: ImportFile,
      options: TakeInOptions
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
        { keepNumbers, keepShared, later }: TakeInOptions
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

      return {
        file: Effect.fn("TakeIn.file")(function* (file, options) {
          let plan: ImportPlan | undefined
          let done = 0
          let created = 0
          let shared = 0
          const made: Array<number> = []
          const filled = new Set<string>()
          yield* Stream.runForEach(
            reader.read(file),
            Effect.fnUntraced(function* (step) {
              if (step._tag === "Plan") {
                plan = step
                if (options.keepNumbers) yield* store.restoreCollections(step.collections)
                return
              }
              const total = plan === undefined ? 0 : plan.found - plan.rejected - plan.repeated
              for (let from = 0; from < step.links.length; from += STEP) {
                const some = step.links.slice(from, from + STEP)
                const taken = yield* orDefect(transaction(takeSome(some, options)))
                yield* Measure.linksSaved.countBy(taken.created, "import")
                created += taken.created
                made.push(...taken.collections)
                for (const { collection, whole } of some) {
                  if (collection !== null) filled.add(collection)
                  if (whole?.shareable === true) shared++
                }
                done += some.length
                yield* options.onStep({ done, total })
                yield* nextTurn
              }
            })
          )
          yield* orDefect(
            transaction(
              Effect.gen(function* () {
                // Made for links that were in the library already, and stayed where they were.
                yield* store.removeEmpty(made)
                // Of those that the file itself has as empty.
                const empty = (plan?.collections ?? []).filter(({ name }) => !filled.has(name))
                yield* store.collections(empty.map(({ name }) => name))
              })
            )
          )
          return { ...resultOf(plan, created), shared }
        })
      }
    })
  )
}

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
