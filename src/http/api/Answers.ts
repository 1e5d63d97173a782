import { Schema } from "effect"
import { JobState, jobUnion, shownResults } from "../../domain/Job.ts"
import { Link, LinkId, PublicLink } from "../../domain/Link.ts"
import { Highlights } from "../../domain/LinkQuery.ts"

const total = Schema.Int.annotations({ description: "How many links fit, on all pages." })
const nextCursor = Schema.NullOr(Schema.String).annotations({
  description: "What to ask for the next page with; null on the last one."
})
const highlights = Schema.optional(
  Schema.Array(Highlights).annotations({
    description:
      "Where the searched words stand in each of the links, in their order; absent where nothing was searched for."
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
    description: "Links that came from a file and whose pages are still to be read."
  }),
  categories: Schema.Array(Counted),
  collections: Schema.Array(Schema.Struct({ id: Schema.Int, ...Counted.fields })),
  tags: Schema.Array(Counted),
  model: Schema.Struct({ id: Schema.String, configured: Schema.Boolean }),
  embedder: Schema.Struct({ name: Schema.String, dimensions: Schema.Int }).annotations({
    description: "Whose vectors answer; dimensions is 0 until its first answer."
  }),
  threshold: Schema.Number.annotations({
    description: "The similarity from which on links belong together."
  }),
  setup: Schema.Struct({
    bot: Schema.Boolean,
    webhook: Schema.Boolean,
    chat: Schema.Boolean,
    extension: Schema.Boolean,
    publicUrl: Schema.NullOr(Schema.String)
  }).annotations({
    description:
      "Which settings for taking links in there are; of their values only the service's own address is told."
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
    done: Schema.Int.annotations({ description: "How many links are done." }),
    total: Schema.Int.annotations({ description: "Of how many." }),
    error: Schema.NullOr(Schema.String).annotations({ description: "Why it failed, in a sentence." }),
    waiting: Schema.NullOr(Schema.String).annotations({
      description: "Why a running job waits, in a sentence; null while it does not wait."
    }),
    undo: Schema.optional(
      Schema.String.annotations({ description: "Takes back what it changed, as the token of an `undo`." })
    ),
    startedAt: Schema.String,
    endedAt: Schema.NullOr(Schema.String)
  },
  shownResults
).annotations({
  identifier: "Job",
  description: "A job; once it is done it has the `result` that belongs to its `action`."
})

/** The current state of a job. */
export const JobAnswer = Schema.Struct({ job: Job })
export type JobAnswer = typeof JobAnswer.Type

/** Messages and captures that failed repeatedly and are no longer retried, newest first, at most 100. */
export const FailuresAnswer = Schema.Struct({
  partial: Schema.Int.annotations({
    description: "How many links are incomplete: the search `is:partial` shows them."
  }),
  arrivals: Schema.Array(
    Schema.Struct({
      id: Schema.Int,
      source: Schema.Literal("chat", "capture"),
      text: Schema.String.annotations({ description: "What the message says, or the captured address." }),
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
  all: flag("Whether to include the links whose category the owner set by hand. Undo restores them.")
})
const Organize = Schema.Struct({
  action: Schema.Literal("organize"),
  dryRun: flag("Whether only to say what would be done.")
})
const Duplicates = Schema.Struct({ action: Schema.Literal("dupes") })
const Read = Schema.Struct({
  action: Schema.Literal("read"),
  pause: flag("Whether to stop where it is; it goes on when it is started again.")
})

const Retry = Schema.Struct({ action: Schema.Literal("retry") })

/** The actions that the dashboard can start, by `action`: refreshing one link, or a job on the whole library. */
export const Action = Schema.Union(Refresh, Recategorize, Organize, Duplicates, Read, Retry)
export type Action = typeof Action.Type
