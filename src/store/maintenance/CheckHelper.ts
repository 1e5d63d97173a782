import { Context, Deferred, Effect, Exit, Layer, type Scope } from "effect"
import { type CheckedTables, endCheck, type TableCheck } from "./TableCheck.ts"

/** Starts to take part in a check; returns what waits for the tables that it checked, none if it died. */
type Help = (check: TableCheck) => Effect.Effect<Effect.Effect<CheckedTables>, never, Scope.Scope>

/** Size of a library, in bytes, from which help is worth another thread. */
export const LARGE = 64 * 1024 * 1024

/** How long a thread that is no longer needed may take to end the check of its table. */
const CLOSE_TIMEOUT = "2 seconds"

/** A second thread that checks a library or helps with it; undefined if the program starts none. */
export class CheckHelper extends Context.Reference<CheckHelper>()("CheckHelper", {
  defaultValue: (): Help | undefined => undefined
}) {
  /** A thread for each check. `spawn` starts one that takes part in what it is sent. */
  static readonly layer = (spawn: () => Worker) =>
    Layer.succeed(this, (check) =>
      Effect.gen(function* () {
        const checked = yield* Deferred.make<CheckedTables>()
        const end = (tables: CheckedTables) => Deferred.unsafeDone(checked, Exit.succeed(tables))
        // A thread that is terminated in the middle of its work can keep the process from ending.
        const ended = Effect.sync(() => endCheck(check)).pipe(
          Effect.zipRight(Effect.timeoutOption(Effect.interruptible(Deferred.await(checked)), CLOSE_TIMEOUT))
        )
        const worker = yield* Effect.acquireRelease(Effect.try(spawn), (running) =>
          Effect.zipRight(
            ended,
            Effect.sync(() => running.terminate())
          )
        )
        worker.addEventListener("message", ({ data }: MessageEvent<CheckedTables>) => end(data))
        worker.addEventListener("error", () => end([]))
        worker.addEventListener("close", () => end([]))
        worker.postMessage(check)
        return Deferred.await(checked)
      }).pipe(Effect.orElseSucceed(() => Effect.succeed([])))
    )
}
