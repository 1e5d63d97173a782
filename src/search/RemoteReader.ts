import { Data, Effect, Layer, Stream } from "effect"
import { Health } from "../domain/Health.ts"
import { makeThread, type Thread, type ThreadOptions, type ThreadUnavailable } from "../runtime/Thread.ts"
import { Reader, ReaderUnavailable } from "./Reader.ts"
import { FindDuplicates, Nearest, PlanFiling, Rank } from "./ReaderProtocol.ts"

/** How long loading a large library's index may take. */
const START = "2 minutes"
/** How long a search may take. */
const SEARCH = "20 seconds"
/** How long a plan may work between two of its steps. */
const STEP = "10 minutes"

/** The search thread did not start, so the service cannot. */
export class ReaderNotStarted extends Data.TaggedError("ReaderNotStarted")<{ readonly reason: string }> {
  override get message() {
    return `The search thread did not start: ${this.reason}`
  }
}

const notStarted = ({ detail, reason }: ThreadUnavailable) =>
  new ReaderNotStarted({
    reason: detail ?? (reason === "slow" ? `it was not ready after ${START}.` : "it died. The log says more.")
  })

/** Logs why the thread cannot answer, and fails with the error that callers know. */
const orUnavailable = ({ detail, reason }: ThreadUnavailable) =>
  Effect.zipRight(
    Effect.logWarning("The search thread cannot answer", { reason, detail }),
    new ReaderUnavailable({ reason })
  )

/**
 * The reader in separate threads: one for searches, which is ready before the layer is, and one for each plan, which ends
 * with the plan. Neither requests nor searches wait for a plan. `spawn` starts a thread that answers `ReaderRequest`.
 */
export const layer = (spawn: () => Worker) =>
  Layer.scoped(
    Reader,
    Effect.gen(function* () {
      const health = yield* Health
      const options: ThreadOptions = { name: "search", spawn, starting: START, most: 1_000, patience: SEARCH }
      const searches = yield* makeThread({
        ...options,
        onChange: (isAnswering) => health.set("search", !isAnswering)
      })
      yield* Effect.mapError(searches.start, notStarted)

      const planning = makeThread({ ...options, name: "plan", patience: STEP })
      /** A thread for one stream, which ends with it. */
      const alone = <A>(work: (thread: Thread) => Stream.Stream<A, ReaderUnavailable | ThreadUnavailable>) =>
        Stream.unwrapScoped(Effect.map(planning, work)).pipe(
          Stream.catchTag("ThreadUnavailable", (error) => Stream.fromEffect(orUnavailable(error)))
        )
      const search = <A>(asked: Effect.Effect<A, ReaderUnavailable | ThreadUnavailable>) =>
        Effect.catchTag(asked, "ThreadUnavailable", orUnavailable)

      // Progress may come twice; moves and groups may not.
      const isProgress = ({ type }: { readonly type: string }) => type === "progress"
      return {
        rank: (request) => search(searches.ask(new Rank({ request }))),
        nearest: (embedder, vector, k) => search(searches.ask(new Nearest({ embedder, k, vector }))),
        planFiling: (embedder) => alone((thread) => thread.stream(new PlanFiling({ embedder }), isProgress)),
        findDuplicates: (embedder) =>
          alone((thread) => thread.stream(new FindDuplicates({ embedder }), isProgress))
      }
    })
  )
