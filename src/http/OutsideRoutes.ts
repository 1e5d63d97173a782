import { HttpServer, HttpServerResponse } from "@effect/platform"
import { Effect, Layer, Scope } from "effect"

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
export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const { serve } = yield* HttpServer.HttpServer
    // This scope is never closed.
    yield* Scope.extend(serve(Effect.succeed(unavailable)), yield* Scope.make())
  })
)
