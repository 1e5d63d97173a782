import { HttpServerRequest } from "@effect/platform"
import { Effect, Option } from "effect"
import { publicAddress } from "../config/Addresses.ts"
import { browserChannel } from "../gates/BrowserChannel.ts"

/** The address that was asked, with https if the browser reached it so. */
export const requestAddress = Effect.gen(function* () {
  const request = yield* HttpServerRequest.HttpServerRequest
  const scheme = (yield* browserChannel(request)) === "https" ? "https" : "http"
  return `${scheme}://${request.headers["host"] ?? "localhost"}`
})

/** The address of the service for the reader of a response: its public address, or the one that was asked. */
export const baseAddress = Effect.flatMap(
  publicAddress,
  Option.match({ onNone: () => requestAddress, onSome: Effect.succeed })
)
