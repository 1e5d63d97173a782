import { Cause, Deferred, Duration, Effect, Option } from "effect"
import type { LinkId } from "../domain/Link.ts"
import type { StoreUnavailable } from "../domain/StoreUnavailable.ts"
import { makeBatchSize, yieldToEventLoop } from "../runtime/Scheduling.ts"
import { Service } from "../runtime/Services.ts"
import { makeWorkLoop } from "../runtime/WorkLoop.ts"
import { type ChangePiece, ChangeStore, type RecordedChange } from "../store/links/ChangeStore.ts"
import { LinkStore } from "../store/links/LinkStore.ts"
import { TrashStore } from "../store/links/TrashStore.ts"
import { afterCommit, isInTransaction, orDefect, Transaction } from "../store/Transaction.ts"
import { Events } from "./Events.ts"

/** Larger changes are made in pieces. */
export const MAX_IN_ONE_TRANSACTION = 100

const MAX_PIECE = 1_000
/** `target` is how long a piece's statements should take, in milliseconds. */
const PIECE = { first: 64, least: 32, most: MAX_PIECE, target: 20 }

/** After the database refuses a piece. */
const BACKOFF = { first: "250 millis", most: "10 seconds" } as const

const make = Effect.gen(function* () {
  const changes = yield* ChangeStore
  const events = yield* Events
  const links = yield* LinkStore
  const trash = yield* TrashStore
  const transaction = yield* Transaction
  const pending = yield* makeWorkLoop
  const announcements = new Map<string, Effect.Effect<void>>()
  const waiting = new Set<Deferred.Deferred<void, StoreUnavailable>>()

  const makeSome = Effect.fnUntraced(function* (change: RecordedChange, ids: ReadonlyArray<LinkId>) {
    const moves = yield* changes.moves(change, ids)
    if (moves.restore.length > 0) yield* trash.restoreSome(moves.restore)
    yield* changes.edit(change, ids)
    if (moves.trash.length > 0) yield* trash.moveSome(moves.trash)
    yield* trash.moveBack(moves.back)
    if (moves.delete.length > 0) yield* links.removeSome(moves.delete)
  })

  /** Returns the number of links in the piece. */
  const piece = Effect.fnUntraced(function* (change: RecordedChange, part: ChangePiece) {
    const ids = yield* changes.next(change, part)
    if (ids.length > 0) {
      yield* makeSome(change, ids)
      yield* changes.applied(change, ids)
    }
    return ids.length
  })

  const end = Effect.fnUntraced(function* (change: RecordedChange, announce: Effect.Effect<void>) {
    if (change.kind === "trash" || change.kind === "delete") yield* links.forgetMoves
    if (change.kind === "delete") yield* links.eraseWords
    yield* changes.finish(change)
    yield* afterCommit(announce)
  })

  /** The announcement of a change from an earlier run is lost; a general event replaces it. */
  const announced = ({ token }: RecordedChange) =>
    Effect.suspend(() => {
      const announce = announcements.get(token) ?? events.reloadAll
      announcements.delete(token)
      return announce
    })

  /** Only the part that affects `among`, if given. */
  const rest = Effect.fnUntraced(function* (change: RecordedChange, among?: ReadonlyArray<LinkId>) {
    const part = { most: MAX_PIECE, ...(among === undefined ? {} : { among }) }
    while ((yield* piece(change, part)) === MAX_PIECE) yield* yieldToEventLoop
  })

  /** In the caller's transaction. */
  const settle = Effect.fn("LargeChanges.applyPending")(function* (ids: ReadonlyArray<LinkId>) {
    for (const change of yield* changes.unfinished) yield* rest(change, ids)
  })

  /** For the link with this normalized address, in the caller's transaction, except deletions for good. */
  const settleAt = Effect.fn("LargeChanges.applyPendingAt")(function* (normalizedUrl: string) {
    const some = (yield* changes.unfinished).filter(({ kind }) => kind !== "delete")
    if (some.length === 0) return
    const ids = Option.toArray(yield* changes.holderOf(normalizedUrl))
    for (const change of some) yield* rest(change, ids)
  })

  const settleAll = Effect.gen(function* () {
    for (const change of yield* changes.unfinished) {
      yield* rest(change)
      yield* end(change, announced(change))
    }
  })

  const size = makeBatchSize(PIECE)
  /** One piece of the first pending change, in its own transaction; false if none is pending. */
  const step = Effect.gen(function* () {
    return yield* transaction(
      Effect.gen(function* () {
        const [change] = yield* changes.unfinished
        if (change === undefined) return false
        // The commit is not measured: it costs the same for a small piece.
        const begun = performance.now()
        const most = size.current()
        const made = yield* piece(change, { most })
        if (made < most) yield* end(change, announced(change))
        else size.took(performance.now() - begun)
        // Pending requests run before the commit, which writes the search indexes and takes as long as the statements.
        yield* yieldToEventLoop
        return true
      })
    )
  })

  const finishAll = Effect.gen(function* () {
    while (yield* orDefect(step)) yield* yieldToEventLoop
  })

  const completeWaiting = (outcome: Effect.Effect<void, StoreUnavailable>) =>
    Effect.suspend(() => {
      const all = [...waiting]
      waiting.clear()
      return Effect.forEach(all, (one) => Deferred.complete(one, outcome), { discard: true })
    })

  /** Only a refusal by the database is worth a retry; a defect ends the pass until the next change. */
  const finishPending = Effect.gen(function* () {
    // Without a pending change no transaction begins.
    if ((yield* changes.unfinished).length > 0) yield* finishAll
    yield* completeWaiting(Effect.void)
  }).pipe(
    Effect.catchAllCause((cause) =>
      Option.isSome(Cause.failureOption(cause))
        ? Effect.failCause(cause)
        : Effect.zipRight(
            Effect.logError("a large change failed", cause),
            completeWaiting(Effect.failCause(cause))
          )
    ),
    Effect.as(Duration.infinity)
  )

  yield* Effect.catchAllCause(finishAll, (cause) =>
    Effect.logWarning("finishing an earlier large change failed; retrying later", cause)
  )
  yield* Effect.forkScoped(
    pending.run(finishPending, {
      name: "making a large change",
      backoff: BACKOFF,
      onFailure: (cause) =>
        Effect.zipRight(
          Effect.forEach(
            Cause.failures(cause),
            ({ message }) => Effect.logWarning(`a large change is waiting: ${message}`),
            { discard: true }
          ),
          completeWaiting(Effect.failCause(cause))
        )
    })
  )

  return {
    applyPending: settle,
    applyPendingAt: settleAt,
    /** In the caller's transaction, large ones too. */
    applyAllPending: Effect.withSpan(settleAll, "LargeChanges.applyAllPending"),
    /** Up to `MAX_IN_ONE_TRANSACTION` links in the caller's transaction, more in pieces after it; then `announce`. */
    make: Effect.fn("LargeChanges.make")(function* (
      token: string,
      count: number,
      announce: Effect.Effect<void>
    ) {
      if (count > MAX_IN_ONE_TRANSACTION)
        return yield* afterCommit(
          Effect.suspend(() => {
            announcements.set(token, announce)
            return pending.wake
          })
        )
      const change = (yield* changes.unfinished).find((one) => one.token === token)
      if (change === undefined) return
      yield* rest(change)
      yield* end(change, announce)
    }),
    /** Returns at once inside a transaction, which would block the pieces; fails if the database refuses a piece. */
    awaitPending: Effect.gen(function* () {
      if (yield* isInTransaction) return
      const last = (yield* changes.unfinished).at(-1)
      if (last === undefined) return
      // A change stored while the runner finishes waits for its next pass.
      while ((yield* changes.unfinished).some(({ id }) => id <= last.id)) {
        const deferred = yield* Deferred.make<void, StoreUnavailable>()
        waiting.add(deferred)
        yield* pending.wake
        yield* Deferred.await(deferred)
      }
    }).pipe(Effect.withSpan("LargeChanges.awaitPending"))
  }
})

/**
 * Makes large changes in pieces, each a transaction of a few milliseconds.
 *
 * A change is stored in full before its first piece (`ChangeStore.accept`). Changes are made in the order in which they
 * were stored, each in the order of its links' numbers; meanwhile readers see some links changed and others not. A
 * start finishes what an earlier run left before it serves requests. All other code that changes a link first applies
 * what is pending for it (`applyPending`), so that every link goes through its changes in the same order.
 */
export class LargeChanges extends Service<LargeChanges>()("LargeChanges", make) {}
