import { Data, Effect } from "effect"
import { Setting } from "../domain/Configuration.ts"
import { isLoopback } from "./Loopback.ts"

/** The dashboard would be open to everybody who reaches the service over the network. */
export class DashboardExposed extends Data.TaggedError("DashboardExposed")<{ readonly host: string }> {
  override get message() {
    return (
      `DEV_NO_AUTH=1 opens the dashboard to everybody, and HOST=${this.host} can be reached from other machines. ` +
      "Unset DEV_NO_AUTH, or set HOST=127.0.0.1."
    )
  }
}

/**
 * Whether DEV_NO_AUTH opens the dashboard, and a loud line in the log if so.
 *
 * Fails, which must keep the service from starting, where HOST is not a loopback address.
 */
export const devNoAuth = Effect.gen(function* () {
  if (!(yield* Setting.devNoAuth.config)) return false
  const host = yield* Setting.host.config
  if (!isLoopback(host)) return yield* new DashboardExposed({ host })
  yield* Effect.logWarning("DEV_NO_AUTH=1: the dashboard is open to every program on this machine.")
  return true
})
