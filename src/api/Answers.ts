import { Schema } from "effect"
import { Highlights } from "../domain/Highlights.ts"
import { JobAction, JobState } from "../domain/Job.ts"
import { Link, LinkId, PublicLink } from "../domain/Link.ts"

/** A page of the owner's links; `nextCursor` is null on the last one. */
export const LinksAnswer = Schema.Struct({
  links: Schema.Array(Link),
  total: Schema.Int,
  nextCursor: Schema.NullOr(Schema.String),
  /** Where the searched words stand in each of the links, in their order; absent where nothing was searched for. */
  highlights: Schema.optional(Schema.Array(Highlights))
})

/** Links that were asked for by their numbers. */
export const LinksByNumberAnswer = Schema.Struct({ links: Schema.Array(Link) })
export type LinksByNumberAnswer = typeof LinksByNumberAnswer.Type

/** A page of the shared links. */
export const PublicLinksAnswer = Schema.Struct({
  links: Schema.Array(PublicLink),
  total: Schema.Int,
  nextCursor: Schema.NullOr(Schema.String),
  highlights: Schema.optional(Schema.Array(Highlights))
})

const Counted = Schema.Struct({ name: Schema.String, count: Schema.Int })

/** What the dashboard's filters and its footer show. */
export const MetaAnswer = Schema.Struct({
  total: Schema.Int,
  favorites: Schema.Int,
  shareable: Schema.Int,
  uncollected: Schema.Int,
  /** Links that came from a file and whose pages are still to be read. */
  unread: Schema.Int,
  categories: Schema.Array(Counted),
  collections: Schema.Array(Schema.Struct({ id: Schema.Int, ...Counted.fields })),
  tags: Schema.Array(Counted),
  model: Schema.Struct({ id: Schema.String, configured: Schema.Boolean }),
  /** Whose vectors answer; dimensions is 0 until its first answer. */
  embedder: Schema.Struct({ name: Schema.String, dimensions: Schema.Int }),
  /** The similarity from which on links belong together. */
  threshold: Schema.Number,
  /** Which settings for taking links in there are; of their values only the service's own address is told. */
  setup: Schema.Struct({
    bot: Schema.Boolean,
    webhook: Schema.Boolean,
    chat: Schema.Boolean,
    extension: Schema.Boolean,
    publicUrl: Schema.NullOr(Schema.String)
  }),
  version: Schema.String
})
export type MetaAnswer = typeof MetaAnswer.Type

/** How the shared links divide up; tags are the busiest 100. */
export const PublicMetaAnswer = Schema.Struct({
  total: Schema.Int,
  categories: Schema.Array(Counted),
  collections: Schema.Array(Counted),
  tags: Schema.Array(Counted)
})
export type PublicMetaAnswer = typeof PublicMetaAnswer.Type

const Job = Schema.Struct({
  id: Schema.Int,
  action: JobAction,
  state: JobState,
  done: Schema.Int,
  total: Schema.Int,
  result: Schema.Unknown,
  error: Schema.NullOr(Schema.String),
  undo: Schema.optional(Schema.String),
  startedAt: Schema.String,
  endedAt: Schema.NullOr(Schema.String)
})

/** Work on the library, as it stands. */
export const JobAnswer = Schema.Struct({ job: Job })
export type JobAnswer = typeof JobAnswer.Type

/** What runs and what has run last, the running jobs first; results hold counts alone. */
export const JobsAnswer = Schema.Struct({ jobs: Schema.Array(Job) })
export type JobsAnswer = typeof JobsAnswer.Type

const Refresh = Schema.Struct({ action: Schema.Literal("refresh"), id: LinkId })
const Recategorize = Schema.Struct({
  action: Schema.Literal("recategorize"),
  /** Whether categories the owner chose are found anew as well. */
  byHand: Schema.optionalWith(Schema.Boolean, { default: () => false })
})
const Organize = Schema.Struct({
  action: Schema.Literal("organize"),
  /** Whether only to say what would be done. */
  dryRun: Schema.optionalWith(Schema.Boolean, { default: () => false })
})
const Duplicates = Schema.Struct({ action: Schema.Literal("dupes") })
const Read = Schema.Struct({
  action: Schema.Literal("read"),
  /** Whether to stop where it is; it goes on when it is started again. */
  pause: Schema.optionalWith(Schema.Boolean, { default: () => false })
})

/** What the dashboard starts, by its `action`: another look at one link, or work on the whole library. */
export const actions = {
  refresh: Refresh,
  recategorize: Recategorize,
  organize: Organize,
  dupes: Duplicates,
  read: Read
}
export const Action = Schema.Union(...Object.values(actions))
export type Action = typeof Action.Type
