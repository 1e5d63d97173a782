import type { Term } from "../domain/LinkQuery.ts"
import { type Filter, readPart, type SearchToken, tokensOf } from "../shared/SearchSyntax.ts"

/** A parsed search text. */
interface ParsedQuery {
  readonly terms: ReadonlyArray<Term>
  readonly filters: ReadonlyArray<Filter>
}

const termOf = (token: SearchToken): ReadonlyArray<Term> =>
  token.kind === "word" || token.kind === "phrase"
    ? [{ text: token.text, kind: token.kind, negated: token.negated }]
    : []

/**
 * Parses a search text into the terms and filters of a query. The last bare word becomes a prefix, because the person
 * may still be typing it.
 */
export const parseQuery = (text: string): ParsedQuery => {
  const tokens = tokensOf(text)
  const filters = tokens.flatMap((token) => (token.kind === "filter" ? [token.filter] : []))
  const terms = tokens.flatMap(termOf)
  const last = terms.at(-1)
  if (last?.kind !== "word" || last.negated || !readPart(text).endsWith(last.text)) return { terms, filters }
  return { terms: [...terms.slice(0, -1), { ...last, kind: "prefix" }], filters }
}
