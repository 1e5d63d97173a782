import { type Duration, Effect, Option, Schema } from "effect"
import { FetchError, Fetcher } from "./Fetcher.ts"
import { ProbeFailed, statusFailed } from "./ProbeFailed.ts"
import { probe } from "./ProbeRequest.ts"

/** What a Linkbower answers at `/healthz`. */
const Health = Schema.Struct({ status: Schema.Literal("ok"), version: Schema.String })
const decode = Schema.decodeUnknown(Schema.parseJson(Health))

/** Such an answer is far shorter, in bytes. */
const MAX_BYTES = 4_096

/** The version of the Linkbower that answers `/healthz` below this address, which may be any on this machine. */
export const healthOf = Effect.fn("HealthProbe.healthOf")(function* (
  base: string,
  timeout: Duration.DurationInput
) {
  const { body, status } = yield* probe(`${base}/healthz`, { accept: "application/json" }, timeout)
  if (status !== 200) return yield* statusFailed(status)
  const { version } = yield* Effect.mapError(decode(body), () => new ProbeFailed({ reason: "garbage" }))
  return version
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
