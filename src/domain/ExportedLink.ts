import { Schema } from "effect"
import { Link } from "./Link.ts"

/** A field that the owner set by hand, which enrichment does not overwrite. */
const ByHand = Schema.Literal("title", "summary", "category", "collection")

/** A time as ISO 8601 in UTC, with milliseconds: the only form in which times are compared. */
const Time = Schema.String.pipe(
  Schema.filter((text) => {
    const time = Date.parse(text)
    return (!Number.isNaN(time) && new Date(time).toISOString() === text) || "Expected an ISO time in UTC"
  })
)

/**
 * A link as exported: everything the library stores about it except derived data (its identity, host, index entries and
 * vector).
 */
export const ExportedLink = Schema.Struct({
  ...Link.omit("host", "collection", "createdAt", "updatedAt").fields,
  /** A collection's name. */
  collection: Schema.NullOr(Schema.String),
  createdAt: Time,
  updatedAt: Time,
  /** The page's own text, as far as it is stored for searching. */
  text: Schema.String,
  canonicalUrl: Schema.NullOr(Schema.String),
  finalUrl: Schema.NullOr(Schema.String),
  /** The tags that the owner gave. */
  handTags: Schema.Array(Schema.String),
  byHand: Schema.Array(ByHand),
  /** The number of retries so far, and when the next is due. */
  retries: Schema.Int,
  retryAt: Schema.NullOr(Time),
  /** Whether it was imported and its page has not been read yet. */
  unread: Schema.Boolean
})
export type ExportedLink = typeof ExportedLink.Type

/** A collection as exported. */
export const ExportedCollection = Schema.Struct({
  id: Schema.Int.pipe(Schema.positive()),
  name: Schema.String,
  createdAt: Time
})
export type ExportedCollection = typeof ExportedCollection.Type

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
  /** A collection's name. */
  readonly collection: string | null
  readonly favorite: boolean
  readonly shareable: boolean
  readonly createdAt: string
  readonly updatedAt: string
}
