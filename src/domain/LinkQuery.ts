import { Schema } from "effect"
import { MAX_SEED, type PublicSort, type Sort } from "../shared/ListParameters.ts"
import {
  type Clause,
  type Filter,
  type Group,
  isRanking,
  parseSearch,
  periodOf,
  type Words
} from "../shared/SearchSyntax.ts"

export interface Term {
  readonly text: string
  /** `prefix`: start of a word; `part`: anywhere in one; `name`: the same but not in the address; `either`: alternatives. */
  readonly kind: "word" | "phrase" | "prefix" | "part" | "name" | "either"
  readonly negated: boolean
  /** Of `either`: the terms that match together, of which at least one is wanted. */
  readonly alternatives?: ReadonlyArray<ReadonlyArray<Term>>
  /** Whether a link must contain it even if it need not contain the other words; true of every phrase. */
  readonly required?: boolean
}

export interface Conditions {
  readonly terms: ReadonlyArray<Term>
  readonly filters: ReadonlyArray<QueryFilter>
}

/** A filter of the search language, or a choice: a link must meet one of its alternatives. */
export type QueryFilter =
  | Filter
  | { readonly field: "any"; readonly alternatives: ReadonlyArray<Conditions>; readonly negated: boolean }

export interface LinkQuery extends Conditions {
  /** A collection's number, which selects the links in those inside it too; null selects links without a collection. */
  readonly collection?: number | null | undefined
  /** `alone`: nothing is inside, so its index gives the order; `many`: a walk in the list's order finds a page soonest. */
  readonly within?: "alone" | "many" | undefined
  readonly favorite?: boolean | undefined
  readonly shareable?: boolean | undefined
  /** Whether archived links are left out. */
  readonly hideArchived?: boolean | undefined
  /** The number of a link; selects links similar to it in meaning. */
  readonly like?: number | undefined
  readonly sort: Sort
  /** Selects one of the orders of `random`, from 0 to `MAX_SEED`; 0 by default. */
  readonly seed?: number | undefined
  /** The number of links per page; unlimited if undefined. */
  readonly limit?: number | undefined
  readonly cursor?: Cursor | undefined
}

export const isInTrash = ({ filters }: Pick<LinkQuery, "filters">): boolean =>
  filters.some(({ field, negated }) => field === "trashed" && !negated)

/** Whether a query shows the whole library, or searches it for words or meaning alone. */
export const isBroad = ({ collection, favorite, filters, shareable }: LinkQuery): boolean =>
  filters.length === 0 && collection === undefined && favorite === undefined && shareable === undefined

/** A link's position in an order by collection or site: that name, which is null for a link without a collection, and its age. */
const GroupPlace = Schema.Tuple(Schema.NullOr(Schema.String), Schema.String)
export type GroupPlace = typeof GroupPlace.Type

/** A position in a sorted list: the sort value and number of the last link seen. */
export const Cursor = Schema.Union(
  Schema.Struct({
    sort: Schema.Literal("newest", "oldest", "title", "relevance", "changed"),
    value: Schema.Union(Schema.String, Schema.Number),
    id: Schema.Int
  }),
  Schema.Struct({ sort: Schema.Literal("collection", "site"), value: GroupPlace, id: Schema.Int }),
  Schema.Struct({
    sort: Schema.Literal("random"),
    value: Schema.Number,
    id: Schema.Int,
    seed: Schema.Int.pipe(Schema.between(0, MAX_SEED))
  })
)
export type Cursor = typeof Cursor.Type

/** A public query for shared links. A collection is given by name; null selects links without a collection. */
export interface PublicQuery extends Pick<LinkQuery, "terms" | "filters" | "limit"> {
  readonly sort: PublicSort
  readonly collection?: string | null | undefined
  readonly cursor?: PublicCursor | undefined
}

const Seen = Schema.Int.pipe(Schema.between(0, 1_000_000))

/** The last sort value, and how many links with it were seen; never a number, which would count private links. */
export const PublicCursor = Schema.Union(
  Schema.Struct({ sort: Schema.Literal("relevance"), value: Seen, seen: Schema.Literal(0) }),
  Schema.Struct({ sort: Schema.Literal("newest", "oldest", "title"), value: Schema.String, seen: Seen }),
  Schema.Struct({ sort: Schema.Literal("collection"), value: GroupPlace, seen: Seen })
)
export type PublicCursor = typeof PublicCursor.Type

/** Start and end of a match, in UTF-16 units of the field's text. */
const Range = Schema.Tuple(Schema.Int, Schema.Int)
export type Range = typeof Range.Type

/** A part of a page's text, shortened to one line. */
const Excerpt = Schema.Struct({
  text: Schema.String,
  ranges: Schema.Array(Range),
  /** Where it starts in the page's text, in UTF-16 units; 0 if it is not from there. */
  start: Schema.Int,
  /** The excerpt's source if it is a highlight or a note on one; missing for the page's text. */
  from: Schema.optional(Schema.Literal("highlight"))
})
export type Excerpt = typeof Excerpt.Type

/** The positions of search matches in a link's fields; fields without a match are absent. */
export const Highlights = Schema.Struct({
  title: Schema.optional(Schema.Array(Range)),
  note: Schema.optional(Schema.Array(Range)),
  summary: Schema.optional(Schema.Array(Range)),
  description: Schema.optional(Schema.Array(Range)),
  url: Schema.optional(Schema.Array(Range)),
  /** The tag's index in the list, and the start and end in that tag. */
  tags: Schema.optional(Schema.Array(Schema.Tuple(Schema.Int, Schema.Int, Schema.Int))),
  /** The passage that answers a question, or the part of the page's text that matches if no other field does. */
  excerpt: Schema.optional(Excerpt)
}).annotations({ identifier: "Highlights" })
export type Highlights = typeof Highlights.Type

/** Marks around a match; no text contains them (https://www.unicode.org/faq/private_use.html#noncharacters). */
export const MARK_START = "\uFDD0"
export const MARK_END = "\uFDD1"

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

const HOUR = 3_600_000
const DAY = 24 * HOUR

/** A period becomes the hour or day it starts (ISO 8601), so that all pages of a search send the same query. */
export const resolvePeriod = (filter: Filter, now: number): Filter => {
  const period = filter.field === "added" ? periodOf(filter.value) : undefined
  if (period === undefined) return filter
  const step = period.inDays ? DAY : HOUR
  const start = Math.floor(Math.max(0, now - period.hours * HOUR) / step) * step
  return { field: "after", value: new Date(start).toISOString(), negated: filter.negated }
}

/** The last bare word becomes a prefix, because the person may still be typing it. */
const termOf = ({ isLast, kind, negated, text }: Words): Term => ({
  text,
  kind: kind === "word" && isLast && !negated ? "prefix" : kind,
  negated
})

const eitherOf = ({ alternatives }: Group): Term => ({
  kind: "either",
  text: alternatives
    .flatMap(({ words }) => words.filter(({ negated }) => !negated).map(({ text }) => text))
    .join(" "),
  negated: false,
  alternatives: alternatives.map(({ words }) => words.map(termOf))
})

const conditionsOf = ({ filters, groups, words }: Clause, now: number): Conditions => {
  const ranking = groups.filter(isRanking)
  const choices = groups
    .filter((group) => !ranking.includes(group))
    .map(
      ({ alternatives, negated }): QueryFilter => ({
        field: "any",
        alternatives: alternatives.map((one) => conditionsOf(one, now)),
        negated
      })
    )
  return {
    terms: [...words.map(termOf), ...ranking.map(eitherOf)],
    filters: [...filters.map((filter) => resolvePeriod(filter, now)), ...choices]
  }
}

/** A choice of words alone becomes a term, which ranks, any other a filter. `now`, in ms since 1970, resolves periods. */
export const parseQuery = (text: string, now: number): Conditions => conditionsOf(parseSearch(text), now)
