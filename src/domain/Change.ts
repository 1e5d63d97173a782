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

/** A collection as it was before it was removed. */
export const RemovedCollection = Schema.Struct({
  id: Schema.Int,
  name: Schema.String,
  createdAt: Schema.String
})
export type RemovedCollection = typeof RemovedCollection.Type

/** The fields an edit touches and the value each link has in them: enough to make the edit, or to take one back. */
export const Change = Schema.Struct({
  fields: Schema.Array(Field),
  links: Schema.Array(FieldValues),
  /** Made by a job, not by the owner: taking it back leaves what the owner has changed by hand since. */
  automatic: Schema.optional(Schema.Boolean),
  /** Numbers of the collections that the undone change had made: those that are empty after this one are removed. */
  removes: Schema.optional(Schema.Array(Schema.Int)),
  /** Collections that the undone change had removed. */
  restores: Schema.optional(Schema.Array(RemovedCollection))
})
export type Change = typeof Change.Type

/** No collection has this number. */
export class CollectionNotFound extends Schema.TaggedError<CollectionNotFound>()("CollectionNotFound", {
  id: Schema.Int
}) {
  override get message() {
    return `There is no collection ${this.id}.`
  }
}

/** The collection holds links, which have to be moved out before it can be deleted. */
export class CollectionNotEmpty extends Schema.TaggedError<CollectionNotEmpty>()("CollectionNotEmpty", {
  name: Schema.String
}) {
  override get message() {
    return `“${this.name}” holds links. Move them out first.`
  }
}

/** No change has this token, or it lies too far back. */
export class UndoNotFound extends Schema.TaggedError<UndoNotFound>()("UndoNotFound", {}) {
  override get message() {
    return "This change can no longer be taken back."
  }
}
