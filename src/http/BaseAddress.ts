import { HttpServerRequest } from "@effect/platform"
import { Effect, Option } from "effect"
import { browserUrlOf, publicAddress } from "../config/Addresses.ts"
import { Setting } from "../config/Configuration.ts"
import { browserChannel, isPrivateHost } from "../gates/BrowserChannel.ts"
import { parseHost } from "../gates/RequestHost.ts"

/** The address that was asked, with https if the browser reached it so. */
export const requestAddress = Effect.gen(function* () {
  const request = yield* HttpServerRequest.HttpServerRequest
  const scheme = (yield* browserChannel(request)) === "https" ? "https" : "http"
  return `${scheme}://${request.headers["host"] ?? "localhost"}`
})

/** The address of the service for its owner, who asks: its public address, or the one that was asked. */
export const baseAddress = Effect.flatMap(
  publicAddress,
  Option.match({ onNone: () => requestAddress, onSome: Effect.succeed })
)

/**
 * The address of the service that may be told to others: its public address, or the one that was asked if that is on
 * this machine or a private network. Whoever sends a request chooses its `Host`, so a name on the internet may be
 * anybody's.
 */
export const knownAddress = Effect.gen(function* () {
  const published = yield* publicAddress
  if (Option.isSome(published)) return published
  const { headers } = yield* HttpServerRequest.HttpServerRequest
  const host = parseHost(headers["host"] ?? "localhost")
  return host !== undefined && isPrivateHost(host) ? Option.some(yield* requestAddress) : Option.none()
})

/** The address of the service in a feed, whose reader may be anybody. */
export const feedBase = Effect.flatMap(
  knownAddress,
  Option.match({
    onNone: () => Effect.zipWith(Setting.host.config, Setting.port.config, browserUrlOf),
    onSome: Effect.succeed
  })
).pipe(Effect.orDie)
