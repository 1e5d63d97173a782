import { Schema } from "effect"
import { LinkId } from "./Link.ts"

/** A field of a link that the owner can change. */
export const Field = Schema.Literal("favorite", "shareable", "category", "collection", "title", "summary")
export type Field = typeof Field.Type

/** One link's values of the fields an edit touches; `…ByHand` marks values the owner set, which nothing overwrites. */
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

/** An edit: the fields it touches, and their values for each of its links. */
export const Change = Schema.Struct({
  fields: Schema.Array(Field),
  links: Schema.Array(FieldValues),
  /** Whether a job made it, not the owner: then undoing it keeps values that the owner has set by hand since. */
  automatic: Schema.optional(Schema.Boolean)
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

/** The collection contains links, which must be moved out before it can be deleted. */
export class CollectionNotEmpty extends Schema.TaggedError<CollectionNotEmpty>()("CollectionNotEmpty", {
  name: Schema.String
}) {
  override get message() {
    return `“${this.name}” holds links. Move them out first.`
  }
}

const listed = new Intl.ListFormat("en")

/** The links have changed since the edit, so that undoing it would overwrite newer values. Nothing was changed. */
export class ChangedSince extends Schema.TaggedError<ChangedSince>()("ChangedSince", {
  /** The fields that have changed on any of the links. */
  fields: Schema.Array(Field),
  /** The number of changed links, out of `of`. */
  links: Schema.Int,
  of: Schema.Int
}) {
  override get message() {
    const what = listed.format(this.fields)
    return this.of === 1
      ? `Changed since then: ${what}. Undoing would overwrite that.`
      : `${this.links} of ${this.of} links have changed since then: ${what}. Undoing would overwrite that.`
  }
}

/** No change has this token, or the change is too old to undo. */
export class UndoNotFound extends Schema.TaggedError<UndoNotFound>()("UndoNotFound", {}) {
  override get message() {
    return "This change can no longer be undone."
  }
}
