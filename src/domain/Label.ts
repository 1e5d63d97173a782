import { Schema } from "effect"
import { lazily } from "../shared/Lazily.ts"
import { MAX_COLLECTION_DEPTH, MAX_COLLECTION_PATH } from "../shared/Limits.ts"

export const NameKind = Schema.Literal("tag", "category")
export type NameKind = typeof NameKind.Type

/** The kinds of things that can have other names. */
export type AliasKind = NameKind | "collection"

const lastUsed = Schema.NullOr(Schema.String).annotations({
  description: "When the newest of its links was saved; null without links."
})
const count = Schema.Int.annotations({ description: "The number of its links." })

export const UsedName = Schema.Struct({ name: Schema.String, count, lastUsed }).annotations({
  identifier: "UsedName"
})
export type UsedName = typeof UsedName.Type

export const NamedLabel = Schema.Struct({
  ...UsedName.fields,
  aliases: Schema.Array(Schema.String).annotations({
    description: "Other names, which stand for it wherever they are given."
  })
}).annotations({ identifier: "NamedLabel" })
export type NamedLabel = typeof NamedLabel.Type

/** Another name of a tag, a category or a collection, which a rename or a merge has left. */
export const Alias = Schema.Struct({
  name: Schema.String,
  target: Schema.String.annotations({ description: "The name it stands for; a collection's path." })
}).annotations({ identifier: "Alias" })
export type Alias = typeof Alias.Type

export const Twins = Schema.Struct({
  names: Schema.Array(Schema.String).annotations({ description: "The name with more links comes first." }),
  reason: Schema.Literal("spelling", "meaning"),
  similarity: Schema.Number.annotations({ description: "From 0 to 1." })
}).annotations({ identifier: "Twins" })
export type Twins = typeof Twins.Type

/** The colours of a collection that have a name; the app shows each with enough contrast, light and dark. */
export const collectionColors = [
  "gray",
  "red",
  "orange",
  "yellow",
  "green",
  "teal",
  "blue",
  "purple",
  "pink"
] as const

export const MAX_COLLECTION_DESCRIPTION = 2_000
/** Maximum length of a collection's icon in UTF-16 units: the longest emoji sequences have fewer. */
const MAX_ICON = 40

/** The name of a colour, or a colour as `#rrggbb`. */
export const CollectionColor = Schema.String.pipe(
  Schema.filter(
    (text) =>
      collectionColors.some((color) => color === text) ||
      /^#[0-9a-f]{6}$/i.test(text) ||
      "Expected the name of a colour, or #rrggbb"
  )
).annotations({ description: `One of ${collectionColors.join(", ")}, or a colour as #rrggbb.` })

const graphemes = lazily(() => new Intl.Segmenter("en", { granularity: "grapheme" }))

/** One character as a person sees it, such as an emoji. */
export const CollectionIcon = Schema.String.pipe(
  Schema.filter(
    (text) =>
      (text.length <= MAX_ICON &&
        !/[\p{Cc}\p{Z}\p{Cs}\p{Cn}\p{Co}]/u.test(text) &&
        /[^\p{Cf}\p{M}]/u.test(text) &&
        [...graphemes().segment(text)].length === 1) ||
      "Expected one character"
  )
).annotations({ description: "One character, such as an emoji." })

export const Collection = Schema.Struct({
  id: Schema.Int.annotations({ description: "Its number, which never changes." }),
  name: Schema.String.annotations({
    description: "Its whole path: the names of the collections around it and its own, joined by ` / `."
  }),
  parent: Schema.NullOr(Schema.Int).annotations({
    description: "The number of the collection that contains it; null at the top."
  }),
  description: Schema.String,
  color: Schema.NullOr(Schema.String),
  icon: Schema.NullOr(Schema.String),
  order: Schema.Int.annotations({
    description:
      "Its place among the collections of its parent. Those with the same number follow their names."
  }),
  shareable: Schema.Boolean.annotations({ description: "Whether it is shared as a whole." }),
  shared: Schema.Boolean.annotations({
    description: "Whether its links are public, because it or a collection around it is shared."
  }),
  count: Schema.Int.annotations({ description: "The number of its links, without the collections inside." }),
  lastUsed
}).annotations({ identifier: "Collection" })
export type Collection = typeof Collection.Type

export class LabelNotFound extends Schema.TaggedError<LabelNotFound>()("LabelNotFound", {
  kind: Schema.Literal("tag", "category", "collection"),
  name: Schema.Union(Schema.String, Schema.Int)
}) {
  override get message() {
    return typeof this.name === "number"
      ? `There is no ${this.kind} ${this.name}.`
      : `There is no ${this.kind} “${this.name}”.`
  }
}

/** The change would leave the library's names or its tree of collections broken. Nothing was changed. */
export class LabelRefused extends Schema.TaggedError<LabelRefused>()("LabelRefused", {
  message: Schema.String
}) {}

/** Another collection has the path already. Nothing was changed. */
export class PathTaken extends Schema.TaggedError<PathTaken>()("PathTaken", { name: Schema.String }) {
  override get message() {
    return `There already is a collection “${this.name}”. Merge them, or choose another name.`
  }
}

export const PATH_RULE = `A collection’s path can have ${MAX_COLLECTION_DEPTH} names and ${MAX_COLLECTION_PATH} characters at most. Choose a shorter name or another place.`
