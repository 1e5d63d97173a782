import { Schema } from "effect"
import { JobAction } from "./Job.ts"
import { LinkId, LinkState } from "./Link.ts"

const oneLink = { id: LinkId }

export const ChatChange = Schema.Union(
  Schema.Struct({ kind: Schema.Literal("favorite", "share"), ...oneLink, on: Schema.Boolean }),
  Schema.Struct({ kind: Schema.Literal("state"), ...oneLink, from: LinkState, to: LinkState }),
  /** `from` and `to` are the names of collections, null for none. */
  Schema.Struct({
    kind: Schema.Literal("move"),
    ...oneLink,
    from: Schema.NullOr(Schema.String),
    to: Schema.NullOr(Schema.String)
  }),
  Schema.Struct({
    kind: Schema.Literal("tags"),
    ...oneLink,
    added: Schema.Array(Schema.String),
    removed: Schema.Array(Schema.String)
  }),
  Schema.Struct({ kind: Schema.Literal("title"), ...oneLink, from: Schema.String }),
  Schema.Struct({ kind: Schema.Literal("highlight"), ...oneLink }),
  /** The notes of these links; with `tagged`, also tags that were given with a note. */
  Schema.Struct({
    kind: Schema.Literal("notes"),
    ids: Schema.Array(LinkId),
    tagged: Schema.optional(Schema.Boolean)
  }),
  /** `trash` moves the link to the trash, `restore` takes it out, `remove` deletes it for good. */
  Schema.Struct({ kind: Schema.Literal("trash", "restore", "remove"), ...oneLink }),
  Schema.Struct({ kind: Schema.Literal("merge"), ...oneLink, others: Schema.Array(LinkId) }),
  Schema.Struct({ kind: Schema.Literal("job"), action: JobAction })
)
export type ChatChange = typeof ChatChange.Type
