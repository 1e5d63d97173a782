import { HttpApiBuilder } from "@effect/platform"
import { Effect, Option } from "effect"
import { LinkId } from "../domain/Link.ts"
import { ReadingPositions } from "../library/ReadingPositions.ts"
import { Api } from "./api/Api.ts"
import { NotFound, Unavailable } from "./api/Failures.ts"

/** Handles the owner's API for reading kept articles. */
export const layer = HttpApiBuilder.group(
  Api,
  "reading",
  Effect.fn(function* (handlers) {
    const positions = yield* ReadingPositions
    return handlers
      .handle("position", ({ path }) =>
        Effect.map(positions.of(LinkId.make(path.id)), (position) => ({
          position: Option.getOrNull(position)
        }))
      )
      .handle("report", ({ path, payload }) =>
        positions.report(LinkId.make(path.id), payload).pipe(
          Effect.map((position) => ({ position })),
          Effect.catchTags({
            LinkNotFound: ({ message }) => new NotFound(message),
            StoreUnavailable: () => new Unavailable()
          })
        )
      )
  })
)
