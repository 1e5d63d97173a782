import { type Cause, Effect } from "effect"
import { Health } from "../domain/Health.ts"
import { storageFailureIn } from "../store/StorageFailure.ts"

/**
 * Whether the library's database caused a failure, which the caller can only answer by asking to retry; reports a
 * problem of the whole service to `Health`. Logs nothing: the connection logs the failure, and health logs the change.
 */
export const reportStorageFailure = Effect.fnUntraced(function* (cause: Cause.Cause<unknown>) {
  const failure = storageFailureIn(cause)
  if (failure?.problem !== undefined) yield* (yield* Health).set(failure.problem, true)
  return failure !== undefined
})
