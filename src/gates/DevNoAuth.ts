import { Data, Effect, Option } from "effect"
import { Setting } from "../config/Configuration.ts"
import { isLoopback } from "./RequestHost.ts"

/** DEV_NO_AUTH would open the dashboard to everyone who can reach the service over the network. */
class DashboardExposed extends Data.TaggedError("DashboardExposed")<{
  /** The setting that makes the service reachable from other machines. */
  readonly setting: "HOST" | "PUBLIC_URL"
  readonly value: string
}> {
  override get message() {
    return this.setting === "HOST"
      ? `DEV_NO_AUTH=1 opens the dashboard to everyone, but HOST=${this.value} is reachable from other machines. ` +
          "Unset DEV_NO_AUTH, or set HOST=127.0.0.1."
      : `DEV_NO_AUTH=1 opens the dashboard to everyone, but PUBLIC_URL=${this.value} is a public address. ` +
          "Unset DEV_NO_AUTH or PUBLIC_URL."
  }
}

/** Returns the error if HOST or PUBLIC_URL rules out DEV_NO_AUTH; undefined if both name only this machine. */
export const exposureError = (host: string, publicUrl: string | undefined): DashboardExposed | undefined => {
  if (!isLoopback(host)) return new DashboardExposed({ setting: "HOST", value: host })
  return publicUrl === undefined || isLoopback(URL.parse(publicUrl)?.hostname ?? "")
    ? undefined
    : new DashboardExposed({ setting: "PUBLIC_URL", value: publicUrl })
}

/**
 * Whether DEV_NO_AUTH opens the dashboard; logs a warning if so.
 *
 * Fails, which must keep the service from starting, if HOST or PUBLIC_URL is not a loopback address.
 */
export const devNoAuth = Effect.gen(function* () {
  if (!(yield* Setting.devNoAuth.config)) return false
  const publicUrl = Option.getOrUndefined(yield* Setting.publicUrl.config)
  const exposed = exposureError(yield* Setting.host.config, publicUrl)
  if (exposed !== undefined) return yield* exposed
  yield* Effect.logWarning("DEV_NO_AUTH=1: the dashboard is open to every program on this machine.")
  return true
})
