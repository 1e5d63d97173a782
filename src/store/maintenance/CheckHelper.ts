import { Context, Deferred, Effect, Exit, Layer, type Scope } from "effect"
import type { TableCheck } from "./TableCheck.ts"

/** Starts to take part in a check; returns what waits for the tables that it found sound, none if it died. */
type Help = (check: TableCheck) => Effect.Effect<Effect.Effect<ReadonlyArray<string>>, never, Scope.Scope>

/** Size of a library, in bytes, from which help is worth another thread. */
export const LARGE = 64 * 1024 * 1024

/** A second thread that helps to check a library; undefined on a machine with one processor. */
export class CheckHelper extends Context.Reference<CheckHelper>()("CheckHelper", {
  defaultValue: (): Help | undefined => undefined
}) {
  /** A thread for each check, if there is a processor for it. `spawn` starts one that takes part in what it is sent. */
  static readonly layer = (spawn: () => Worker) =>
    Layer.succeed(
      this,
      navigator.hardwareConcurrency > 1
        ? (check) =>
            Effect.gen(function* () {
              const sound = yield* Deferred.make<ReadonlyArray<string>>()
              const end = (tables: ReadonlyArray<string>) => Deferred.unsafeDone(sound, Exit.succeed(tables))
              const worker = yield* Effect.acquireRelease(Effect.try(spawn), (running) =>
                Effect.sync(() => running.terminate())
              )
              worker.addEventListener("message", ({ data }: MessageEvent<ReadonlyArray<string>>) => end(data))
              worker.addEventListener("error", () => end([]))
              worker.addEventListener("close", () => end([]))
              worker.postMessage(check)
              return Deferred.await(sound)
            }).pipe(Effect.orElseSucceed(() => Effect.succeed([])))
        : undefined
    )
}
