import { Context, DateTime, Duration, Effect, Layer, type Option } from "effect"
import type { LinkId, LinkNotFound } from "../domain/Link.ts"
import type { ReadingPosition, ReportedPosition } from "../domain/ReadingPosition.ts"
import type { StoreUnavailable } from "../domain/StoreUnavailable.ts"
import { PositionStore } from "../store/pages/PositionStore.ts"

/** How far the owner has read each kept article, on whatever device. */
export class ReadingPositions extends Context.Tag("ReadingPositions")<
  ReadingPositions,
  {
    readonly of: (id: LinkId) => Effect.Effect<Option.Option<ReadingPosition>>
    /** Keeps a reported position unless a newer one is kept; returns the newest one. */
    readonly report: (
      id: LinkId,
      reported: ReportedPosition
    ) => Effect.Effect<ReadingPosition, LinkNotFound | StoreUnavailable>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const store = yield* PositionStore
      return {
        of: store.read,
        report: Effect.fn("ReadingPositions.report")(function* (id, { age = 0, at, offset }) {
          const readAt = DateTime.subtractDuration(yield* DateTime.now, Duration.seconds(age))
          return yield* store.write(id, { at, offset, updatedAt: DateTime.formatIso(readAt) })
        })
      }
    })
  )
}
