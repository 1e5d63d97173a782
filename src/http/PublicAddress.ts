import { HttpServerRequest } from "@effect/platform"
import { Effect, Option } from "effect"
import { Setting } from "../config/Configuration.ts"

/** The public address of the service without a slash at its end; none if it is unset or its source is unreadable. */
export const publicAddress = Effect.map(
  Effect.orElseSucceed(Setting.publicUrl.config, () => Option.none<string>()),
  Option.map((url) => url.replace(/\/+$/, ""))
)

/**
 * The address of the service for the reader of a response: its public address, or the one that was asked, with https if a
 * proxy says so.
 */
export const baseAddress = Effect.gen(function* () {
  const { headers } = yield* HttpServerRequest.HttpServerRequest
  const scheme = headers["x-forwarded-proto"]?.toLowerCase() === "https" ? "https" : "http"
  return Option.getOrElse(yield* publicAddress, () => `${scheme}://${headers["host"] ?? "localhost"}`)
})
