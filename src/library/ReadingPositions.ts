import { Context, DateTime, Duration, Effect, Layer } from "effect"
import type { LinkId } from "../domain/Link.ts"
import type { ReportedPosition } from "../domain/ReadingPosition.ts"
import { PositionStore } from "../store/pages/PositionStore.ts"

const make = Effect.gen(function* () {
  const store = yield* PositionStore
  return {
    of: store.read,
    /** Keeps a reported position unless a newer one is kept; returns the newest one. */
    report: Effect.fn("ReadingPositions.report")(function* (
      id: LinkId,
      { age = 0, at, offset }: ReportedPosition
    ) {
      const readAt = DateTime.subtractDuration(yield* DateTime.now, Duration.seconds(age))
      return yield* store.write(id, { at, offset, updatedAt: DateTime.formatIso(readAt) })
    })
  }
})

/** How far the owner has read each kept article, on whatever device. */
export class ReadingPositions extends Context.Tag("ReadingPositions")<
  ReadingPositions,
  Effect.Effect.Success<typeof make>
>() {
  static readonly make = make
  static readonly layer = Layer.effect(this, this.make)
}
