import { HttpApiBuilder } from "@effect/platform"
import { Effect, Option } from "effect"
import { LinkId } from "../domain/Link.ts"
import { KeepPages } from "../library/KeepPages.ts"
import { PositionStore } from "../store/pages/PositionStore.ts"
import { Api } from "./api/Api.ts"

export const layer = HttpApiBuilder.group(
  Api,
  "reading",
  Effect.fn(function* (handlers) {
    const pages = yield* KeepPages
    const positions = yield* PositionStore
    return handlers
      .handle("position", ({ path }) =>
        Effect.map(positions.read(LinkId.make(path.id)), (position) => ({
          position: Option.getOrNull(position)
        }))
      )
      .handle("report", ({ path, payload }) =>
        Effect.map(pages.reportPosition(LinkId.make(path.id), payload), (position) => ({ position }))
      )
  })
)
