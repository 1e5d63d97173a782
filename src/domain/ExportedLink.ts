import { Schema } from "effect"
import { Link } from "./Link.ts"

/** What the owner set by hand, and nothing that is found out overwrites. */
const ByHand = Schema.Literal("title", "summary", "category", "collection")

/** A time as ISO 8601 in UTC, with milliseconds: the one form in which times are compared. */
const Time = Schema.String.pipe(
  Schema.filter((text) => {
    const time = Date.parse(text)
    return (!Number.isNaN(time) && new Date(time).toISOString() === text) || "Expected an ISO time in UTC"
  })
)

/**
 * Everything a library holds of a link but what follows from it (its identity, host, index entries and vector): what an
 * export keeps of it.
 */
export const ExportedLink = Schema.Struct({
  ...Link.omit("host", "collection", "createdAt", "updatedAt").fields,
  /** A collection's name. */
  collection: Schema.NullOr(Schema.String),
  createdAt: Time,
  updatedAt: Time,
  /** What the page's own text says, as far as it is kept for searching. */
  text: Schema.String,
  canonicalUrl: Schema.NullOr(Schema.String),
  finalUrl: Schema.NullOr(Schema.String),
  /** Those of the tags that the owner gave. */
  handTags: Schema.Array(Schema.String),
  byHand: Schema.Array(ByHand),
  /** Further looks taken at it, and when the next is due. */
  retries: Schema.Int,
  retryAt: Schema.NullOr(Time),
  /** Whether it came from a file and its page is still to be read. */
  unread: Schema.Boolean
})
export type ExportedLink = typeof ExportedLink.Type

/** A collection, as an export keeps it. */
export const ExportedCollection = Schema.Struct({
  id: Schema.Int.pipe(Schema.positive()),
  name: Schema.String,
  createdAt: Time
})
export type ExportedCollection = typeof ExportedCollection.Type

/** What an export for other programs tells of a link; times are ISO 8601 in UTC. */
export interface PlainLink {
  readonly url: string
  readonly title: string
  readonly note: string
  readonly summary: string
  readonly description: string
  /** Normalised: no tag has a comma or white space in it. */
  readonly tags: ReadonlyArray<string>
  readonly category: string
  /** A collection's name. */
  readonly collection: string | null
  readonly favorite: boolean
  readonly shareable: boolean
  readonly createdAt: string
  readonly updatedAt: string
}
