/** The search language. The service builds its query from the tokens; the app completes, shows and removes them. */

/** Maximum length of a search text, in UTF-16 units; the rest is ignored. */
export const MAX_QUERY = 1_000

const textOperators = ["tag", "category", "collection", "site"] as const
const operators = [...textOperators, "is", "before", "after"] as const
const marks = ["favorite", "shareable", "partial"] as const

/** A name that may stand before a colon. */
export type Operator = (typeof operators)[number]

/** An operator whose value is any text. */
export type TextOperator = (typeof textOperators)[number]

/** A value of `is:`. */
export type Mark = (typeof marks)[number]

/** A condition on the links to find (`tag:x`, `is:favorite`, `after:2026-01-01`); days are in UTC. */
export type Filter = { readonly negated: boolean } & (
  | { readonly field: TextOperator | "before" | "after"; readonly value: string }
  | { readonly field: Mark }
)

/** The meaning of a token: a filter, text to search for (a phrase keeps the order of its words), or nothing. */
type Meaning =
  | { readonly kind: "filter"; readonly filter: Filter }
  | { readonly kind: "word" | "phrase"; readonly text: string }
  | { readonly kind: "nothing" }

/** One item of a search text: a word, a phrase, or an operator with its value. */
export type SearchToken = Meaning & {
  /** Its position in UTF-16 units; `end` is exclusive. */
  readonly start: number
  readonly end: number
  readonly negated: boolean
  /** The operator before the colon, with or without a value; undefined for an unknown name. */
  readonly operator: Operator | undefined
  /** The text after the operator, or the word or phrase, without quotes. */
  readonly value: string
  /** Whether the value is in quotes, closed or not. */
  readonly quoted: boolean
}

/** Matches one item: an optional minus, an optional operator, then a quoted text (closed or not) or a bare word. */
const item = /(-?)(?:([a-z]+):)?(?:"([^"]*)"?|(\S+))/giu
/** Matches an operator whose value is still missing. */
const unfinished = /^([a-z]+):$/i

/** Whether a text is a calendar date; `Date` alone would accept 30 February as 2 March. */
const isDay = (text: string): boolean => {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}

const operatorOf = (name: string | undefined): Operator | undefined =>
  operators.find((one) => one === name?.toLowerCase())

const takesText = (operator: Operator): boolean => textOperators.some((one) => one === operator)

const filterOf = (operator: Operator, value: string, negated: boolean): Filter | undefined => {
  if (value === "") return undefined
  switch (operator) {
    case "is": {
      const mark = marks.find((one) => one === value.toLowerCase())
      return mark === undefined ? undefined : { field: mark, negated }
    }
    case "before":
    case "after":
      return isDay(value) ? { field: operator, value, negated } : undefined
    case "tag":
      return { field: operator, value: value.toLowerCase(), negated }
    default:
      return { field: operator, value, negated }
  }
}

const meaningOfText = (text: string, quoted: boolean): Meaning =>
  text === "" || text === "-" ? { kind: "nothing" } : { kind: quoted ? "phrase" : "word", text }

/** The meaning of an item with a name before a colon, given without its minus. */
const meaningOfNamed = (
  withoutMinus: string,
  operator: Operator | undefined,
  value: string,
  negated: boolean
): Meaning => {
  const filter = operator === undefined ? undefined : filterOf(operator, value, negated)
  if (filter !== undefined) return { kind: "filter", filter }
  const isEmpty = operator !== undefined && takesText(operator) && value === ""
  return isEmpty ? { kind: "nothing" } : { kind: "word", text: withoutMinus }
}

const tokenOf = (match: RegExpExecArray): SearchToken => {
  const { 0: whole, 1: minus, 2: name, 3: inQuotes, 4: bare = "", index: start } = match
  const negated = minus === "-"
  const quoted = inQuotes !== undefined
  const text = inQuotes ?? bare
  const place = { start, end: start + whole.length, negated, quoted }
  if (name === undefined) {
    const operator = quoted ? undefined : operatorOf(unfinished.exec(bare)?.[1])
    return {
      ...place,
      operator,
      value: operator === undefined ? text : "",
      ...meaningOfText(text, quoted)
    }
  }
  const operator = operatorOf(name)
  const value = operator === "tag" ? text.replace(/^#/, "") : text
  const withoutMinus = negated ? whole.slice(1) : whole
  return { ...place, operator, value, ...meaningOfNamed(withoutMinus, operator, value, negated) }
}

/** The part of a search text that is read: its first `MAX_QUERY` units, without NULs, at which SQLite would end it. */
export const readPart = (text: string): string => text.replaceAll("\0", " ").slice(0, MAX_QUERY)

/**
 * Parses a search text into its tokens, in order: bare words, `"a phrase"`, `-word`, and the operators `tag: category:
 * collection: site: is:favorite is:shareable is:partial before:YYYY-MM-DD after:YYYY-MM-DD`.
 *
 * Never fails: an unknown operator, an impossible date or an unclosed quote is searched for as text.
 */
export const tokensOf = (text: string): ReadonlyArray<SearchToken> =>
  [...readPart(text).matchAll(item)].map(tokenOf)

/** The token that contains the caret or ends at it. */
export const tokenAt = (text: string, caret: number): SearchToken | undefined =>
  tokensOf(text).find(({ end, start }) => start < caret && caret <= end)

/** Removes one of its tokens from a text. */
export const withoutToken = (text: string, { end, start }: SearchToken): string => {
  const whole = readPart(text)
  const [before, after] = [whole.slice(0, start).trimEnd(), whole.slice(end).trimStart()]
  return before === "" || after === "" ? before + after : `${before} ${after}`
}

/** Writes an operator with its value, in quotes if needed; undefined if the language cannot express the value. */
export const writeFilter = (operator: Operator, value: string, negated = false): string | undefined => {
  const spaced = /\s/.test(value)
  if (value === "" || (value.includes('"') && (spaced || value.startsWith('"')))) return undefined
  return `${negated ? "-" : ""}${operator}:${spaced ? `"${value}"` : value}`
}

/** Whether a text searches for words, so that there is a best match. */
export const hasWords = (text: string): boolean =>
  tokensOf(text).some(({ kind, negated }) => (kind === "word" || kind === "phrase") && !negated)

/** The operators that begin with a text, in any case. */
export const operatorsFrom = (beginning: string): ReadonlyArray<Operator> =>
  operators.filter((one) => one.startsWith(beginning.toLowerCase()))
