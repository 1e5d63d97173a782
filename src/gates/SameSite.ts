import { HttpServerRequest } from "@effect/platform"
import { Effect, Layer } from "effect"
import { Forbidden } from "../api/Failures.ts"
import { SameSiteGate } from "../api/Gates.ts"
import { Measure } from "../domain/Metrics.ts"

type Headers = Readonly<Record<string, string | undefined>>

const safe: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"])

/**
 * Whether a request that changes something comes from the service's own pages, or from no browser at all.
 *
 * `Sec-Fetch-Site` decides where a browser sends it (Fetch Metadata, W3C); else `Origin` must be the host asked.
 */
export const isSameSite = (headers: Headers): boolean => {
  const site = headers["sec-fetch-site"]
  if (site !== undefined) return site === "same-origin" || site === "none"
  const origin = headers["origin"]
  return origin === undefined || isOwn(origin, headers["host"])
}

/** Parsed alike, so that a default port or capitals make no difference. */
const isOwn = (origin: string, host: string | undefined) => {
  const from = URL.parse(origin)
  if (from === null || host === undefined || !/^https?:$/.test(from.protocol)) return false
  return from.host === URL.parse(`${from.protocol}//${host}`)?.host
}

/** Fails for a request from another site that is not a mere reading one. */
export const pass = Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ headers, method }) =>
  safe.has(method) || isSameSite(headers)
    ? Effect.void
    : Effect.zipRight(Measure.gateRefusals.count("same-site"), new Forbidden())
)

export const layer = Layer.succeed(SameSiteGate, pass)
