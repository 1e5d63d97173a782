import { Schema } from "effect"
import { LinkId } from "./Link.ts"

/** Work on the library that takes longer than a request. */
export const JobAction = Schema.Literal(
  "refresh",
  "recategorize",
  "organize",
  "dupes",
  "reindex",
  "import",
  "read",
  "retry"
)
export type JobAction = typeof JobAction.Type

export const JobState = Schema.Literal("running", "done", "failed", "interrupted")
export type JobState = typeof JobState.Type

/** A job as it is kept: `done` of `total` links, and what came of it. */
export const Job = Schema.Struct({
  id: Schema.Int,
  action: JobAction,
  /** The link a job about one link is about. */
  subject: Schema.NullOr(LinkId),
  state: JobState,
  done: Schema.Int,
  total: Schema.Int,
  result: Schema.NullOr(Schema.parseJson(Schema.Unknown)),
  error: Schema.NullOr(Schema.String),
  /** Why it waits, in a sentence, while it runs and waits; known to the process that runs it alone. */
  waiting: Schema.optionalWith(Schema.NullOr(Schema.String), { default: () => null }),
  undo: Schema.NullOr(Schema.String),
  /** Where it goes on, should it be interrupted. */
  resume: Schema.NullOr(Schema.parseJson(Schema.Unknown)),
  startedAt: Schema.String,
  endedAt: Schema.NullOr(Schema.String)
})
export type Job = typeof Job.Type

/** No job has this number. */
export class JobNotFound extends Schema.TaggedError<JobNotFound>()("JobNotFound", { id: Schema.Int }) {
  override get message() {
    return `There is no job ${this.id}.`
  }
}

/** What came of a file. */
export const ImportResult = Schema.Struct({
  /** As a person calls the format. */
  format: Schema.String,
  /** How many links the file holds, repetitions and rejected ones included. */
  found: Schema.Int,
  created: Schema.Int,
  /** How many links the file marks as shared, which only Linkbower's own export does. */
  shared: Schema.Int,
  /** Those that were in the library already, or stood in the file before. */
  merged: Schema.Int,
  rejected: Schema.Int,
  /** The first 1,000 that were rejected: where in the file they stand, counted in lines or in items, and why. */
  rejects: Schema.Array(Schema.Struct({ place: Schema.Int, reason: Schema.String })),
  counts: Schema.Literal("line", "item")
})
export type ImportResult = typeof ImportResult.Type
