import { Effect, Stream } from "effect"
import { yieldToEventLoop } from "../runtime/Scheduling.ts"

/** Progress: `done` of `total` links. */
export interface Progress {
  readonly type: "progress"
  readonly done: number
  readonly total: number
}

/** Maximum number of progress steps. */
const MOST_STEPS = 500

/**
 * Makes the function that emits the share done of `total` links, at most 500 times: each step is a message to another
 * thread, which stores and announces it.
 */
export const makeProgress = (total: number, emit: (step: Progress) => Effect.Effect<void>) => {
  let emitted = -1
  return (share: number): Effect.Effect<void> =>
    Effect.suspend(() => {
      const part = Math.floor(share * MOST_STEPS)
      if (part === emitted) return Effect.void
      emitted = part
      return emit({ type: "progress", done: Math.floor(share * total), total })
    })
}

/** Rows per batch; the event loop runs between batches. */
const BATCH = 1_000

/** Calls `take` with every row of a table, read in batches by ascending id. */
export const eachRow = Effect.fnUntraced(function* <Row extends { readonly id: number }>(
  read: (after: number, limit: number) => Effect.Effect<ReadonlyArray<Row>>,
  take: (row: Row) => void
) {
  for (let after = 0; ; ) {
    const batch = yield* read(after, BATCH)
    for (const row of batch) take(row)
    const last = batch.at(-1)
    if (last === undefined) return
    after = last.id
    yield* yieldToEventLoop
  }
})

/** Runs work that emits steps, as a stream of those steps; if the work dies, so does the stream. */
export const streamOfSteps = <Step>(
  work: (emit: (step: Step) => Effect.Effect<void>) => Effect.Effect<void>
): Stream.Stream<Step> =>
  Stream.asyncPush<Step>((emit) =>
    work((step) => Effect.sync(() => void emit.single(step))).pipe(
      Effect.matchCause({
        onFailure: (cause) => emit.halt(cause),
        onSuccess: () => emit.end()
      }),
      Effect.forkScoped
    )
  )
