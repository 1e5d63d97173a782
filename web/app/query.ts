import type { Filter } from "../../src/domain/LinkQuery.ts"

const operators = ["tag", "category", "collection", "site", "is", "before", "after"] as const
/** What may stand before a colon. */
export type Operator = (typeof operators)[number]

/** One item of a search text: a word, a phrase, or an operator with its value. */
export interface Token {
  /** Where it stands, in UTF-16 units; `end` is behind it. */
  readonly start: number
  readonly end: number
  readonly negated: boolean
  /** The operator it begins with, be it complete or not. */
  readonly operator: Operator | undefined
  /** What follows the operator, or the word or phrase, without quotes. */
  readonly value: string
  readonly filter: Filter | undefined
  /** Whether it is searched for as text; what is neither that nor a filter is passed over. */
  readonly searched: boolean
}

/** The longest search text that the service reads, in UTF-16 units. */
const MAX_QUERY = 1_000

const item = /(-?)(?:([a-z]+):)?(?:"([^"]*)"?|(\S+))/giu
const unfinished = /^([a-z]+):$/i
const takesText: ReadonlySet<Operator> = new Set(["tag", "category", "collection", "site"])

/** Whether a text is a day of the calendar; `Date` alone would take 30 February for 2 March. */
const isDay = (text: string): boolean => {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}

const operatorOf = (name: string | undefined): Operator | undefined =>
  operators.find((one) => one === name?.toLowerCase())

const filterOf = (operator: Operator, value: string, negated: boolean): Filter | undefined => {
  if (value === "") return undefined
  switch (operator) {
    case "is": {
      const mark = value.toLowerCase()
      return mark === "favorite" || mark === "shareable" || mark === "partial"
        ? { field: mark, negated }
        : undefined
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

const readable = (text: string): string => text.replaceAll("\0", " ").slice(0, MAX_QUERY)

const tokenOf = (match: RegExpExecArray): Token => {
  const { 0: whole, 1: minus, 2: name, 3: quoted, 4: bare = "", index: start } = match
  const negated = minus === "-"
  const text = quoted ?? bare
  const value = operatorOf(name) === "tag" ? text.replace(/^#/, "") : text
  const place = { start, end: start + whole.length, negated }
  if (name === undefined) {
    const operator = quoted === undefined ? operatorOf(unfinished.exec(bare)?.[1]) : undefined
    const searched = value !== "" && value !== "-"
    return { ...place, operator, value: operator === undefined ? value : "", filter: undefined, searched }
  }
  const operator = operatorOf(name)
  const filter = operator === undefined ? undefined : filterOf(operator, value, negated)
  const empty = value === "" && operator !== undefined && takesText.has(operator)
  return { ...place, operator, value, filter, searched: filter === undefined && !empty }
}

/** The items of a search text in their order, read as the service reads them (`src/search/Query.ts`). */
export const tokensOf = (text: string): ReadonlyArray<Token> =>
  [...readable(text).matchAll(item)].map(tokenOf)

/** The item that ends at the caret or has it inside. */
export const tokenAt = (text: string, caret: number): Token | undefined =>
  tokensOf(text).find(({ end, start }) => start < caret && caret <= end)

/** The text without one of its items. */
export const withoutToken = (text: string, { end, start }: Token): string => {
  const whole = readable(text)
  const [before, after] = [whole.slice(0, start).trimEnd(), whole.slice(end).trimStart()]
  return before === "" || after === "" ? before + after : `${before} ${after}`
}

/** An operator with its value, in quotes where it needs them; undefined where the language has no way to write the value. */
export const written = (operator: Operator, value: string, negated = false): string | undefined => {
  const spaced = /\s/.test(value)
  if (value === "" || (value.includes('"') && (spaced || value.startsWith('"')))) return undefined
  return `${negated ? "-" : ""}${operator}:${spaced ? `"${value}"` : value}`
}

/** Whether words are searched for, so that there is a best match. */
export const hasWords = (text: string): boolean =>
  tokensOf(text).some(({ negated, searched }) => searched && !negated)

/** The operators that a word may be the beginning of. */
export const operatorsFrom = (beginning: string): ReadonlyArray<Operator> =>
  operators.filter((one) => one.startsWith(beginning.toLowerCase()))
