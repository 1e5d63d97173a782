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
