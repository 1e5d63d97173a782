import { Schema } from "effect"
import { JobAction, JobState } from "../domain/Job.ts"
import { Link, LinkId, PublicLink } from "../domain/Link.ts"

/** A page of the owner's links; `nextCursor` is null on the last one. */
export const LinksAnswer = Schema.Struct({
  links: Schema.Array(Link),
  total: Schema.Int,
  nextCursor: Schema.NullOr(Schema.String)
})

/** A page of the shared links. */
export const PublicLinksAnswer = Schema.Struct({
  links: Schema.Array(PublicLink),
  total: Schema.Int,
  nextCursor: Schema.NullOr(Schema.String)
})

const Counted = Schema.Struct({ name: Schema.String, count: Schema.Int })

/** What the dashboard's filters and its footer show. */
export const MetaAnswer = Schema.Struct({
  total: Schema.Int,
  favorites: Schema.Int,
  shareable: Schema.Int,
  uncollected: Schema.Int,
  categories: Schema.Array(Counted),
  collections: Schema.Array(Schema.Struct({ id: Schema.Int, ...Counted.fields })),
  tags: Schema.Array(Counted),
  model: Schema.Struct({ id: Schema.String, configured: Schema.Boolean }),
  version: Schema.String
})
export type MetaAnswer = typeof MetaAnswer.Type

/** Work on the library, as it stands. */
export const JobAnswer = Schema.Struct({
  job: Schema.Struct({
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
})
export type JobAnswer = typeof JobAnswer.Type

/** What the dashboard starts: looking at one link again. */
export const Action = Schema.Struct({ action: Schema.Literal("refresh"), id: LinkId })
export type Action = typeof Action.Type
