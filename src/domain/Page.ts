import { Schema } from "effect"

/** What a web page says of itself, as plain text; an absent statement is null (an empty string for texts). */
export const Page = Schema.Struct({
  /** The address the page was read from, after redirects. */
  url: Schema.String,
  title: Schema.NullOr(Schema.String),
  description: Schema.String,
  /** Absolute http(s) addresses. */
  canonicalUrl: Schema.NullOr(Schema.String),
  image: Schema.NullOr(Schema.String),
  favicon: Schema.NullOr(Schema.String),
  siteName: Schema.NullOr(Schema.String),
  author: Schema.NullOr(Schema.String),
  /** ISO 8601, in UTC where the page states a time. */
  publishedAt: Schema.NullOr(Schema.String),
  /** A BCP 47 tag. */
  language: Schema.NullOr(Schema.String),
  /** The page's readable text, at most `MAX_PAGE_TEXT` UTF-16 units. */
  text: Schema.String
})
export type Page = typeof Page.Type
