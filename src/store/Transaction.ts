import { SqlClient, SqlError } from "@effect/sql"
import { Context, Duration, Effect, Exit, Layer, Schedule, Scope } from "effect"
import { StoreUnavailable, storageFailure } from "../domain/StoreUnavailable.ts"

const unavailable = (error: SqlError.SqlError): StoreUnavailable | undefined => {
  const reason = storageFailure(error)?.reason
  return reason && new StoreUnavailable({ reason })
}

const isSqlError = (error: unknown): error is SqlError.SqlError => error instanceof SqlError.SqlError

/** How long to wait for another process that writes, and how often to retry. */
const WRITE_TIMEOUT = Duration.seconds(2)
const RETRY_INTERVAL = Duration.millis(15)
const isBusy = (error: unknown) => error instanceof StoreUnavailable && error.reason === "busy"
const busyRetry = {
  while: isBusy,
  schedule: Schedule.spaced(RETRY_INTERVAL).pipe(Schedule.upTo(WRITE_TIMEOUT))
}

/**
 * Fails with `StoreUnavailable` if the database cannot write; every other database failure is a defect. Waits for
 * another writer by retrying, without blocking the event loop as SQLite's own wait would. The effect must be one
 * statement or one transaction, because those change nothing while the database is busy.
 */
export const orUnavailable = <A, E, R>(effect: Effect.Effect<A, E, R>) => {
  const attempt = asUnavailable(effect)
  // Setting up a retry costs more than most statements, so it is done only when needed.
  return Effect.catchIf(attempt, isBusy, () => Effect.delay(Effect.retry(attempt, busyRetry), RETRY_INTERVAL))
}

export const execute = <A, E, R>(statement: Effect.Effect<A, E, R>) => Effect.asVoid(orUnavailable(statement))

/** Whether a statement that returns the rows it writes has written any; fails as `orUnavailable` does. */
export const hasWritten = <A, E, R>(statement: Effect.Effect<ReadonlyArray<A>, E, R>) =>
  Effect.map(orUnavailable(statement), (rows) => rows.length > 0)

const asUnavailable = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  effect.pipe(
    // The client reports a failed COMMIT as a defect.
    Effect.catchAllDefect((defect) => (isSqlError(defect) ? Effect.fail(defect) : Effect.die(defect))),
    Effect.catchIf(isSqlError, (error) => {
      const known = unavailable(error)
      return known === undefined ? Effect.die(error) : Effect.fail(known)
    })
  )

/** Passes `StoreUnavailable` on to the caller; any other failure of a write is a defect. */
export const orDefect = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.catchAll(effect, (error) =>
    error instanceof StoreUnavailable ? Effect.fail(error) : Effect.die(error)
  )

interface Commitments {
  readonly queue: Array<Effect.Effect<void>>
  isCommitted: boolean
}

class CurrentTransaction extends Context.Reference<CurrentTransaction>()("Transaction/Current", {
  defaultValue: (): Commitments | undefined => undefined
}) {}

/** Whether the caller runs inside a transaction, and so holds the database's only connection. */
export const isInTransaction: Effect.Effect<boolean> = Effect.map(
  CurrentTransaction,
  (current) => current !== undefined
)

/**
 * Runs `work` once after the caller's outermost transaction has committed, or at once outside a transaction. Discards
 * it if that transaction, or the caller's savepoint, is rolled back.
 *
 * Use it to publish events and wake queues. `work` runs outside the transaction, so it may use the database.
 */
export const afterCommit = (work: Effect.Effect<void>): Effect.Effect<void> =>
  Effect.flatMap(CurrentTransaction, (current) =>
    current === undefined ? work : Effect.sync(() => void current.queue.push(work))
  )

const runRegistered = ({ queue }: Commitments) =>
  Effect.forEach(
    queue,
    (work) => Effect.catchAllCause(work, (cause) => Effect.logError("work after a commit failed", cause)),
    { discard: true }
  )

/** Runs work in one transaction (`BEGIN IMMEDIATE`), so that it waits at its start; inside another one, a savepoint. */
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
      const runInTransaction = SqlClient.makeWithTransaction({
        transactionTag: SqlClient.TransactionConnection,
        spanAttributes: [],
        acquireConnection: Effect.flatMap(Scope.make(), (scope) =>
          Effect.map(Scope.extend(sql.reserve, scope), (connection) => [scope, connection] as const)
        ),
        begin: (connection) => connection.executeUnprepared("BEGIN IMMEDIATE", [], undefined),
        savepoint: (connection, id) => connection.executeUnprepared(`SAVEPOINT within_${id}`, [], undefined),
        // Set here because the caller may be interrupted between the commit and what follows it.
        commit: (connection) =>
          Effect.zipRight(
            connection.executeUnprepared("COMMIT", [], undefined),
            Effect.map(CurrentTransaction, (current) => {
              if (current !== undefined) current.isCommitted = true
            })
          ),
        // On a full disk SQLite has already rolled the transaction back, so ROLLBACK fails.
        rollback: (connection) => Effect.ignore(connection.executeUnprepared("ROLLBACK", [], undefined)),
        rollbackSavepoint: (connection, id) =>
          connection.executeUnprepared(`ROLLBACK TO SAVEPOINT within_${id}`, [], undefined)
      })

      /** Gives each attempt its own list, so that a retried attempt leaves nothing behind. */
      const attempt = <A, E, R>(work: Effect.Effect<A, E, R>) =>
        Effect.flatMap(CurrentTransaction, (outer) => {
          const own: Commitments = { queue: [], isCommitted: false }
          return Effect.onExit(
            Effect.provideService(runInTransaction(work), CurrentTransaction, own),
            (exit) => {
              if (outer === undefined) return own.isCommitted ? runRegistered(own) : Effect.void
              if (Exit.isSuccess(exit)) outer.queue.push(...own.queue)
              return Effect.void
            }
          )
        })

      return (work) => orUnavailable(attempt(work))
    })
  )
}
