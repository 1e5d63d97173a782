import { Schema } from "effect"

/** A link's number: positive, never reused, what chat shows as `#id`. */
export const LinkId = Schema.Int.pipe(Schema.positive(), Schema.brand("LinkId"))
export type LinkId = typeof LinkId.Type

/** What a repository host says of the repository an address lies in. */
export const Repository = Schema.Struct({
  host: Schema.String,
  fullName: Schema.String,
  description: Schema.NullOr(Schema.String),
  language: Schema.NullOr(Schema.String),
  stars: Schema.Int,
  topics: Schema.Array(Schema.String),
  license: Schema.NullOr(Schema.String),
  archived: Schema.Boolean
})
export type Repository = typeof Repository.Type

/** How far finding out about a link has come; `partial` means that a source fell back. */
export const EnrichmentState = Schema.Literal("pending", "complete", "partial")
export type EnrichmentState = typeof EnrichmentState.Type

/** The longest name of a collection that the owner may give, in UTF-16 units. */
export const MAX_COLLECTION_NAME = 100

/** The collection a link is filed in, as a link names it. */
export const CollectionRef = Schema.Struct({ id: Schema.Int, name: Schema.String })
export type CollectionRef = typeof CollectionRef.Type

/** A saved link, as the store, the dashboard and the bot see it; its JSON form is the contract's. */
export const Link = Schema.Struct({
  id: LinkId,
  url: Schema.String,
  host: Schema.String,
  title: Schema.String,
  note: Schema.String,
  summary: Schema.String,
  description: Schema.String,
  tags: Schema.Array(Schema.String),
  category: Schema.String,
  collection: Schema.NullOr(CollectionRef),
  favorite: Schema.Boolean,
  shareable: Schema.Boolean,
  image: Schema.NullOr(Schema.String),
  favicon: Schema.NullOr(Schema.String),
  siteName: Schema.NullOr(Schema.String),
  author: Schema.NullOr(Schema.String),
  publishedAt: Schema.NullOr(Schema.String),
  language: Schema.NullOr(Schema.String),
  repository: Schema.NullOr(Repository),
  enrichment: EnrichmentState,
  createdAt: Schema.String,
  updatedAt: Schema.String
})
export type Link = typeof Link.Type

/** A shared link as anybody may see it: these fields and nothing else. */
export const PublicLink = Schema.Struct({
  ...Link.pick(
    "url",
    "host",
    "title",
    "summary",
    "description",
    "tags",
    "category",
    "image",
    "favicon",
    "publishedAt",
    "createdAt"
  ).fields,
  collection: Schema.NullOr(Schema.String)
})
export type PublicLink = typeof PublicLink.Type

/** No link has this number. */
export class LinkNotFound extends Schema.TaggedError<LinkNotFound>()("LinkNotFound", { id: LinkId }) {
  override get message() {
    return `There is no link #${this.id}.`
  }
}
