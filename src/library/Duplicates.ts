import { Effect, Option, Stream } from "effect"
import type { Change } from "../domain/Change.ts"
import { type Mergeable, mergeDuplicates } from "../domain/Incoming.ts"
import type { LinkId } from "../domain/Link.ts"
import { Service } from "../runtime/Services.ts"
import { Reader } from "../search/Reader.ts"
import { ChangeStore } from "../store/links/ChangeStore.ts"
import { LinkStore } from "../store/links/LinkStore.ts"
import { MergeStore } from "../store/links/MergeStore.ts"
import { PositionStore } from "../store/pages/PositionStore.ts"
import { Transaction } from "../store/Transaction.ts"
import { Embeddings } from "./Embeddings.ts"
import { Events } from "./Events.ts"
import { Highlights } from "./Highlights.ts"
import { type JobFailure, type JobRun, Jobs } from "./Jobs.ts"
import { KeepPages } from "./KeepPages.ts"
import { LargeChanges, MAX_IN_ONE_TRANSACTION } from "./LargeChanges.ts"

const MAX_GROUPS = 1_000

const unavailable = "The links could not be compared: the search thread stopped. Start the job again."

const editOf = ({ link, ...hand }: Mergeable): Change => ({
  fields: ["title", "summary", "note", "tags", "category", "collection", "favorite", "shareable"],
  links: [
    {
      id: link.id,
      title: link.title,
      titleByHand: hand.titleByHand,
      summary: link.summary,
      summaryByHand: hand.summaryByHand,
      note: link.note,
      tagging: { add: hand.handTags },
      category: link.category,
      categoryByHand: hand.categoryByHand,
      collection: link.collection?.id ?? null,
      collectionByHand: hand.collectionByHand,
      favorite: link.favorite,
      shareable: link.shareable
    }
  ]
})

const make = Effect.gen(function* () {
  const changes = yield* ChangeStore
  const links = yield* LinkStore
  const merges = yield* MergeStore
  const pages = yield* KeepPages
  const transaction = yield* Transaction
  const embeddings = yield* Embeddings
  const events = yield* Events
  const large = yield* LargeChanges
  const highlights = yield* Highlights
  const positions = yield* PositionStore
  const jobs = yield* Jobs
  const reader = yield* Reader

  const work = Effect.fnUntraced(function* (run: JobRun) {
    const embedder = Option.getOrNull(yield* embeddings.inUse)
    const last = yield* Stream.runLast(
      Stream.tap(reader.findDuplicates(embedder), (step) =>
        step.type === "progress" ? run.progress(step.done, step.total) : Effect.void
      )
    ).pipe(Effect.mapError((): JobFailure => ({ message: unavailable })))
    const groups = Option.match(last, {
      onNone: () => [],
      onSome: (step) => (step.type === "groups" ? step.groups : [])
    })
    return { result: { groups: groups.slice(0, MAX_GROUPS), found: groups.length } }
  })

  const announce = (into: LinkId, others: ReadonlyArray<LinkId>) =>
    Effect.gen(function* () {
      yield* events.links("changed", yield* links.getAll([into]))
      yield* events.deleted(others)
      yield* embeddings.wake
    })

  return {
    /** Finds links to the same or nearly the same page. Changes nothing. */
    start: Effect.flatMap(links.count, (total) => jobs.start({ action: "dupes", total }, work)).pipe(
      Effect.withSpan("Duplicates.start")
    ),
    /** Trashes `others`; the token undoes both. Their newest page (if `into` has none) and position stay with `into`. */
    merge: Effect.fn("Duplicates.merge")(function* (into: LinkId, given: ReadonlyArray<LinkId>) {
      const others = [...new Set(given)].filter((id) => id !== into)
      const all = [into, ...others]
      const undo = yield* transaction(
        Effect.gen(function* () {
          yield* large.applyPending(all)
          const target = yield* merges.read(into)
          const merged = mergeDuplicates(target, yield* Effect.forEach(others, merges.read))
          yield* pages.share(into, others)
          yield* positions.share(into, others)
          const token = yield* changes.acceptMove("trash", others, editOf(merged))
          yield* highlights.move(into, others, token)
          yield* large.make(token, all.length, announce(into, others))
          return token
        })
      )
      if (all.length > MAX_IN_ONE_TRANSACTION) yield* large.awaitPending
      return { link: yield* links.get(into), undo }
    })
  }
})

export class Duplicates extends Service<Duplicates>()("Duplicates", make) {}
