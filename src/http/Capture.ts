import { createHash } from "node:crypto"
import { HttpApiBuilder, HttpLayerRouter, HttpServerResponse } from "@effect/platform"
import { Duration, Effect, Option } from "effect"
import { Setting } from "../config/Configuration.ts"
import type { Capture } from "../domain/Capture.ts"
import { parseWebUrl } from "../domain/WebUrl.ts"
import { CaptureLink } from "../library/CaptureLink.ts"
import { Api } from "./api/Api.ts"
import { BadRequest, IdempotencyKeyReused, Unavailable } from "./api/Failures.ts"
import type { CaptureHeaders } from "./api/Parameters.ts"

/** Maximum wait for a save, because the server closes a connection that is silent for 30 seconds. */
const MAX_WAIT = Duration.seconds(25)
/**
 * Maximum length of an idempotency key; a longer one is replaced by its digest, because truncation could make two keys
 * equal.
 */
const MAX_KEY = 200

const keyOf = (given: string | undefined) => {
  if (!given) return crypto.randomUUID()
  return given.length <= MAX_KEY ? given : createHash("sha256").update(given).digest("hex")
}

interface CaptureRequest {
  readonly payload: Capture
  readonly headers: typeof CaptureHeaders.Type
}

/**
 * Stores the request's capture, waits a while for its save and answers; the response reveals nothing about the library.
 */
export const submitCapture = Effect.fn("Capture.submit")(function* (
  captures: CaptureLink["Type"],
  { headers, payload }: CaptureRequest
) {
  const url = parseWebUrl(payload.url)
  if (Option.isNone(url)) return yield* new BadRequest('The field "url" must be an http or https address.')
  const key = keyOf(headers["idempotency-key"])
  const configured = Effect.orElseSucceed(Setting.captureWait.config, () => MAX_WAIT)
  const wait = Duration.min(yield* configured, MAX_WAIT)
  return yield* Effect.catchTags(captures.submit(payload, url.value, key, wait), {
    KeyReused: () => new IdempotencyKeyReused(),
    StoreUnavailable: () => new Unavailable()
  })
})

/** Handles the extension's captures. */
export const layer = HttpApiBuilder.group(
  Api,
  "capture",
  Effect.fn(function* (handlers) {
    const captures = yield* CaptureLink
    return handlers.handle("link", (request) => submitCapture(captures, request))
  })
)

/** Answers the CORS preflight request for a capture; a preflight needs no token. */
export const preflight = HttpLayerRouter.add(
  "OPTIONS",
  "/capture/api/link",
  Effect.succeed(
    HttpServerResponse.empty({
      status: 204,
      headers: {
        "access-control-allow-methods": "POST",
        "access-control-allow-headers": "authorization, content-type, idempotency-key",
        "access-control-max-age": "86400"
      }
    })
  )
)
