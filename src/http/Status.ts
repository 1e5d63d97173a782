import { HttpApiBuilder, HttpServerResponse } from "@effect/platform"
import { Effect } from "effect"
import { Health } from "../domain/Health.ts"
import { VERSION } from "../version.ts"
import { Api, openApi } from "./api/Api.ts"
import { conditionalResponse } from "./EmbeddedFile.ts"

/** Handles the health report and the OpenAPI document. Answers once every layer is built, migrations included. */
export const layer = HttpApiBuilder.group(
  Api,
  "status",
  Effect.fn(function* (handlers) {
    const document = yield* Effect.cached(Effect.sync(() => JSON.stringify(openApi(VERSION))))
    const health = yield* Health
    return handlers
      .handleRaw("healthz", () =>
        Effect.map(health.current, ({ problems, status }) =>
          HttpServerResponse.unsafeJson(
            { status, version: VERSION, problems },
            { status: status === "failing" ? 503 : 200 }
          )
        )
      )
      .handleRaw("openapi", () =>
        Effect.flatMap(document, (text) => conditionalResponse(text, "application/json"))
      )
  })
)
