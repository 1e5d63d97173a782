import type { Filter, Term } from "../domain/LinkQuery.ts"

/** A parsed search text. */
interface ParsedQuery {
  readonly terms: ReadonlyArray<Term>
  readonly filters: ReadonlyArray<Filter>
}

/** Matches one item: an optional minus, an optional operator, then a quoted text (closed or not) or a bare word. */
const itemPattern = /(-?)(?:([a-z]+):)?(?:"([^"]*)"?|(\S+))/giu

const valueOperators = new Set(["tag", "category", "collection", "site"])

/** Whether a text is a calendar date; `Date` alone would accept 30 February as 2 March. */
const isDay = (text: string): boolean => {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}

const filterOf = (operator: string, value: string, negated: boolean): Filter | undefined => {
  if (value === "") return undefined
  const mark = operator === "is" ? value.toLowerCase() : ""
  if (mark === "favorite" || mark === "shareable" || mark === "partial") return { field: mark, negated }
  if ((operator === "before" || operator === "after") && isDay(value))
    return { field: operator, value, negated }
  if (operator === "tag" || operator === "category" || operator === "collection" || operator === "site")
    return { field: operator, value: operator === "tag" ? value.toLowerCase() : value, negated }
  return undefined
}

/**
 * Parses a search text: bare words, `"a phrase"`, `-word`, and the operators `tag: category: collection: site:
 * is:favorite is:shareable is:partial before:YYYY-MM-DD after:YYYY-MM-DD`.
 *
 * Never fails: an unknown operator, an impossible date or an unclosed quote is searched for as text. The last bare word
 * becomes a prefix, because the person may still be typing it.
 */
export const parseQuery = (text: string): ParsedQuery => {
  const terms: Array<Term> = []
  const filters: Array<Filter> = []
  // SQLite would end the text at a NUL.
  const clean = text.replaceAll("\0", " ").slice(0, MAX_QUERY)
  for (const [whole, minus = "", operator, quoted, bare] of clean.matchAll(itemPattern)) {
    const text = quoted ?? bare ?? ""
    const value = operator?.toLowerCase() === "tag" ? text.replace(/^#/, "") : text
    const negated = minus === "-"
    const filter = operator === undefined ? undefined : filterOf(operator.toLowerCase(), value, negated)
    if (filter !== undefined) filters.push(filter)
    else if (operator !== undefined) {
      if (!(valueOperators.has(operator.toLowerCase()) && value === ""))
        terms.push({ text: negated ? whole.slice(1) : whole, kind: "word", negated })
    } else if (value !== "" && value !== "-")
      terms.push({ text: value, kind: quoted === undefined ? "word" : "phrase", negated })
  }
  const last = terms.at(-1)
  if (last?.kind === "word" && !last.negated && clean.endsWith(last.text))
    terms[terms.length - 1] = { ...last, kind: "prefix" }
  return { terms, filters }
}

/** Maximum length of a search text, in UTF-16 units; the rest is ignored. */
const MAX_QUERY = 1_000
