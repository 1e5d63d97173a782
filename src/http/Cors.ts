import { HttpLayerRouter, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Effect } from "effect"

/** A browser extension's own origin, in Chrome, Firefox and Safari. */
const extension = /^(chrome|moz|safari-web)-extension:\/\/[\w.-]+$/i

const allowing = (origin: string | undefined): Record<string, string> =>
  origin !== undefined && extension.test(origin)
    ? {
        "access-control-allow-origin": origin,
        "access-control-expose-headers": "retry-after",
        vary: "Origin"
      }
    : { vary: "Origin" }

/** Lets extensions, and no web page, read the answers of the capture endpoint (CORS, without credentials). */
export const layer = HttpLayerRouter.middleware(
  (handler) =>
    Effect.gen(function* () {
      const { headers, url } = yield* HttpServerRequest.HttpServerRequest
      const response = yield* handler
      return url.startsWith("/capture/")
        ? HttpServerResponse.setHeaders(response, allowing(headers["origin"]))
        : response
    }),
  { global: true }
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
