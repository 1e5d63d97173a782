import { HttpApiBuilder } from "@effect/platform"
import { Effect } from "effect"
import { Api } from "../api/Api.ts"
import { VERSION } from "../version.ts"

/** Answers once the service is up: its layers, the migrations among them, are built before it listens. */
export const layer = HttpApiBuilder.group(Api, "status", (handlers) =>
  handlers.handle("healthz", () => Effect.succeed({ status: "ok" as const, version: VERSION }))
)
