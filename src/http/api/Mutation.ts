import { Schema } from "effect"
import { Link, LinkId } from "../../domain/Link.ts"
import { MAX_CATEGORY, MAX_COLLECTION_NAME, MAX_SUMMARY, MAX_TITLE } from "../../shared/Limits.ts"

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
    ({ summary, title }) => title !== undefined || summary !== undefined || "a title or a summary is needed"
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
