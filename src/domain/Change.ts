import { Schema, Struct } from "effect"
import { fieldNames } from "../shared/FieldNames.ts"
import { Author } from "./Author.ts"
import { FiledBecause, LinkId, LinkState } from "./Link.ts"

/** `refused`: collections it is not filed in by itself. Only imports and undos change `createdAt` and `text`. */
export const Field = Schema.Literal(
  "favorite",
  "shareable",
  "category",
  "collection",
  "title",
  "summary",
  "note",
  "tags",
  "url",
  "state",
  "refused",
  "inShared",
  "createdAt",
  "text"
)
export type Field = typeof Field.Type

const Tags = Schema.Array(Schema.String)

/** `set` replaces all tags; `rename` replaces some by one, in their places; then `remove` and `add` apply. */
export const Tagging = Schema.Struct({
  set: Schema.optional(Tags),
  rename: Schema.optional(Schema.Struct({ from: Tags, to: Schema.String })),
  remove: Schema.optional(Tags),
  add: Schema.optional(Tags)
})
export type Tagging = typeof Tagging.Type

/** One link's values of the fields an edit touches; `…ByHand` marks values the owner set, which nothing overwrites. */
export const FieldValues = Schema.Struct({
  id: LinkId,
  favorite: Schema.optional(Schema.Boolean),
  shareable: Schema.optional(Schema.Boolean),
  category: Schema.optional(Schema.String),
  categoryByHand: Schema.optional(Schema.Boolean),
  /** A collection's number or path; the store creates the collection of a new path when it records the change. */
  collection: Schema.optional(Schema.NullOr(Schema.Union(Schema.Int, Schema.String))),
  collectionByHand: Schema.optional(Schema.Boolean),
  filedBecause: Schema.optional(Schema.NullOr(Schema.Array(FiledBecause))),
  /** Takes the link out of its collection and refuses that one for it; the store replaces this by what results. */
  refuse: Schema.optional(Schema.Literal(true)),
  title: Schema.optional(Schema.String),
  titleByHand: Schema.optional(Schema.Boolean),
  summary: Schema.optional(Schema.String),
  summaryByHand: Schema.optional(Schema.Boolean),
  note: Schema.optional(Schema.String),
  /** What is to become of the tags; the store replaces it by the tags that result. */
  tagging: Schema.optional(Tagging),
  url: Schema.optional(Schema.String),
  normalizedUrl: Schema.optional(Schema.String),
  host: Schema.optional(Schema.String),
  /** A title made from the address that `url` replaces: it gives way to the new host. */
  titleOfAddress: Schema.optional(Schema.String),
  state: Schema.optional(LinkState),
  inShared: Schema.optional(Schema.Boolean)
})
export type FieldValues = typeof FieldValues.Type

/** An owner's edit: the given fields change, and become the owner's where jobs set them too. */
export type LinkEdit = Pick<
  FieldValues,
  "favorite" | "shareable" | "category" | "collection" | "title" | "summary" | "note" | "state" | "tagging"
>

const editFields = [
  "favorite",
  "shareable",
  "category",
  "collection",
  "title",
  "summary",
  "note",
  "state"
] as const

export const isEmptyEdit = (edit: LinkEdit): boolean =>
  Object.values(edit).every((value) => value === undefined)

export const valuesOfEdit = (edit: LinkEdit) => {
  const mark = (value: unknown) => (value === undefined ? undefined : true)
  const fields: ReadonlyArray<Field> = [
    ...editFields.filter((field) => edit[field] !== undefined),
    ...(edit.tagging === undefined ? [] : ["tags" as const])
  ]
  const values: Omit<FieldValues, "id"> = {
    ...edit,
    categoryByHand: mark(edit.category),
    collectionByHand: mark(edit.collection),
    titleByHand: mark(edit.title),
    summaryByHand: mark(edit.summary)
  }
  return { fields, values }
}

export const Change = Schema.Struct({
  fields: Schema.Array(Field),
  links: Schema.Array(FieldValues),
  /** Whether a job made it, not the owner: then undoing it keeps values that the owner has set by hand since. */
  automatic: Schema.optional(Schema.Boolean)
})
export type Change = typeof Change.Type

export const PastChange = Schema.Struct({
  token: Schema.String,
  kind: Schema.Literal("save", "edit", "trash", "restore").annotations({
    description: "What it was; `save` for a program or an import that has added the link."
  }),
  fields: Schema.Array(Field),
  at: Schema.String,
  author: Author.annotations({
    description:
      "Who made it: the owner in the dashboard (`owner`), in the chat (`bot`) or in the browser (`extension`), an import, a job, a rule, or a program by its token (`token:NAME`)."
  }),
  undoable: Schema.Boolean.annotations({
    description: "Whether undoing it would overwrite nothing newer on this link."
  })
})
export type PastChange = typeof PastChange.Type

export const ListedChange = Schema.Struct({
  ...Struct.pick(PastChange.fields, "token", "fields", "at", "author"),
  id: Schema.Int,
  kind: Schema.Literal("save", "edit", "trash", "restore", "import"),
  links: Schema.Int.annotations({ description: "How many links it touched." }),
  isUndone: Schema.Boolean
})
export type ListedChange = typeof ListedChange.Type

/** A field that the owner can set by hand, so that nothing else changes it. */
export const ByHand = Schema.Literal("title", "summary", "category", "collection", "tags")
export type ByHand = typeof ByHand.Type

const listed = new Intl.ListFormat("en")

/** Links or other things have changed since the edit, so that undoing it would overwrite that. Nothing was changed. */
export class ChangedSince extends Schema.TaggedError<ChangedSince>()("ChangedSince", {
  fields: Schema.Array(Field),
  /** The number of changed links, out of `of`. */
  links: Schema.Int,
  of: Schema.Int,
  /** The collections, other names and saved searches that have changed, as sentences name them. */
  things: Schema.optionalWith(Schema.Array(Schema.String), { default: () => [] }),
  /** Whether it was an import: taking one back overwrites nothing, but keeps what has been changed. */
  ofImport: Schema.optionalWith(Schema.Boolean, { default: () => false })
}) {
  override get message() {
    const names = this.fields.map((field) => fieldNames[field])
    const links = this.of === 1 ? "" : ` of ${this.links} of ${this.of} links`
    const what = [...(names.length === 0 ? [] : [`the ${listed.format(names)}${links}`]), ...this.things]
    const text = listed.format(what)
    const isOne = names.length + this.things.length === 1
    const verb =
      isOne && !this.fields.some((field) => field === "tags" || field === "refused") ? "has" : "have"
    const since = this.ofImport
      ? "since the import. Taking it back keeps what you have changed."
      : "since then. Undoing would overwrite that."
    return `${text.charAt(0).toUpperCase()}${text.slice(1)} ${verb} been changed ${since}`
  }
}

/** Another link has the address already, in the library or in the trash. Nothing was changed. */
export class UrlTaken extends Schema.TaggedError<UrlTaken>()("UrlTaken", { id: LinkId }) {
  override get message() {
    return `Link #${this.id} already has this address.`
  }
}

export class UndoNotFound extends Schema.TaggedError<UndoNotFound>()("UndoNotFound", {}) {
  override get message() {
    return "This change can no longer be undone."
  }
}
