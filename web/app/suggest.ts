import {
  type LinkTypeName,
  linkTypes,
  type Mark,
  type Operator,
  operatorsFrom,
  type Part,
  type SearchToken,
  type TextOperator,
  tokenAt,
  writeFilter
} from "../../src/shared/SearchSyntax.ts"

/** A completion of the item under the caret. */
export interface Suggestion {
  /** The text that replaces the item. */
  readonly text: string
  readonly label: string
  readonly detail: string
}

/** The item under the caret, and its possible completions. */
export interface Completion {
  readonly token: SearchToken
  readonly suggestions: ReadonlyArray<Suggestion>
  /** Whether the item is too incomplete to search for. */
  readonly unfinished: boolean
  /** Whether only suggested values are valid, so that the first one is preselected. */
  readonly closed: boolean
}

interface Value {
  readonly name: string
  readonly detail: string
}

/** The values to suggest from, the most likely first. */
export interface Sources {
  readonly values: (operator: TextOperator) => ReadonlyArray<Value>
  readonly today: Date
}

const MAX_SUGGESTIONS = 8

const details: Readonly<Record<Operator, string>> = {
  tag: "with a tag",
  category: "in a category",
  collection: "in a collection",
  site: "from a site",
  title: "with a word in the title",
  lang: "in a language",
  is: "unread, archived, favorite…",
  has: "with a note, a summary…",
  type: "a video, a repository…",
  before: "saved before a date",
  after: "saved since a date",
  added: "saved in a period"
}

const states: ReadonlyArray<Value & { readonly name: Mark }> = [
  { name: "favorite", detail: "favorites" },
  { name: "shared", detail: "on the public list" },
  { name: "shareable", detail: "shared by itself" },
  { name: "unread", detail: "still to read" },
  { name: "started", detail: "begun and not finished" },
  { name: "archived", detail: "put away" },
  { name: "partial", detail: "page or summary missing" },
  { name: "broken", detail: "its page cannot be read any more" },
  { name: "moved", detail: "its page has a new address" },
  { name: "changed", detail: "another page is in its place" },
  { name: "untagged", detail: "without tags" },
  { name: "unfiled", detail: "in no collection" },
  { name: "trashed", detail: "in the trash" },
  { name: "read", detail: "read" }
]

const contents: ReadonlyArray<Value & { readonly name: Part }> = [
  { name: "note", detail: "your note" },
  { name: "summary", detail: "a summary" },
  { name: "image", detail: "a picture" },
  { name: "repository", detail: "a repository" },
  { name: "page", detail: "a kept copy of its page" },
  { name: "highlight", detail: "highlighted passages" }
]

const typeDetails: Readonly<Record<LinkTypeName, string>> = {
  page: "other pages",
  article: "articles",
  repository: "code repositories",
  video: "videos",
  audio: "music and podcasts",
  post: "posts",
  paper: "papers",
  pdf: "PDF files",
  image: "pictures",
  product: "products",
  book: "books",
  package: "packages"
}

const periods: ReadonlyArray<Value> = [
  { name: "1d", detail: "since yesterday" },
  { name: "7d", detail: "in the last week" },
  { name: "1m", detail: "in the last month" },
  { name: "1y", detail: "in the last year" }
]

const DAY = 86_400_000

/** The day in UTC, as in the service. */
const isoDay = (time: number): string => new Date(time).toISOString().slice(0, 10)

/** The same day some months earlier, or the last day of a shorter month. */
const monthsBefore = (today: Date, months: number): number => {
  const [year, month] = [today.getUTCFullYear(), today.getUTCMonth() - months]
  const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  return Date.UTC(year, month, Math.min(today.getUTCDate(), last))
}

const days = (today: Date): ReadonlyArray<Value> => [
  { name: isoDay(today.getTime()), detail: "today" },
  { name: isoDay(today.getTime() - 7 * DAY), detail: "a week ago" },
  { name: isoDay(monthsBefore(today, 1)), detail: "a month ago" },
  { name: isoDay(monthsBefore(today, 12)), detail: "a year ago" }
]

const valuesOf = (operator: Operator, sources: Sources): ReadonlyArray<Value> => {
  switch (operator) {
    case "is":
      return states
    case "has":
      return contents
    case "type":
      return linkTypes.map((name) => ({ name, detail: typeDetails[name] }))
    case "added":
      return periods
    case "before":
    case "after":
      return days(sources.today)
    default:
      return sources.values(operator)
  }
}

/** 0 if the value begins with the typed text, 1 if one of its words does, otherwise undefined. */
const rankOf = ({ detail, name }: Value, typed: string, dated: boolean): number | undefined => {
  const lower = name.toLowerCase()
  if (lower.startsWith(typed)) return 0
  const words = (dated ? detail : lower).split(/[\s./-]+/)
  return words.some((word) => word.startsWith(typed)) ? 1 : undefined
}

const completeValue = (
  token: SearchToken,
  operator: Operator,
  typed: string,
  sources: Sources
): Completion => {
  const dated = operator === "before" || operator === "after" || operator === "added"
  const fitting = valuesOf(operator, sources)
    .flatMap((value) => {
      const rank = rankOf(value, typed, dated)
      const text = writeFilter(operator, value.name, token.negated)
      return rank === undefined || text === undefined ? [] : [{ value, text, rank }]
    })
    .toSorted((a, b) => a.rank - b.rank)
    .slice(0, MAX_SUGGESTIONS)
  const exact =
    fitting.some(({ value }) => value.name.toLowerCase() === token.value.toLowerCase()) ||
    (dated && token.kind === "filter")
  const done = exact && fitting.length === 1
  return {
    token,
    suggestions: done
      ? []
      : fitting.map(({ text, value: { detail, name } }) => ({ text, label: name, detail })),
    unfinished: !exact && fitting.length > 0,
    closed: !exact && operator !== "site"
  }
}

/** Minimum number of letters to suggest operators. */
const MIN_OPERATOR = 2

/** The completions of the item under the caret; undefined if the caret is not in an item. */
export const completionAt = (text: string, caret: number, sources: Sources): Completion | undefined => {
  const token = tokenAt(text, caret)
  if (token === undefined) return undefined
  const { end, negated, operator, value } = token
  if (operator !== undefined) {
    // The part after the caret will be replaced.
    const typed = value.slice(0, Math.max(0, value.length - (end - caret))).toLowerCase()
    return completeValue(token, operator, operator === "tag" ? typed.replace(/^#/, "") : typed, sources)
  }
  const bare = text.slice(token.start, caret).replace(/^-/, "")
  const names = bare.length < MIN_OPERATOR || caret < end ? [] : operatorsFrom(bare)
  return {
    token,
    suggestions: names.map((name) => ({
      text: `${negated ? "-" : ""}${name}:`,
      label: `${name}:`,
      detail: details[name]
    })),
    unfinished: false,
    closed: false
  }
}

/** Inserts a suggestion in place of an item; returns the new text and caret position. */
export const accept = (
  text: string,
  { end, start }: SearchToken,
  suggestion: Suggestion
): { readonly text: string; readonly caret: number } => {
  const open = suggestion.text.endsWith(":")
  const before = `${text.slice(0, start)}${suggestion.text}${open ? "" : " "}`
  return { text: before + (open ? text.slice(end) : text.slice(end).trimStart()), caret: before.length }
}
