import { Option, Schema } from "effect"
import { normalizeCollectionPath } from "../shared/CollectionPath.ts"
import { MAX_FACT } from "../shared/Limits.ts"
import { linkTypes } from "../shared/SearchSyntax.ts"
import { ShownCheck } from "./LinkCheck.ts"

/** A link's number: positive, never reused, shown in chat as `#id`. */
export const LinkId = Schema.Int.pipe(Schema.positive(), Schema.brand("LinkId")).annotations({
  description: "A link's number, which is never reused."
})
export type LinkId = typeof LinkId.Type

export const Repository = Schema.Struct({
  host: Schema.String,
  fullName: Schema.String,
  description: Schema.NullOr(Schema.String),
  language: Schema.NullOr(Schema.String),
  stars: Schema.Int,
  topics: Schema.Array(Schema.String),
  license: Schema.NullOr(Schema.String),
  archived: Schema.Boolean
}).annotations({ identifier: "Repository" })
export type Repository = typeof Repository.Type

/** The progress of enriching a link; `partial` means that a source fell back. */
const EnrichmentState = Schema.Literal("pending", "complete", "partial")

export const LinkState = Schema.Literal("unread", "read", "archived")
export type LinkState = typeof LinkState.Type

/** `unshared` is the trash too: the link was public before, by itself or with its collection, and is private now. */
export const ReturnedFrom = Schema.Literal("trash", "unshared", "archive")
export type ReturnedFrom = typeof ReturnedFrom.Type

export const LinkType = Schema.Literal(...linkTypes)
export type LinkType = typeof LinkType.Type

const fact = (description: string) =>
  Schema.String.pipe(Schema.maxLength(MAX_FACT)).annotations({ description })
const count = (description: string) => Schema.NonNegativeInt.annotations({ description })

/** What some kinds of pages say about themselves beside what every page has; a fact that is not known is absent. */
export const Facts = Schema.partial(
  Schema.Struct({
    paywall: Schema.Literal(true).annotations({ description: "Only subscribers can read all of it." }),
    duration: count("How long a video or a recording is, in seconds."),
    pages: count("How many pages a document has."),
    price: fact("A product's price with its currency, such as `49.00 EUR`."),
    isbn: fact("A book's ISBN, digits only."),
    doi: fact("A paper's DOI, without a resolver's address."),
    journal: fact("The journal or conference that published a paper."),
    pdf: fact("The address of the PDF that a page describes."),
    show: fact("The podcast or series that an episode belongs to."),
    score: count("How many votes or points a post has."),
    version: fact("The newest version of a package."),
    size: fact("A picture's width and height in pixels, such as `4032 x 3024`.")
  })
).annotations({ identifier: "Facts" })
export type Facts = typeof Facts.Type

/** `reason` says in one sentence why a source failed or waits; `from` is set if the text is not from the site. */
export const Stage = Schema.Struct({
  stage: Schema.Literal("page", "repository", "model"),
  state: Schema.Literal("done", "waiting", "failed"),
  reason: Schema.NullOr(Schema.String),
  from: Schema.optional(
    Schema.Literal("browser").annotations({
      description: "The page's text is what the owner's browser showed; absent if it is what its site sent."
    })
  )
})
export type Stage = typeof Stage.Type

/** A link that is the reason why another one was filed, with their similarity from 0 to 1. */
export const FiledBecause = Schema.Struct({ id: Schema.Int, similarity: Schema.Number })
export type FiledBecause = typeof FiledBecause.Type

export const normalizeCollectionName = (raw: string): Option.Option<string> =>
  Option.fromNullable(normalizeCollectionPath(raw))

export const CollectionRef = Schema.Struct({ id: Schema.Int, name: Schema.String })
export type CollectionRef = typeof CollectionRef.Type

const text = (description: string) => Schema.String.annotations({ description })
const orNull = (description: string) => Schema.NullOr(Schema.String).annotations({ description })

/** A saved link as the store, the dashboard and the bot see it; its JSON form is part of the HTTP API. */
export const Link = Schema.Struct({
  id: LinkId,
  url: text("The address as given."),
  host: text("The address's host name."),
  title: text(
    "The owner's title or the page's; if the page has none, the words of the address or its host name."
  ),
  note: text("The owner's note, which can have several lines."),
  summary: text("A summary by the model or the owner; may be empty."),
  description: text("The page's description of itself."),
  tags: Schema.Array(Schema.String),
  category: text("One short word in lower case."),
  collection: Schema.NullOr(CollectionRef),
  favorite: Schema.Boolean,
  shareable: Schema.Boolean.annotations({ description: "Whether it is shared itself, on the public list." }),
  inShared: Schema.Boolean.annotations({
    description: "Whether it is on the public list because its collection is shared."
  }),
  image: orNull("The address of the page's picture."),
  favicon: orNull("The address of the site's icon."),
  siteName: orNull("The site's name for itself."),
  author: orNull("The page's author."),
  publishedAt: orNull("When the page was published, according to the page: a time in UTC, or a day."),
  language: orNull("The page's language, as a BCP 47 tag."),
  repository: Schema.NullOr(Repository),
  enrichment: EnrichmentState.annotations({
    description: "The progress of enriching the link; `partial` means that a source failed."
  }),
  state: LinkState.annotations({ description: "Whether the owner has read it or put it away." }),
  type: LinkType.annotations({ description: "What the link leads to." }),
  facts: Facts.annotations({ description: "What its kind of page says about itself." }),
  model: orNull("The model that wrote the summary; null if the owner or no model did."),
  stages: Schema.Array(Stage).annotations({
    description: "What became of each source of the link's description; empty for links of earlier versions."
  }),
  filedBecause: Schema.NullOr(Schema.Array(FiledBecause)).annotations({
    description: "The links that are the reason why it was filed by itself; null if the owner filed it."
  }),
  kept: Schema.Boolean.annotations({ description: "Whether its page is kept, to be read here." }),
  highlights: Schema.Int.annotations({ description: "The number of its highlights." }),
  check: ShownCheck.annotations({ description: "Whether the page is still at its address." }),
  createdAt: text("When it was saved, as an ISO 8601 time in UTC."),
  updatedAt: text("When it last changed."),
  deletedAt: Schema.optional(text("When it was moved to the trash; absent outside it."))
}).annotations({ identifier: "Link" })
export type Link = typeof Link.Type

/** A shared link as the public sees it: these fields and nothing else. */
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
}).annotations({ identifier: "PublicLink" })
export type PublicLink = typeof PublicLink.Type

export class LinkNotFound extends Schema.TaggedError<LinkNotFound>()("LinkNotFound", { id: LinkId }) {
  override get message() {
    return `There is no link #${this.id}.`
  }
}

/** A web page's metadata and text, as plain text; an absent value is null, or empty for `description` and `text`. */
export const Page = Schema.Struct({
  /** The address the page was read from, after redirects. */
  url: Schema.String,
  title: Schema.NullOr(Schema.String),
  description: Schema.String,
  /** An absolute http(s) address, as are `image` and `favicon`. */
  canonicalUrl: Schema.NullOr(Schema.String),
  image: Schema.NullOr(Schema.String),
  favicon: Schema.NullOr(Schema.String),
  siteName: Schema.NullOr(Schema.String),
  author: Schema.NullOr(Schema.String),
  /** ISO 8601; in UTC if the page gives a time of day. */
  publishedAt: Schema.NullOr(Schema.String),
  /** A BCP 47 tag. */
  language: Schema.NullOr(Schema.String),
  type: Schema.NullOr(LinkType),
  facts: Facts,
  /** The page's readable text, at most `MAX_PAGE_TEXT` UTF-16 units. */
  text: Schema.String,
  /** The text's structure in canonical form (`isCleanArticle`): sanitized where read, checked where received; or empty. */
  article: Schema.String
})
export type Page = typeof Page.Type

export const blankPage = (url: string): Page => ({
  url,
  title: null,
  description: "",
  canonicalUrl: null,
  image: null,
  favicon: null,
  siteName: null,
  author: null,
  publishedAt: null,
  language: null,
  type: null,
  facts: {},
  text: "",
  article: ""
})
