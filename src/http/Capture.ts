import { createHash } from "node:crypto"
import { HttpApiBuilder, HttpLayerRouter, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Duration, Effect, Option } from "effect"
import { Setting } from "../config/Configuration.ts"
import { Capture } from "../domain/Capture.ts"
import { parseWebUrl } from "../domain/WebUrl.ts"
import { CaptureLink } from "../library/CaptureLink.ts"
import { Api } from "./api/Api.ts"
import { BadRequest, IdempotencyKeyReused, Unavailable } from "./api/Failures.ts"
import { readJson } from "./Body.ts"

/** A connection on which nothing is said is closed after 30 seconds, so no answer waits longer than this. */
const LONGEST_WAIT = Duration.seconds(25)
/** A longer idempotency key is kept as its digest, so that none is cut to another one. */
const MAX_KEY = 200

const keyOf = (given: string | undefined) => {
  if (!given) return crypto.randomUUID()
  return given.length <= MAX_KEY ? given : createHash("sha256").update(given).digest("hex")
}

/** Keeps the capture that the request carries, waits a while for its save and answers; the answer tells nothing of the library. */
export const submitCapture = Effect.fn("Capture.submit")(function* (captures: CaptureLink["Type"]) {
  const { headers } = yield* HttpServerRequest.HttpServerRequest
  const capture = yield* readJson(Capture)
  const url = parseWebUrl(capture.url)
  if (Option.isNone(url)) return yield* new BadRequest('The field "url" must be an http or https address.')
  const key = keyOf(headers["idempotency-key"])
  const configured = Effect.orElseSucceed(Setting.captureWait.config, () => LONGEST_WAIT)
  const wait = Duration.min(yield* configured, LONGEST_WAIT)
  const answer = yield* Effect.catchTags(captures.submit(capture, url.value, key, wait), {
    KeyReused: () => new IdempotencyKeyReused(),
    StoreUnavailable: () => new Unavailable()
  })
  return HttpServerResponse.unsafeJson(answer, { status: answer.status === "saved" ? 200 : 202 })
})

/** Takes in what the extension captures. */
export const layer = HttpApiBuilder.group(
  Api,
  "capture",
  Effect.fn(function* (handlers) {
    const captures = yield* CaptureLink
    return handlers.handleRaw("link", () => submitCapture(captures))
  })
)

/** Answers a browser's question whether an extension may send a capture; the token is not needed to ask. */
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
