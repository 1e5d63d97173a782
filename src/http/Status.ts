import { HttpApiBuilder } from "@effect/platform"
import { Effect } from "effect"
import { Api } from "../api/Api.ts"
import { openApi } from "../api/OpenApi.ts"
import { VERSION } from "../version.ts"
import { conditional } from "./Conditional.ts"

/** What the service says of itself. It is up once this answers: its layers, the migrations among them, are built before. */
export const layer = HttpApiBuilder.group(
  Api,
  "status",
  Effect.fn(function* (handlers) {
    const document = yield* Effect.cached(Effect.sync(() => JSON.stringify(openApi(VERSION))))
    return handlers
      .handle("healthz", () => Effect.succeed({ status: "ok" as const, version: VERSION }))
      .handleRaw("openapi", () => Effect.flatMap(document, (text) => conditional(text, "application/json")))
  })
)
