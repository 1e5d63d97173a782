import { Context, Deferred, Effect, Layer, Queue, Schedule } from "effect"
import { merge } from "../domain/Incoming.ts"
import type { LinkId } from "../domain/Link.ts"
import type { StoreUnavailable } from "../domain/StoreUnavailable.ts"
import { makePieceSize, nextTurn } from "../runtime/Scheduling.ts"
import { ChangeStore, type Part, type WrittenChange } from "../store/links/ChangeStore.ts"
import { LinkStore } from "../store/links/LinkStore.ts"
import { MergeStore } from "../store/links/MergeStore.ts"
import { afterCommit, isInTransaction, orDefect, Transaction } from "../store/Transaction.ts"
import { Events } from "./Events.ts"

/** Up to this many links are changed in one transaction; more are changed in pieces. */
export const AT_ONCE = 100

/** How long the statements of a piece should take, in milliseconds, and how many links that may come to. */
const MOST = 1_000
const PIECE = { first: 64, least: 32, most: MOST, target: 20 }

/** How long the database is left alone after it refused a piece. */
const REFUSED = Schedule.exponential("250 millis").pipe(Schedule.union(Schedule.spaced("10 seconds")))

/**
 * Makes large changes in pieces, each a transaction of some milliseconds, so that requests are answered in between.
 *
 * A change is written down whole before its first piece (`ChangeStore.accept`). Changes are made one after another in the
 * order in which they were written down, and a change over its links in the order of their numbers; until its end, readers
 * see some links changed and others not. A start finishes what an earlier run has left, before it serves requests. Whatever
 * else is about to change a link first makes the changes that wait for it (`settle`), so that every link goes through all
 * of its changes in one order.
 */
export class LargeChanges extends Context.Tag("LargeChanges")<
  LargeChanges,
  {
    /** Makes to these links, within the caller's transaction, the changes that wait for them. */
    readonly settle: (ids: ReadonlyArray<LinkId>) => Effect.Effect<void, StoreUnavailable>
    /** Makes within the caller's transaction what is written down of all changes, large ones included. */
    readonly settleAll: Effect.Effect<void, StoreUnavailable>
    /**
     * Makes the change with this token, of so many links, and then runs `announce`: within the caller's transaction where
     * there are few links, and in pieces after its commit where there are many.
     */
    readonly make: (
      token: string,
      count: number,
      announce: Effect.Effect<void>
    ) => Effect.Effect<void, StoreUnavailable>
    /**
     * Waits until every change written down so far is made. Returns at once inside a transaction, which keeps the pieces
     * from being made. Fails where the database refuses a piece; the change is made once the database can be written.
     */
    readonly made: Effect.Effect<void, StoreUnavailable>
  }
>() {
  static readonly layer = Layer.scoped(
    this,
    Effect.gen(function* () {
      const changes = yield* ChangeStore
      const events = yield* Events
      const links = yield* LinkStore
      const merges = yield* MergeStore
      const transaction = yield* Transaction
      const wake = yield* Queue.sliding<void>(1)
      const announcements = new Map<string, Effect.Effect<void>>()
      const waiting = new Set<Deferred.Deferred<void, StoreUnavailable>>()

      /** Merges these links into the target of the change, and deletes them. */
      const mergeSome = Effect.fnUntraced(
        function* (into: LinkId, ids: ReadonlyArray<LinkId>) {
          const target = yield* merges.read(into)
          const rest = yield* Effect.forEach(ids, merges.read)
          yield* merges.write(merge(target, rest))
          yield* links.removeSome(ids)
        },
        Effect.catchTag("LinkNotFound", Effect.die)
      )

      const makeSome = (change: WrittenChange, ids: ReadonlyArray<LinkId>) => {
        if (change.kind === "edit") return changes.edit(change, ids)
        return change.intoId === null ? links.removeSome(ids) : mergeSome(change.intoId, ids)
      }

      /** Makes one piece, and ends the change with its last one; how many links are in it. */
      const piece = Effect.fnUntraced(function* (change: WrittenChange, part: Part) {
        const ids = yield* changes.next(change, part)
        if (ids.length > 0) yield* makeSome(change, ids)
        return ids.length
      })

      const end = Effect.fnUntraced(function* (change: WrittenChange, announce: Effect.Effect<void>) {
        if (change.kind !== "edit") yield* links.forgetRemoved
        yield* changes.finish(change)
        yield* afterCommit(announce)
      })

      /** Says that a large change has ended. What an earlier run was about to say is not known any more. */
      const announced = ({ token }: WrittenChange) =>
        Effect.suspend(() => {
          const announce = announcements.get(token) ?? events.many
          announcements.delete(token)
          return announce
        })

      /** All that is left of the change, or of the part of it that is about these links. */
      const rest = Effect.fnUntraced(function* (change: WrittenChange, among?: ReadonlyArray<LinkId>) {
        const part = { most: MOST, ...(among === undefined ? {} : { among }) }
        while ((yield* piece(change, part)) === MOST) yield* nextTurn
      })

      const settle = Effect.fn("LargeChanges.settle")(function* (ids: ReadonlyArray<LinkId>) {
        for (const change of yield* changes.unfinished) {
          if (change.kind !== "merge") yield* rest(change, ids)
          else if (
            ids.some((id) => id === change.intoId) ||
            (yield* changes.next(change, { most: 1, among: ids })).length > 0
          )
            yield* rest(change)
        }
      })

      const settleAll = Effect.gen(function* () {
        for (const change of yield* changes.unfinished) {
          yield* rest(change)
          yield* end(change, announced(change))
        }
      })

      const size = makePieceSize(PIECE)
      /** One piece of the first change, in its own transaction; false if no change is left. */
      const step = Effect.gen(function* () {
        return yield* transaction(
          Effect.gen(function* () {
            const [change] = yield* changes.unfinished
            if (change === undefined) return false
            // The commit is not counted: it costs the same for a small piece.
            const begun = performance.now()
            const most = size.current()
            const made = yield* piece(change, { most })
            if (made < most) yield* end(change, announced(change))
            else size.took(performance.now() - begun)
            // What waits is looked at before the commit, which writes the search indexes and takes about as long again.
            yield* nextTurn
            return true
          })
        )
      })

      const finishAll = Effect.gen(function* () {
        while (yield* orDefect(step)) yield* nextTurn
      })

      const answer = (outcome: Effect.Effect<void, StoreUnavailable>) =>
        Effect.suspend(() => {
          const all = [...waiting]
          waiting.clear()
          return Effect.forEach(all, (one) => Deferred.complete(one, outcome), { discard: true })
        })

      const run = finishAll.pipe(
        Effect.tapError((error) =>
          Effect.zipRight(
            Effect.logWarning(`a change of many links waits: ${error.message}`),
            answer(Effect.fail(error))
          )
        ),
        Effect.retry(REFUSED),
        Effect.zipRight(answer(Effect.void)),
        Effect.catchAllCause((cause) =>
          Effect.zipRight(
            Effect.logError("a change of many links failed", cause),
            answer(Effect.failCause(cause))
          )
        )
      )

      yield* Effect.catchAllCause(finishAll, (cause) =>
        Effect.zipRight(
          Effect.logWarning("an earlier change of many links is finished later", cause),
          Queue.offer(wake, undefined)
        )
      )
      yield* Effect.forkScoped(Effect.forever(Effect.zipRight(Queue.take(wake), run)))

      return {
        settle,
        settleAll: Effect.withSpan(settleAll, "LargeChanges.settleAll"),
        make: Effect.fn("LargeChanges.make")(function* (token, count, announce) {
          if (count > AT_ONCE)
            return yield* afterCommit(
              Effect.suspend(() => {
                announcements.set(token, announce)
                return Queue.offer(wake, undefined)
              })
            )
          const change = (yield* changes.unfinished).find((one) => one.token === token)
          if (change === undefined) return
          yield* rest(change)
          yield* end(change, announce)
        }),
        made: Effect.gen(function* () {
          if (yield* isInTransaction) return
          const last = (yield* changes.unfinished).at(-1)
          if (last === undefined) return
          // A change that was written down while the runner came to its end is in its next round.
          while ((yield* changes.unfinished).some(({ id }) => id <= last.id)) {
            const deferred = yield* Deferred.make<void, StoreUnavailable>()
            waiting.add(deferred)
            yield* Queue.offer(wake, undefined)
            yield* Deferred.await(deferred)
          }
        }).pipe(Effect.withSpan("LargeChanges.made"))
      }
    })
  )
}
