import { type Duration, Effect, Option, Schema } from "effect"
import { HealthReport } from "../domain/Health.ts"
import { FetchError, Fetcher } from "./Fetcher.ts"
import { ProbeFailed, statusFailed } from "./ProbeFailed.ts"
import { probe } from "./ProbeRequest.ts"

const decode = Schema.decodeUnknown(Schema.parseJson(HealthReport))

/** Such an answer is far shorter, in bytes. */
const MAX_BYTES = 4_096

/** The report of the Linkbower that answers `/healthz` below this address, which may be any on this machine. */
export const healthOf = Effect.fn("HealthProbe.healthOf")(function* (
  base: string,
  timeout: Duration.DurationInput
) {
  const { body, status } = yield* probe(`${base}/healthz`, { accept: "application/json" }, timeout)
  const report = yield* Effect.option(decode(body))
  if (Option.isSome(report)) return report.value
  return yield* status === 200 ? new ProbeFailed({ reason: "garbage" }) : statusFailed(status)
})

/** The same for an address of the internet: who answers in the end, and its version where it is a Linkbower. */
export const healthOutside = Effect.fn("HealthProbe.healthOutside")(function* (
  address: URL,
  timeout: Duration.DurationInput
) {
  const fetcher = yield* Fetcher
  const { body, url } = yield* fetcher
    .fetch(address, { accept: "application/json", readable: () => true, maxBytes: MAX_BYTES })
    .pipe(Effect.timeoutFail({ duration: timeout, onTimeout: () => new FetchError({ reason: "timeout" }) }))
  const health = yield* Effect.option(decode(new TextDecoder().decode(body)))
  return { url, version: Option.map(health, ({ version }) => version) }
})
