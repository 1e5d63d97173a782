import { Data } from "effect"
import type { FailureKind } from "../domain/Enrichment.ts"

/**
 * A repository host did not answer usefully; `reason` is safe to log. `lasting`: asking again would not help.
 * `unavailable`: the host refuses every question for now.
 */
export class RepositoryError extends Data.TaggedError("RepositoryError")<{
  readonly reason: string
  readonly lasting?: boolean
  readonly unavailable?: boolean
}> {
  get kind(): FailureKind {
    if (this.unavailable === true) return "unavailable"
    return this.lasting === true ? "lasting" : "unreachable"
  }
}

/** Whether an HTTP status refuses for good, rather than for now. */
export const isLasting = (status: number): boolean => status < 500 && status !== 408 && status !== 429
