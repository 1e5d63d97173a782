import { Schema } from "effect"
import { ExportedFiles } from "./ExportedFiles.ts"
import { ExportedHighlight } from "./Highlight.ts"
import { IsoTime } from "./IsoTime.ts"
import { ExportedPage } from "./KeptPage.ts"
import { Facts, FiledBecause, Link, LinkState, LinkType, Stage } from "./Link.ts"
import { ExportedCheck } from "./LinkCheck.ts"
import { ReadingPosition } from "./ReadingPosition.ts"
import { SavedSearch } from "./SavedSearch.ts"

/** A field that the owner set by hand, which enrichment does not overwrite. */
const ByHand = Schema.Literal("title", "summary", "category", "collection")

/** Everything stored about a link except derived data. Earlier versions lack the fields that have a default. */
export const ExportedLink = Schema.Struct({
  ...Link.omit(
    "host",
    "collection",
    "inShared",
    "facts",
    "model",
    "stages",
    "filedBecause",
    "kept",
    "highlights",
    "check",
    "createdAt",
    "updatedAt",
    "deletedAt"
  ).fields,
  state: Schema.optionalWith(LinkState, { default: () => "read" }),
  type: Schema.optionalWith(LinkType, { default: () => "page" }),
  facts: Schema.optionalWith(Facts, { default: () => ({}) }),
  model: Schema.optionalWith(Schema.NullOr(Schema.String), { default: () => null }),
  stages: Schema.optionalWith(Schema.Array(Stage), { default: () => [] }),
  filedBecause: Schema.optionalWith(Schema.NullOr(Schema.Array(FiledBecause)), { default: () => null }),
  collection: Schema.NullOr(Schema.String),
  /** The names of collections in which it is not to be filed by itself. */
  refused: Schema.optionalWith(Schema.Array(Schema.String), { default: () => [] }),
  createdAt: IsoTime,
  updatedAt: IsoTime,
  text: Schema.String,
  canonicalUrl: Schema.NullOr(Schema.String),
  finalUrl: Schema.NullOr(Schema.String),
  handTags: Schema.Array(Schema.String),
  byHand: Schema.Array(ByHand),
  /** Whether the owner has set or removed tags, so that nothing adds any. */
  tagsByHand: Schema.optionalWith(Schema.Boolean, { default: () => false }),
  /** The number of retries so far, and when the next is due. */
  retries: Schema.Int,
  retryAt: Schema.NullOr(IsoTime),
  /** Whether it was imported and its page has not been read yet. */
  unread: Schema.Boolean,
  highlights: Schema.optionalWith(Schema.Array(ExportedHighlight), { default: () => [] }),
  /** How far the kept page has been read; null if it has not been opened. */
  position: Schema.optionalWith(
    Schema.NullOr(Schema.Struct({ ...ReadingPosition.fields, updatedAt: IsoTime })),
    { default: () => null }
  ),
  /** What is known about its page; null if it has not been looked at. */
  check: Schema.optionalWith(Schema.NullOr(ExportedCheck), { default: () => null }),
  /** The newest version of its kept page, without pictures. */
  page: Schema.optional(ExportedPage),
  /** When it was moved to the trash; a full export alone has what is in the trash. */
  deletedAt: Schema.optionalWith(Schema.NullOr(IsoTime), { default: () => null }),
  /** A full export alone has it. */
  files: Schema.optional(ExportedFiles)
})
export type ExportedLink = typeof ExportedLink.Type

export const ExportedCollection = Schema.Struct({
  id: Schema.Int.pipe(Schema.positive()),
  /** Its path; earlier versions had paths of imported folders only. */
  name: Schema.String,
  createdAt: IsoTime,
  description: Schema.optionalWith(Schema.String, { default: () => "" }),
  color: Schema.optionalWith(Schema.NullOr(Schema.String), { default: () => null }),
  icon: Schema.optionalWith(Schema.NullOr(Schema.String), { default: () => null }),
  order: Schema.optionalWith(Schema.Int, { default: () => 0 }),
  shareable: Schema.optionalWith(Schema.Boolean, { default: () => false })
})
export type ExportedCollection = typeof ExportedCollection.Type

/** A saved search as exported. The address of its feed is a secret of the library that it comes from. */
export const ExportedSearch = SavedSearch.pick("name", "query", "sort", "pinned")
export type ExportedSearch = typeof ExportedSearch.Type

/** Another name of a tag, a category or a collection as exported; a collection is named by its path. */
export const ExportedAlias = Schema.Struct({
  kind: Schema.Literal("tag", "category", "collection"),
  name: Schema.String,
  target: Schema.String
})
export type ExportedAlias = typeof ExportedAlias.Type

/** A link as exported for other programs; times are ISO 8601 in UTC. */
export interface PlainLink {
  readonly url: string
  readonly title: string
  readonly note: string
  readonly summary: string
  readonly description: string
  /** Normalized tags, which contain no comma and no white space. */
  readonly tags: ReadonlyArray<string>
  readonly category: string
  readonly collection: string | null
  readonly favorite: boolean
  readonly shareable: boolean
  readonly state: LinkState
  readonly createdAt: string
  readonly updatedAt: string
}
