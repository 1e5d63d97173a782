import { Data } from "effect"

/**
 * A server did not answer a probe as it should; it holds no address and no credential.
 *
 * `refused`: the credential does not count. `missing`: there is no such thing there. `limited`: not now, for too many
 * requests. `status`: any other status. `garbage`: an answer of another shape.
 */
export class ProbeFailed extends Data.TaggedError("ProbeFailed")<{
  readonly reason: "unreachable" | "timeout" | "refused" | "missing" | "limited" | "status" | "garbage"
  /** The HTTP status, where there was an answer. */
  readonly status?: number
}> {}

/** What a status that is no success tells. */
export const statusFailed = (status: number): ProbeFailed => {
  if (status === 401 || status === 403) return new ProbeFailed({ reason: "refused", status })
  if (status === 404) return new ProbeFailed({ reason: "missing", status })
  return new ProbeFailed({ reason: status === 429 ? "limited" : "status", status })
}
