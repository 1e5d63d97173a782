import { Schema } from "effect"
import { JobState, jobUnion, shownResults } from "../../domain/Job.ts"
import { Link, LinkId, PublicLink } from "../../domain/Link.ts"
import { Highlights } from "../../domain/LinkQuery.ts"
import { MAX_CATEGORY, MAX_COLLECTION_NAME, MAX_SUMMARY, MAX_TITLE } from "../../shared/Limits.ts"

const total = Schema.Int.annotations({ description: "The number of matching links on all pages." })
const nextCursor = Schema.NullOr(Schema.String).annotations({
  description: "The cursor of the next page; null on the last one."
})
const highlights = Schema.optional(
  Schema.Array(Highlights).annotations({
    description:
      "The positions of the search words in each link, in the order of the links; absent without search words."
  })
)

const notices = Schema.Array(
  Schema.Struct({ text: Schema.String, from: Schema.Int, to: Schema.Int })
).annotations({
  description:
    "Parts of the search text that look like operators and were searched for as words, with their positions in UTF-16 units."
})

/** A page of the owner's links; `nextCursor` is null on the last page. */
export const LinksAnswer = Schema.Struct({
  links: Schema.Array(Link),
  total,
  nextCursor,
  highlights,
  notices
})

/** Links requested by number. */
export const LinksByNumberAnswer = Schema.Struct({ links: Schema.Array(Link) })
export type LinksByNumberAnswer = typeof LinksByNumberAnswer.Type

/** A page of the shared links. */
export const PublicLinksAnswer = Schema.Struct({
  links: Schema.Array(PublicLink),
  total,
  nextCursor,
  highlights,
  notices
})

const Counted = Schema.Struct({ name: Schema.String, count: Schema.Int })

/** The data behind the dashboard's filters and footer. */
export const MetaAnswer = Schema.Struct({
  total: Schema.Int,
  favorites: Schema.Int,
  shareable: Schema.Int,
  uncollected: Schema.Int,
  unread: Schema.Int.annotations({
    description: "Imported links whose pages have not been read yet."
  }),
  categories: Schema.Array(Counted),
  collections: Schema.Array(Schema.Struct({ id: Schema.Int, ...Counted.fields })),
  tags: Schema.Array(Counted),
  model: Schema.Struct({ id: Schema.String, configured: Schema.Boolean }),
  embedder: Schema.Struct({ name: Schema.String, dimensions: Schema.Int }).annotations({
    description:
      "The embedder whose vectors answer searches; `dimensions` is 0 until it has made the first one."
  }),
  threshold: Schema.Number.annotations({
    description: "The minimum similarity at which links belong together."
  }),
  setup: Schema.Struct({
    bot: Schema.Boolean,
    webhook: Schema.Boolean,
    chat: Schema.Boolean,
    extension: Schema.Boolean,
    publicUrl: Schema.NullOr(Schema.String)
  }).annotations({
    description: "Which settings for adding links are set. Only the public address is given with its value."
  }),
  version: Schema.String
})
export type MetaAnswer = typeof MetaAnswer.Type

/** Counts of the shared links by category, collection and tag, with only the 100 most used tags. */
export const PublicMetaAnswer = Schema.Struct({
  total: Schema.Int,
  categories: Schema.Array(Counted),
  collections: Schema.Array(Counted),
  tags: Schema.Array(Counted)
})
export type PublicMetaAnswer = typeof PublicMetaAnswer.Type

const Job = jobUnion(
  {
    state: JobState,
    done: Schema.Int.annotations({ description: "The number of links done so far." }),
    total: Schema.Int.annotations({ description: "The number of links to do in all." }),
    error: Schema.NullOr(Schema.String).annotations({ description: "Why the job failed, in one sentence." }),
    waiting: Schema.NullOr(Schema.String).annotations({
      description: "Why a running job is waiting, in one sentence; null if it is not waiting."
    }),
    undo: Schema.optional(
      Schema.String.annotations({ description: "The `token` of an `undo` that undoes the job's changes." })
    ),
    startedAt: Schema.String,
    endedAt: Schema.NullOr(Schema.String)
  },
  shownResults
).annotations({
  identifier: "Job",
  description: "A job. When it is done, its `result` has the fields for its `action`."
})

/** The current state of a job. */
export const JobAnswer = Schema.Struct({ job: Job })
export type JobAnswer = typeof JobAnswer.Type

/** Messages and captures that failed repeatedly and are no longer retried, newest first, at most 100. */
export const FailuresAnswer = Schema.Struct({
  partial: Schema.Int.annotations({
    description: "The number of incomplete links; the search `is:partial` finds them."
  }),
  arrivals: Schema.Array(
    Schema.Struct({
      id: Schema.Int,
      source: Schema.Literal("chat", "capture"),
      text: Schema.String.annotations({ description: "The text of the message, or the captured address." }),
      receivedAt: Schema.String
    })
  )
})
export type FailuresAnswer = typeof FailuresAnswer.Type

/** Running jobs first, then the most recent ones; results hold only counts. */
export const JobsAnswer = Schema.Struct({ jobs: Schema.Array(Job) })
export type JobsAnswer = typeof JobsAnswer.Type

const flag = (description: string) =>
  Schema.optionalWith(Schema.Boolean.annotations({ description }), { default: () => false })

const Refresh = Schema.Struct({ action: Schema.Literal("refresh"), id: LinkId })
const Recategorize = Schema.Struct({
  action: Schema.Literal("recategorize"),
  all: flag("Whether to include the links whose category the owner has set. An undo restores them.")
})
const Organize = Schema.Struct({
  action: Schema.Literal("organize"),
  dryRun: flag("Whether to report the changes without making them.")
})
const Duplicates = Schema.Struct({ action: Schema.Literal("dupes") })
const Read = Schema.Struct({
  action: Schema.Literal("read"),
  pause: flag("Whether to pause the job; starting it again continues it.")
})

const Retry = Schema.Struct({ action: Schema.Literal("retry") })

/** The actions that the dashboard can start, by `action`: refreshing one link, or a job on the whole library. */
export const Action = Schema.Union(Refresh, Recategorize, Organize, Duplicates, Read, Retry)
export type Action = typeof Action.Type

/** Maximum number of links in one change. */
const MAX_IDS = 100_000

const ids = Schema.NonEmptyArray(LinkId).pipe(Schema.maxItems(MAX_IDS))
const name = (limit: number) => Schema.String.pipe(Schema.maxLength(limit), Schema.pattern(/\S/))

const Favorite = Schema.Struct({ op: Schema.Literal("favorite"), ids, favorite: Schema.Boolean })
const Shareable = Schema.Struct({ op: Schema.Literal("shareable"), ids, shareable: Schema.Boolean })
const Category = Schema.Struct({ op: Schema.Literal("category"), ids, category: name(MAX_CATEGORY) })
const Collection = Schema.Struct({
  op: Schema.Literal("collection"),
  ids,
  collection: Schema.NullOr(name(MAX_COLLECTION_NAME))
})
const Edit = Schema.Struct({
  op: Schema.Literal("edit"),
  ids: Schema.Tuple(LinkId),
  title: Schema.optional(name(MAX_TITLE)),
  summary: Schema.optional(Schema.String.pipe(Schema.maxLength(MAX_SUMMARY)))
}).pipe(
  Schema.filter(
    ({ summary, title }) => title !== undefined || summary !== undefined || "needs a title or a summary"
  )
)
const Merge = Schema.Struct({ op: Schema.Literal("merge"), ids, into: LinkId })
const Delete = Schema.Struct({ op: Schema.Literal("delete"), ids })
const Undo = Schema.Struct({
  op: Schema.Literal("undo"),
  token: Schema.UUID,
  force: Schema.optional(Schema.Boolean)
})

/** One change to one or many links, by `op`; it applies to all of its links or to none. */
export const Mutation = Schema.Union(Favorite, Shareable, Category, Collection, Edit, Merge, Delete, Undo)
export type Mutation = typeof Mutation.Type

/** The changed links; `undo` is the token that undoes the change, absent if the change is final. */
export const MutationAnswer = Schema.Struct({
  links: Schema.Array(Link),
  undo: Schema.optional(Schema.String),
  deleted: Schema.optional(Schema.Array(LinkId))
})
export type MutationAnswer = typeof MutationAnswer.Type

/** The response to a change of something other than links; `undo` is the token that undoes it. */
export const UndoAnswer = Schema.Struct({ undo: Schema.String })
export type UndoAnswer = typeof UndoAnswer.Type
