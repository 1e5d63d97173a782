import { Either, Schema, Struct } from "effect"
import { importWarnings } from "../shared/ImportWarnings.ts"
import { Author } from "./Author.ts"
import { Field } from "./Change.ts"
import { Link, LinkId } from "./Link.ts"

export const JobAction = Schema.Literal(
  "refresh",
  "recategorize",
  "organize",
  "dupes",
  "reindex",
  "import",
  "read",
  "keep",
  "retry",
  "check",
  "undo"
)
export type JobAction = typeof JobAction.Type

export const JobState = Schema.Literal("running", "done", "failed", "interrupted")
export type JobState = typeof JobState.Type

const count = (description: string) => Schema.Int.annotations({ description })

const takenBack = Schema.optionalWith(
  Schema.Literal(true).annotations({ description: "Present while the job’s changes are undone." }),
  { exact: true }
)

const Recategorized = Schema.Struct({
  changed: count("Links whose category changed."),
  categories: count("The number of categories now."),
  takenBack
})

const organizeCounts = {
  filed: count("Links filed, or that would be filed."),
  collections: count("New collections among those they were filed in."),
  formed: Schema.optionalWith(
    Schema.Array(Schema.String).annotations({
      description: "The names of the new collections in `moves`; left out of lists and events."
    }),
    { exact: true }
  ),
  dryRun: Schema.optionalWith(
    Schema.Boolean.annotations({ description: "Set if the job only reports what it would do." }),
    { exact: true }
  ),
  takenBack
}

const move = {
  id: LinkId,
  to: Schema.String.annotations({ description: "The name of the collection." }),
  because: Schema.Array(Schema.Int).annotations({
    description: "The links that it is filed with, most similar first."
  }),
  similarity: Schema.Number,
  sure: Schema.optionalWith(
    Schema.Boolean.annotations({
      description: "Whether about 85 of 100 such moves are correct; a preview ticks these at first."
    }),
    { default: () => false }
  )
}

export const Move = Schema.Struct({ ...move, title: Schema.String })

const group = {
  reason: Schema.Literal("same-page", "near-identical"),
  similarity: Schema.Number,
  copies: Schema.optionalWith(
    Schema.Literal(true).annotations({
      description: "Set if a link may be a copy of the page, such as an archived one or a PDF."
    }),
    { exact: true }
  ),
  proposed: Schema.optionalWith(
    Schema.Literal(true).annotations({
      description:
        "Set if the links are on several registered domains and the texts of their pages differ, or were not read."
    }),
    { exact: true }
  )
}

/** Links to the same page, or to nearly the same. */
export const DuplicateGroup = Schema.Struct({ ...group, links: Schema.Array(Link) })
export type DuplicateGroup = typeof DuplicateGroup.Type

const groupsFound = count("Groups found, including those not listed.")

const Refreshed = Schema.Struct({
  refreshed: count("Links that the model has summarized again."),
  tried: count("Links that it was asked about.")
})
const Reindexed = Schema.Struct({ embedded: count("Links that got a vector.") })
const PagesRead = Schema.Struct({
  read: count("Pages read."),
  // Earlier versions did not count them apart.
  tried: Schema.optionalWith(count("Links whose pages were asked for."), { exact: true })
})
const PagesKept = Schema.Struct({
  kept: count("Pages kept."),
  tried: count("Links whose pages were read for this.")
})
const Retried = Schema.Struct({
  tried: count("Incomplete links retried."),
  complete: count("Retried links that are now complete."),
  arrivals: count("Messages and captures restarted.")
})

const changedFields = Schema.Array(Field)
const Reverted = Schema.Struct({
  author: Author.annotations({ description: "Whose changes were undone." }),
  changes: count("Changes undone."),
  links: count("Links that changed, or would change."),
  fields: changedFields.annotations({ description: "Their fields that changed." }),
  skipped: count("Links that others have changed since: the changed fields keep their values."),
  skippedLinks: Schema.Array(Schema.Struct({ id: LinkId, fields: changedFields })).annotations({
    description: "The first 1,000 of these links, and their changed fields."
  }),
  things: Schema.Array(Schema.String).annotations({
    description: "Collections, other names, saved searches and highlights that others have changed since."
  }),
  dryRun: Schema.optionalWith(
    Schema.Boolean.annotations({ description: "Set if the job only reports what it would do." }),
    { exact: true }
  ),
  takenBack
})

export const ImportWarning = Schema.Struct({
  kind: Schema.Literal(...Struct.keys(importWarnings)),
  count: Schema.Int,
  examples: Schema.Array(Schema.String).annotations({ description: "The first five of these values." })
})

export const ImportResult = Schema.Struct({
  format: Schema.String.annotations({ description: "The format's name as shown to the user." }),
  found: count("Links in the file, including duplicates and rejected ones."),
  created: count("Links that are new in the library."),
  shared: count("Links of the file that are public now, by themselves or with their collection."),
  merged: count("Links already in the library or earlier in the file."),
  changed: count("Links already in the library that the file has changed."),
  rejected: count("Entries that were rejected."),
  rejects: Schema.Array(Schema.Struct({ place: Schema.Int, reason: Schema.String })).annotations({
    description:
      "The first 1,000 rejected entries: the position, counted in lines or items, or in the files of a zip, and the reason."
  }),
  counts: Schema.Literal("line", "item", "file"),
  warnings: Schema.Array(ImportWarning).annotations({
    description: "Values of the file that were shortened, dropped or not understood, by kind."
  }),
  takenBack
})
export type ImportResult = typeof ImportResult.Type

/** A stored result that this version cannot read counts as none, so that one odd row does not hide the other jobs. */
const orNone = { decodingFallback: () => Either.right(null) }

const resultOf = <A, I>(result: Schema.Schema<A, I>) => Schema.NullOr(result).annotations(orNone)

/** Links by number, because a result outlives them. A refresh of one link stores nothing. */
export const storedResults = {
  refresh: resultOf(Refreshed),
  recategorize: resultOf(Recategorized),
  organize: resultOf(Schema.Struct({ ...organizeCounts, moves: Schema.Array(Schema.Struct(move)) })),
  dupes: resultOf(
    Schema.Struct({
      groups: Schema.Array(Schema.Struct({ ...group, ids: Schema.Array(LinkId) })),
      found: groupsFound
    })
  ),
  reindex: resultOf(Reindexed),
  import: resultOf(ImportResult),
  read: resultOf(PagesRead),
  keep: resultOf(PagesKept),
  retry: resultOf(Retried),
  check: Schema.Null.annotations(orNone),
  undo: resultOf(Reverted)
}

const rejects = Schema.optionalWith(ImportResult.fields.rejects, { exact: true })

/** The result of each kind of job as people see it: with its links as they are now, or without its lists. */
export const shownResults = {
  refresh: resultOf(Schema.Union(Schema.Struct({ link: Link }), Refreshed)),
  recategorize: storedResults.recategorize,
  organize: resultOf(
    Schema.Struct({
      ...organizeCounts,
      moves: Schema.optionalWith(
        Schema.Array(Move).annotations({
          description: "At most 1,000, the most similar first; left out of lists and events."
        }),
        { exact: true }
      )
    })
  ),
  dupes: resultOf(
    Schema.Struct({
      groups: Schema.optionalWith(
        Schema.Array(DuplicateGroup).annotations({
          description: "At most 1,000; lists and events have `found` instead."
        }),
        { exact: true }
      ),
      found: Schema.optionalWith(groupsFound, { exact: true })
    })
  ),
  reindex: storedResults.reindex,
  import: resultOf(
    Schema.Struct({
      ...ImportResult.fields,
      rejects
    })
  ),
  read: storedResults.read,
  keep: storedResults.keep,
  retry: storedResults.retry,
  check: resultOf(Schema.Struct({ link: Link })),
  undo: storedResults.undo
}

/** A job with these fields and its result, as a union tagged by `action`; its JSON begins with `id` and `action`. */
export const jobUnion = <
  Fields extends Schema.Struct.Fields,
  Results extends Readonly<Record<JobAction, Schema.Schema.Any>>
>(
  fields: Fields,
  results: Results
) => {
  const job = <A extends JobAction>(action: A) =>
    Schema.Struct({ id: Schema.Int, action: Schema.Literal(action), ...fields, result: results[action] })
  return Schema.Union(
    job("refresh"),
    job("recategorize"),
    job("organize"),
    job("dupes"),
    job("reindex"),
    job("import"),
    job("read"),
    job("keep"),
    job("retry"),
    job("check"),
    job("undo")
  )
}

/** The fields that every job has, beside `id`, `action` and `result`. */
export const jobFields = {
  subject: Schema.NullOr(LinkId),
  state: JobState,
  /** The progress: `done` of `total` links. */
  done: Schema.Int,
  total: Schema.Int,
  error: Schema.NullOr(Schema.String),
  /** Why a running job waits, in a sentence; only the process that runs the job knows it. */
  waiting: Schema.optionalWith(Schema.NullOr(Schema.String), { default: () => null }),
  undo: Schema.NullOr(Schema.String),
  /** Where to resume after an interruption, or null; only the job's own work reads it. */
  resume: Schema.Unknown,
  startedAt: Schema.String,
  endedAt: Schema.NullOr(Schema.String)
}

export const Job = jobUnion(jobFields, storedResults)
export type Job = typeof Job.Type

export const ShownJob = jobUnion(jobFields, shownResults)
export type ShownJob = typeof ShownJob.Type

type JobResults = {
  readonly [A in JobAction]: NonNullable<Schema.Schema.Encoded<(typeof storedResults)[A]>>
}
export type JobResult<A extends JobAction = JobAction> = JobResults[A]

/** A job without the lists of its result, which grow with the library. */
export const summaryOf = (job: Job): ShownJob => {
  switch (job.action) {
    case "organize":
      return { ...job, result: job.result && Struct.omit(job.result, "moves", "formed") }
    case "dupes":
      return { ...job, result: job.result && { found: job.result.found } }
    case "import":
      return { ...job, result: job.result && Struct.omit(job.result, "rejects") }
    default:
      return job
  }
}

export class JobNotFound extends Schema.TaggedError<JobNotFound>()("JobNotFound", { id: Schema.Int }) {
  override get message() {
    return `There is no job ${this.id}.`
  }
}
