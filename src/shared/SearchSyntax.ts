/** The search language. The service builds its query from the parsed text; the app completes, shows and removes tokens. */

/** Maximum length of a search text, in UTF-16 units; the rest is ignored. */
export const MAX_QUERY = 1_000
/** Maximum nesting of brackets; deeper brackets are text. */
const MAX_DEPTH = 8

const textOperators = ["tag", "category", "collection", "site", "title", "lang"] as const
const dateOperators = ["before", "after", "added"] as const
const operators = [...textOperators, "is", "has", "type", ...dateOperators] as const
const marks = [
  "favorite",
  "shareable",
  "shared",
  "unread",
  "read",
  "started",
  "archived",
  "trashed",
  "partial",
  "broken",
  "moved",
  "changed",
  "untagged",
  "unfiled"
] as const
const parts = ["note", "summary", "image", "repository", "page", "highlight"] as const

/** The kinds of things that a link leads to, which are the values of `type:`. */
export const linkTypes = [
  "page",
  "article",
  "repository",
  "video",
  "audio",
  "post",
  "paper",
  "pdf",
  "image",
  "product",
  "book",
  "package"
] as const

export type Operator = (typeof operators)[number]

export type TextOperator = (typeof textOperators)[number]

export type Mark = (typeof marks)[number]

export type Part = (typeof parts)[number]

export type LinkTypeName = (typeof linkTypes)[number]

type ValueField = TextOperator | "tagPrefix" | (typeof dateOperators)[number]

/** Dates are in UTC: a day, a month or a year; `added` also a period (`7d`). `tagPrefix` is `web` in `tag:web*`. */
export type Filter = { readonly negated: boolean } & (
  | { [F in ValueField]: { readonly field: F; readonly value: string } }[ValueField]
  | { readonly field: "has"; readonly value: Part }
  | { readonly field: "type"; readonly value: LinkTypeName }
  | { [M in Mark]: { readonly field: M } }[Mark]
)

/** The meaning of a token: a filter, text to search for (a phrase keeps the order of its words), structure, or nothing. */
type Meaning =
  | { readonly kind: "filter"; readonly filter: Filter }
  | { readonly kind: "word" | "phrase"; readonly text: string }
  | { readonly kind: "open" | "close" | "or" | "nothing" }

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
const item = /(-?)(?:([a-z]+):)?(?:"([^"]*)"?|(\S+))/iuy
const unfinished = /^([a-z]+):$/i
/** Hours of the units of a period; a month counts 30 days, a year 365. */
const unitHours: Readonly<Record<string, number>> = { h: 1, d: 24, w: 7 * 24, m: 30 * 24, y: 365 * 24 }

/** Parses a period before now, such as `7d`: its length in hours, and whether it counts whole days. */
export const periodOf = (text: string): { readonly hours: number; readonly inDays: boolean } | undefined => {
  const [, amount, unit = ""] = /^(\d{1,4})([hdwmy])$/.exec(text.toLowerCase()) ?? []
  const hours = unitHours[unit]
  return amount === undefined || hours === undefined
    ? undefined
    : { hours: Number(amount) * hours, inDays: unit !== "h" }
}

/** Whether a text is a year, a month or a day; `Date` alone would accept 30 February as 2 March. */
const isDate = (text: string): boolean => {
  const time = /^\d{4}(-\d{2}){0,2}$/.test(text) ? Date.parse(text) : Number.NaN
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}

const among = <A extends string>(all: ReadonlyArray<A>, text: string): A | undefined =>
  all.find((one) => one === text)

const operatorOf = (name: string | undefined): Operator | undefined =>
  name === undefined ? undefined : among(operators, name.toLowerCase())

const takesText = (operator: Operator): boolean => among(textOperators, operator) !== undefined

const markOf = (value: string): Mark | undefined => among(marks, value)

/** `type:repo` is short for `type:repository`. */
const linkTypeOf = (value: string): LinkTypeName | undefined =>
  among(linkTypes, value === "repo" ? "repository" : value)

const filterOf = (operator: Operator, value: string, negated: boolean): Filter | undefined => {
  if (value === "") return undefined
  switch (operator) {
    case "is": {
      const mark = markOf(value.toLowerCase())
      return mark === undefined ? undefined : { field: mark, negated }
    }
    case "has": {
      const part = among(parts, value.toLowerCase())
      return part === undefined ? undefined : { field: operator, value: part, negated }
    }
    case "type": {
      const type = linkTypeOf(value.toLowerCase())
      return type === undefined ? undefined : { field: operator, value: type, negated }
    }
    case "added":
      return isDate(value) || periodOf(value) !== undefined ? { field: operator, value, negated } : undefined
    case "before":
    case "after":
      return isDate(value) ? { field: operator, value, negated } : undefined
    case "tag": {
      const [, start] = /^([^*]+)\*$/.exec(value.toLowerCase()) ?? []
      return start === undefined
        ? { field: operator, value: value.toLowerCase(), negated }
        : { field: "tagPrefix", value: start, negated }
    }
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

const structure = (
  kind: "open" | "close" | "or",
  start: number,
  end: number,
  negated = false
): SearchToken => ({ kind, start, end, negated, operator: undefined, value: "", quoted: false })

/** How many of a word's last characters are brackets that it does not open itself: they close the group around it. */
const closingBrackets = (word: string, depth: number): number => {
  let open = 0
  for (const letter of word) open += letter === "(" ? 1 : letter === ")" ? -1 : 0
  const trailing = /\)*$/.exec(word)?.[0].length ?? 0
  return Math.max(0, Math.min(-open, trailing, depth))
}

const tokenOf = (match: RegExpExecArray, depth: number): SearchToken => {
  const { 1: minus, 2: name, 3: inQuotes, 4: unquoted = "", index: start } = match
  const negated = minus === "-"
  const quoted = inQuotes !== undefined
  const cut = quoted ? 0 : closingBrackets(unquoted, depth)
  const bare = unquoted.slice(0, unquoted.length - cut)
  const whole = match[0].slice(0, match[0].length - cut)
  const end = start + whole.length
  if (/^or$/i.test(whole)) return structure("or", start, end)
  const text = inQuotes ?? bare
  const place = { start, end, negated, quoted }
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
 * Parses a search text into its tokens, in order: bare words, `"a phrase"`, `-word`, `or`, brackets, and the operators
 * `tag: category: collection: site: title: lang: is: has: type: before: after: added:`.
 *
 * Never fails: an unknown operator or value, an impossible date, an unclosed quote or a stray bracket is text.
 */
export const tokensOf = (text: string): ReadonlyArray<SearchToken> => {
  const read = readPart(text)
  const tokens: Array<SearchToken> = []
  let [at, depth] = [0, 0]
  while (at < read.length) {
    const [space = ""] = /^\s+/.exec(read.slice(at)) ?? []
    at += space.length
    if (at === read.length) break
    const [open] = /^-?\(/.exec(read.slice(at, at + 2)) ?? []
    if (open !== undefined && depth < MAX_DEPTH) {
      tokens.push(structure("open", at, at + open.length, open.startsWith("-")))
      depth++
    } else if (read[at] === ")" && depth > 0) {
      tokens.push(structure("close", at, at + 1))
      depth--
    } else {
      item.lastIndex = at
      const match = item.exec(read)
      if (match === null) break
      tokens.push(tokenOf(match, depth))
    }
    at = tokens.at(-1)?.end ?? read.length
  }
  return tokens
}

export interface Words {
  readonly kind: "word" | "phrase"
  readonly text: string
  readonly negated: boolean
  /** Whether the text ends with it, so that the person may still be typing it. */
  readonly isLast: boolean
}

export interface Group {
  readonly alternatives: ReadonlyArray<Clause>
  readonly negated: boolean
}

export interface Clause {
  readonly words: ReadonlyArray<Words>
  readonly filters: ReadonlyArray<Filter>
  readonly groups: ReadonlyArray<Group>
}

const NOTHING: Clause = { words: [], filters: [], groups: [] }

const isNothing = ({ filters, groups, words }: Clause) => words.length + filters.length + groups.length === 0

const both = (one: Clause, other: Clause): Clause => ({
  words: [...one.words, ...other.words],
  filters: [...one.filters, ...other.filters],
  groups: [...one.groups, ...other.groups]
})

/** A group as a clause: itself, the conditions inside where brackets change nothing, or nothing where it is empty. */
const asClause = (alternatives: ReadonlyArray<Clause>, negated: boolean): Clause => {
  const filled = alternatives.filter((one) => !isNothing(one))
  const [only] = filled
  if (only === undefined) return NOTHING
  if (filled.length > 1) return { ...NOTHING, groups: [{ alternatives: filled, negated }] }
  if (!negated) return only
  const { filters, groups, words } = only
  if (words.length + filters.length + groups.length > 1)
    return { ...NOTHING, groups: [{ alternatives: filled, negated }] }
  return {
    words: words.map((one) => ({ ...one, negated: !one.negated })),
    filters: filters.map((one) => ({ ...one, negated: !one.negated })),
    groups: groups.map((one) => ({ ...one, negated: !one.negated }))
  }
}

/** Side by side binds more tightly than `or`: `a b or c` is `(a b) or c`. An open bracket ends with the text. */
export const parseSearch = (text: string): Clause => {
  const tokens = tokensOf(text)
  const length = readPart(text).length
  let at = 0
  const parseGroup = (negated: boolean): Clause => {
    const alternatives: Array<Clause> = []
    let clause = NOTHING
    for (;;) {
      const token = tokens[at++]
      if (token === undefined || token.kind === "close") break
      if (token.kind === "or") {
        alternatives.push(clause)
        clause = NOTHING
      } else if (token.kind === "open") clause = both(clause, parseGroup(token.negated))
      else if (token.kind === "filter") clause = { ...clause, filters: [...clause.filters, token.filter] }
      else if (token.kind === "word" || token.kind === "phrase") {
        const { end, kind, negated, text } = token
        clause = { ...clause, words: [...clause.words, { kind, text, negated, isLast: end === length }] }
      }
    }
    return asClause([...alternatives, clause], negated)
  }
  return parseGroup(false)
}

/** Scripts written without spaces: the word index treats a whole run of them as one word. */
const unspacedScripts =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u

/** Whether unicode61 finds a token (https://www.sqlite.org/fts5.html#unicode61_tokenizer) in a script with spaces. */
export const isWordText = (text: string): boolean =>
  /[\p{L}\p{N}\p{Co}]/u.test(text) && !unspacedScripts.test(text)

/** Each alternative is words alone, at least one of them wanted. Other groups only filter. */
export const isRanking = ({ alternatives, negated }: Group): boolean =>
  !negated &&
  alternatives.every(
    ({ filters, groups, words }) =>
      filters.length + groups.length === 0 &&
      words.some((one) => !one.negated) &&
      words.every((one) => isWordText(one.text))
  )

export const hasWords = (text: string): boolean => {
  const { groups, words } = parseSearch(text)
  return words.some(({ negated }) => !negated) || groups.some(isRanking)
}

export const tokenAt = (text: string, caret: number): SearchToken | undefined =>
  tokensOf(text).find(({ end, start }) => start < caret && caret <= end)

export const withoutToken = (
  text: string,
  { end, start }: { readonly start: number; readonly end: number }
): string => {
  const whole = readPart(text)
  const [before, after] = [whole.slice(0, start).trimEnd(), whole.slice(end).trimStart()]
  return before === "" || after === "" ? before + after : `${before} ${after}`
}

/** Writes an operator with its value, in quotes if needed; undefined if the language cannot express the value. */
export const writeFilter = (operator: Operator, value: string, negated = false): string | undefined => {
  const spaced = /[\s()]/.test(value)
  if (value === "" || (value.includes('"') && (spaced || value.startsWith('"')))) return undefined
  return `${negated ? "-" : ""}${operator}:${spaced ? `"${value}"` : value}`
}

export const operatorsFrom = (beginning: string): ReadonlyArray<Operator> =>
  operators.filter((one) => one.startsWith(beginning.toLowerCase()))
