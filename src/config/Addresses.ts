import { Effect, Option } from "effect"
import { isLoopback } from "../runtime/AddressRanges.ts"
import { Setting } from "./Configuration.ts"

const withoutBrackets = (host: string) => host.replace(/^\[(.*)\]$/, "$1")

/** The URL at which this machine reaches a service that listens on `host`: loopback if it listens on every address. */
export const localUrlOf = (host: string, port: number): string => {
  const bare = withoutBrackets(host)
  const name = bare === "0.0.0.0" ? "127.0.0.1" : bare === "::" ? "::1" : bare
  return `http://${name.includes(":") ? `[${name}]` : name}:${port}`
}

/** `localhost` in place of a loopback address, because passkeys belong to names. */
export const browserUrlOf = (host: string, port: number): string => {
  const url = localUrlOf(host, port)
  return isLoopback(new URL(url).hostname) ? `http://localhost:${port}` : url
}

/** The public address of the service without a slash at its end; none if it is unset or its source is unreadable. */
export const publicAddress: Effect.Effect<Option.Option<string>> = Effect.map(
  Effect.orElseSucceed(Setting.publicUrl.config, () => Option.none<string>()),
  Option.map((url) => url.replace(/\/+$/, ""))
)

/** The address at which the owner's browser reaches the service: the public one, or `local` without one. */
export const ownersAddress = (local: string): Effect.Effect<string> =>
  Effect.map(
    publicAddress,
    Option.getOrElse(() => local)
  )

/** The address at which the owner's browser reaches the service, by its settings alone. */
export const ownAddress = Effect.gen(function* () {
  return yield* ownersAddress(browserUrlOf(yield* Setting.host.config, yield* Setting.port.config))
})
