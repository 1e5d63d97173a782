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

/** A job as stored, with its progress (`done` of `total` links) and its result. */
export const Job = Schema.Struct({
  id: Schema.Int,
  action: JobAction,
  /** The link that a job about a single link is for. */
  subject: Schema.NullOr(LinkId),
  state: JobState,
  done: Schema.Int,
  total: Schema.Int,
  result: Schema.NullOr(Schema.parseJson(Schema.Unknown)),
  error: Schema.NullOr(Schema.String),
  /** Why a running job waits, in a sentence; only the process that runs the job knows it. */
  waiting: Schema.optionalWith(Schema.NullOr(Schema.String), { default: () => null }),
  undo: Schema.NullOr(Schema.String),
  /** Where to resume after an interruption. */
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

/** Import result: links added, merged and rejected. */
export const ImportResult = Schema.Struct({
  /** The format's name as shown to the user. */
  format: Schema.String,
  /** The number of links in the file, including duplicates and rejected ones. */
  found: Schema.Int,
  created: Schema.Int,
  /** The number of links marked as shared, which only Linkbower's own export does. */
  shared: Schema.Int,
  /** The number of links already in the library or earlier in the file. */
  merged: Schema.Int,
  rejected: Schema.Int,
  /** The first 1,000 rejected entries: the position in the file, counted in lines or items, and the reason. */
  rejects: Schema.Array(Schema.Struct({ place: Schema.Int, reason: Schema.String })),
  counts: Schema.Literal("line", "item")
})
export type ImportResult = typeof ImportResult.Type
