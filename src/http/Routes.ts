import { HttpLayerRouter, HttpServer, HttpServerResponse } from "@effect/platform"
import { Effect, Layer, Scope } from "effect"
import * as AccessGate from "../gates/AccessGate.ts"
import { extensionLayer } from "../gates/SecretGates.ts"
import * as Assets from "./Assets.ts"
import { ServedApi } from "./api/Api.ts"
import * as Body from "./Body.ts"
import * as Capture from "./Capture.ts"
import * as Dashboard from "./Dashboard.ts"
import * as Documentation from "./Documentation.ts"
import * as Envelope from "./Envelope.ts"
import * as Fallback from "./Fallback.ts"
import * as PublicApi from "./PublicApi.ts"
import { PublicRate } from "./PublicRate.ts"
import * as Webhook from "./Webhook.ts"

const groups = Layer.mergeAll(Capture.layer, Dashboard.layer, PublicApi.layer)
const middleware = Layer.mergeAll(extensionLayer, AccessGate.layer, Body.layer)

/**
 * Makes the router read paths as the front door does: `/Dashboard` and `//dashboard` are not `/dashboard`. Every server
 * of `layer` needs it.
 */
export const routerConfig = { caseSensitive: true, ignoreDuplicateSlashes: false }

/** Serves every route; the handlers of each group stand behind the gate that its endpoints name. */
export const layer = Layer.mergeAll(
  HttpLayerRouter.addHttpApi(ServedApi).pipe(Layer.provide(groups)),
  Webhook.layer,
  Fallback.layer,
  Assets.layer,
  Documentation.layer,
  Capture.preflight,
  Envelope.layer
).pipe(Layer.provide(middleware), Layer.provide([AccessGate.Access.layer, PublicRate.layer]))

const unavailable = HttpServerResponse.unsafeJson(
  { error: "unavailable", message: "The service is starting or stopping. Try again in a moment." },
  { status: 503, headers: { "retry-after": "2", "cache-control": "no-store", connection: "close" } }
)

/**
 * Answers requests with 503 while the server listens without routes: before they are built, and while a stopping
 * service waits for its running requests. Otherwise Bun's server would answer 404, which a sender may treat as final
 * and not retry.
 *
 * Must be built before the routes. Stays in place until the process ends, because the server restores its previous
 * handler.
 */
export const unavailableLayer = Layer.effectDiscard(
  Effect.gen(function* () {
    const { serve } = yield* HttpServer.HttpServer
    // This scope is never closed.
    yield* Scope.extend(serve(Effect.succeed(unavailable)), yield* Scope.make())
  })
)
