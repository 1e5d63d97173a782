import { Data } from "effect"

/** A repository host did not answer usefully; `reason` is safe to log, `lasting` says that asking again would not help. */
export class RepositoryError extends Data.TaggedError("RepositoryError")<{
  readonly reason: string
  readonly lasting?: boolean
}> {}

/** Whether an HTTP status refuses for good, rather than for now. */
export const isLasting = (status: number): boolean => status < 500 && status !== 408 && status !== 429
