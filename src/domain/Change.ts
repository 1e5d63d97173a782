import { Schema } from "effect"
import { LinkId } from "./Link.ts"

/** A property of a link that the owner may change. */
export const Field = Schema.Literal("favorite", "shareable", "category", "collection", "title", "summary")
export type Field = typeof Field.Type

/** One link's values of the fields an edit touches; `byHand` marks those the owner chose, which nothing overwrites. */
export const FieldValues = Schema.Struct({
  id: LinkId,
  favorite: Schema.optional(Schema.Boolean),
  shareable: Schema.optional(Schema.Boolean),
  category: Schema.optional(Schema.String),
  categoryByHand: Schema.optional(Schema.Boolean),
  /** A collection's name. */
  collection: Schema.optional(Schema.NullOr(Schema.String)),
  collectionByHand: Schema.optional(Schema.Boolean),
  title: Schema.optional(Schema.String),
  titleByHand: Schema.optional(Schema.Boolean),
  summary: Schema.optional(Schema.String),
  summaryByHand: Schema.optional(Schema.Boolean)
})
export type FieldValues = typeof FieldValues.Type

/** The fields an edit touches and the value each link has in them: enough to make the edit, or to take one back. */
export const Change = Schema.Struct({
  fields: Schema.Array(Field),
  links: Schema.Array(FieldValues),
  /** Made by a job, not by the owner: taking it back leaves what the owner has changed by hand since. */
  automatic: Schema.optional(Schema.Boolean)
})
export type Change = typeof Change.Type

/** No change has this token, or it lies too far back. */
export class UndoNotFound extends Schema.TaggedError<UndoNotFound>()("UndoNotFound", {}) {
  override get message() {
    return "This change can no longer be taken back."
  }
}
