import { type Duration, Effect } from "effect"
import { directFetch } from "./DirectFetch.ts"
import { ProbeFailed } from "./ProbeFailed.ts"

/** The most of an answer that is read, in bytes. */
const MAX_BYTES = 65_536

/** An answer, read to its end. */
export interface Probed {
  readonly status: number
  readonly headers: Headers
  readonly body: string
}

/** A GET that follows no redirect and ends within `timeout`, body included. */
export const probe = (
  url: string,
  headers: Record<string, string>,
  timeout: Duration.DurationInput
): Effect.Effect<Probed, ProbeFailed> =>
  Effect.tryPromise({
    try: async (signal) => {
      const response = await directFetch(MAX_BYTES)(url, { signal, headers })
      return { status: response.status, headers: response.headers, body: await response.text() }
    },
    catch: () => new ProbeFailed({ reason: "unreachable" })
  }).pipe(Effect.timeoutFail({ duration: timeout, onTimeout: () => new ProbeFailed({ reason: "timeout" }) }))
