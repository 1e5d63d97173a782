import { Effect, Stream } from "effect"
import { nextTurn } from "../runtime/Scheduling.ts"

/** So many of so many links are done. */
export interface Progress {
  readonly type: "progress"
  readonly done: number
  readonly total: number
}

/** Progress as the share of all links that is done. */
export const progressAt = (share: number, total: number): Progress => ({
  type: "progress",
  done: Math.floor(share * total),
  total
})

/** Rows read at a time, so that the event loop turns in between. */
const BATCH = 1_000

/** Takes every row of a table that is read in the order of its numbers. */
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
    yield* nextTurn
  }
})

/** Work that tells how far it has come, as the stream of what it tells; where it crashes the stream does too. */
export const stepsOf = <Step>(
  work: (tell: (step: Step) => Effect.Effect<void>) => Effect.Effect<void>
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
