import { SqlClient, SqlError } from "@effect/sql"
import { Context, Duration, Effect, Exit, Layer, Schedule, Scope } from "effect"
import { StoreUnavailable } from "../domain/StoreUnavailable.ts"
import { storageFailure } from "./StorageFailure.ts"

/** What SQLite says about the database as a whole, if anything. */
const unavailable = (error: SqlError.SqlError): StoreUnavailable | undefined => {
  const reason = storageFailure(error)?.reason
  return reason && new StoreUnavailable({ reason })
}

const isSqlError = (error: unknown): error is SqlError.SqlError => error instanceof SqlError.SqlError

/** How long another process that writes is waited for, and how often it is seen whether it still does. */
const WAIT = Duration.seconds(2)
const LOOK = Duration.millis(15)
const isBusy = (error: unknown) => error instanceof StoreUnavailable && error.reason === "busy"
const patience = { while: isBusy, schedule: Schedule.spaced(LOOK).pipe(Schedule.upTo(WAIT)) }

/**
 * Turns a database that cannot write into `StoreUnavailable`; every other database failure is a defect. Another writer is
 * waited for without holding up the event loop, as SQLite's own waiting would: the effect must be one statement, or a
 * transaction, of which nothing has happened while the database is busy.
 */
export const orUnavailable = <A, E, R>(effect: Effect.Effect<A, E, R>) => {
  const attempt = asUnavailable(effect)
  // Preparing to try again costs more than most statements: it is done where that is needed.
  return Effect.catchIf(attempt, isBusy, () => Effect.delay(Effect.retry(attempt, patience), LOOK))
}

const asUnavailable = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  effect.pipe(
    // The client reports a failed COMMIT as a defect.
    Effect.catchAllDefect((defect) => (isSqlError(defect) ? Effect.fail(defect) : Effect.die(defect))),
    Effect.catchIf(isSqlError, (error) => {
      const known = unavailable(error)
      return known === undefined ? Effect.die(error) : Effect.fail(known)
    })
  )

/** Leaves `StoreUnavailable` to the caller; any other failure of a write is one nobody could act on. */
export const orDefect = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.catchAll(effect, (error) =>
    error instanceof StoreUnavailable ? Effect.fail(error) : Effect.die(error)
  )

/** What a transaction has registered to be run once it is committed. */
interface Commitments {
  readonly queue: Array<Effect.Effect<void>>
  isCommitted: boolean
}

/** The transaction around the running fiber, if any. */
class Around extends Context.Reference<Around>()("Transaction/Around", {
  defaultValue: (): Commitments | undefined => undefined
}) {}

/** Whether the caller runs inside a transaction, and so holds the database's one connection. */
export const isInTransaction: Effect.Effect<boolean> = Effect.map(Around, (around) => around !== undefined)

/**
 * Runs `work` once, after the outermost transaction around the caller has committed; never where that transaction, or the
 * savepoint the caller is in, was rolled back. Outside a transaction it runs at once.
 *
 * Events are published and queues are woken this way. `work` runs outside the transaction, so it may use the database.
 */
export const afterCommit = (work: Effect.Effect<void>): Effect.Effect<void> =>
  Effect.flatMap(Around, (around) =>
    around === undefined ? work : Effect.sync(() => void around.queue.push(work))
  )

/** Runs what a committed transaction has registered, in order. What crashes is logged, because the commit stands. */
const runRegistered = ({ queue }: Commitments) =>
  Effect.forEach(
    queue,
    (work) => Effect.catchAllCause(work, (cause) => Effect.logError("work after a commit failed", cause)),
    { discard: true }
  )

/**
 * Runs work in one transaction, taken with `BEGIN IMMEDIATE` so that it waits for a writer at its start
 * rather than failing half-way. Inside another one it is a savepoint.
 */
export class Transaction extends Context.Tag("Transaction")<
  Transaction,
  <A, E, R>(
    work: Effect.Effect<A, E, R>
  ) => Effect.Effect<A, Exclude<E, SqlError.SqlError> | StoreUnavailable, R>
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const within = SqlClient.makeWithTransaction({
        transactionTag: SqlClient.TransactionConnection,
        spanAttributes: [],
        acquireConnection: Effect.flatMap(Scope.make(), (scope) =>
          Effect.map(Scope.extend(sql.reserve, scope), (connection) => [scope, connection] as const)
        ),
        begin: (connection) => connection.executeUnprepared("BEGIN IMMEDIATE", [], undefined),
        savepoint: (connection, id) => connection.executeUnprepared(`SAVEPOINT within_${id}`, [], undefined),
        // Noted here because the caller may be interrupted between the commit and what follows it.
        commit: (connection) =>
          Effect.zipRight(
            connection.executeUnprepared("COMMIT", [], undefined),
            Effect.map(Around, (around) => {
              if (around !== undefined) around.isCommitted = true
            })
          ),
        // A full disk has rolled the transaction back by itself, and then there is none to roll back.
        rollback: (connection) => Effect.ignore(connection.executeUnprepared("ROLLBACK", [], undefined)),
        rollbackSavepoint: (connection, id) =>
          connection.executeUnprepared(`ROLLBACK TO SAVEPOINT within_${id}`, [], undefined)
      })

      /** Each attempt has its own list, so that an attempt that is retried leaves nothing behind. */
      const attempt = <A, E, R>(work: Effect.Effect<A, E, R>) =>
        Effect.flatMap(Around, (outer) => {
          const own: Commitments = { queue: [], isCommitted: false }
          return Effect.onExit(Effect.provideService(within(work), Around, own), (exit) => {
            if (outer === undefined) return own.isCommitted ? runRegistered(own) : Effect.void
            if (Exit.isSuccess(exit)) outer.queue.push(...own.queue)
            return Effect.void
          })
        })

      return (work) => orUnavailable(attempt(work))
    })
  )
}
