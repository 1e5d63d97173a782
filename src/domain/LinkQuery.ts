import { Schema } from "effect"

/** A part of what a person searches for. */
export interface Term {
  readonly text: string
  /** `prefix` matches words that begin with the text, `phrase` the words in this order, `part` any place in a word. */
  readonly kind: "word" | "phrase" | "prefix" | "part"
  readonly negated: boolean
  /** Beginnings of words to look for instead, any of them, where nothing holds the text itself. */
  readonly instead?: ReadonlyArray<string>
}

/** An operator of the search language (`tag:x`, `is:favorite`, `after:2026-01-01`, ...). */
export type Filter = { readonly negated: boolean } & (
  | {
      readonly field: "tag" | "category" | "collection" | "site" | "before" | "after"
      readonly value: string
    }
  | { readonly field: "favorite" | "shareable" | "partial" }
)

/** `collection` lists collection by collection in the order of their names, each the newest first; links in none come last. */
export const sorts = ["newest", "oldest", "title", "collection", "relevance"] as const
export type Sort = (typeof sorts)[number]

/** Which links are asked for, and in what order. */
export interface LinkQuery {
  readonly terms: ReadonlyArray<Term>
  readonly filters: ReadonlyArray<Filter>
  /** A collection's number; null asks for links in none. */
  readonly collection?: number | null | undefined
  readonly favorite?: boolean | undefined
  readonly shareable?: boolean | undefined
  /** Asks for what is near this link in meaning. */
  readonly like?: number | undefined
  readonly sort: Sort
  /** How many links a page holds; all of them where it is not given. */
  readonly limit?: number | undefined
  /** Where the page before this one ended. */
  readonly cursor?: Cursor | undefined
}

/** Where a link stands in the order by collection; the name is null for a link in none. */
export type CollectionPlace = readonly [collection: string | null, createdAt: string]

/** A place in a sorted list: the sort value and number of the last link seen. */
export type Cursor =
  | {
      readonly sort: Exclude<Sort, "collection">
      readonly value: string | number
      readonly id: number
    }
  | { readonly sort: "collection"; readonly value: CollectionPlace; readonly id: number }

/** Which shared links anybody asks for. A collection is known by its name; null asks for links in none. */
export interface PublicQuery extends Pick<LinkQuery, "terms" | "filters" | "sort" | "limit"> {
  readonly collection?: string | null | undefined
  readonly cursor?: PublicCursor | undefined
}

/**
 * A place in the public list: the sort value of the last link seen, and how many links of that value were seen. The
 * place in a search is a number of results. It names no link's number, for those count the private links too.
 */
export type PublicCursor =
  | { readonly sort: "relevance"; readonly value: number; readonly seen: 0 }
  | { readonly sort: "newest" | "oldest" | "title"; readonly value: string; readonly seen: number }
  | { readonly sort: "collection"; readonly value: CollectionPlace; readonly seen: number }

/** From where to where, in UTF-16 units of the field's text. */
const Range = Schema.Tuple(Schema.Int, Schema.Int)
export type Range = typeof Range.Type

/** Where a search's words stand in a link's fields; a field that holds none is absent. */
export const Highlights = Schema.Struct({
  title: Schema.optional(Schema.Array(Range)),
  note: Schema.optional(Schema.Array(Range)),
  summary: Schema.optional(Schema.Array(Range)),
  description: Schema.optional(Schema.Array(Range)),
  url: Schema.optional(Schema.Array(Range)),
  /** The tag's place in the list, and from where to where in it. */
  tags: Schema.optional(Schema.Array(Schema.Tuple(Schema.Int, Schema.Int, Schema.Int))),
  /** The part of the page's text that holds the words, where no other field does. */
  excerpt: Schema.optional(Schema.Struct({ text: Schema.String, ranges: Schema.Array(Range) }))
}).annotations({ identifier: "Highlights" })
export type Highlights = typeof Highlights.Type

/** Signs that stand in no text (https://www.unicode.org/faq/private_use.html#noncharacters), put around what matched. */
export const MARK_START = "\uFDD0"
export const MARK_END = "\uFDD1"

/** Takes the marks out of a text and says where they stood. */
export const readMarks = (
  marked: string
): { readonly text: string; readonly ranges: ReadonlyArray<Range> } => {
  const ranges: Array<Range> = []
  let text = ""
  let start: number | undefined
  for (const part of marked.split(/([\uFDD0\uFDD1])/)) {
    if (part === MARK_START) start = text.length
    else if (part === MARK_END) {
      if (start !== undefined && start < text.length) ranges.push([start, text.length])
      start = undefined
    } else text += part
  }
  return { text, ranges }
}
