import { HttpServerRequest } from "@effect/platform"
import { Effect, Option } from "effect"
import { Setting } from "../config/Configuration.ts"
import { browserChannel } from "../gates/BrowserChannel.ts"

/** The public address of the service without a slash at its end; none if it is unset or its source is unreadable. */
export const publicAddress = Effect.map(
  Effect.orElseSucceed(Setting.publicUrl.config, () => Option.none<string>()),
  Option.map((url) => url.replace(/\/+$/, ""))
)

/**
 * The address of the service for the reader of a response: its public address, or the one that was asked, with https if the
 * browser reached it so.
 */
export const baseAddress = Effect.gen(function* () {
  const known = yield* publicAddress
  if (Option.isSome(known)) return known.value
  const request = yield* HttpServerRequest.HttpServerRequest
  const scheme = (yield* browserChannel(request)) === "https" ? "https" : "http"
  return `${scheme}://${request.headers["host"] ?? "localhost"}`
})
