import { Effect } from "effect"
import type { LinkQuery, Term } from "../domain/LinkQuery.ts"
import { type Audience, byWords } from "../store/Matching.ts"
import type { RankedText } from "../store/RankedText.ts"
import { meant } from "./Spelling.ts"

/** With so many links that hold the whole words, nobody looks for those where they are beginnings. */
const PLENTY = 200
/** How many links that hold only some of the words are shown. */
const LOOSE = 200
/** A shorter beginning is in too many words to be looked for beside the word itself. */
const LEAST_PREFIX = 2

const asWord = (term: Term): Term => (term.kind === "prefix" ? { ...term, kind: "word" } : term)

/** The links in both lists, each once, the first list's before the second's. */
const union = (first: ReadonlyArray<number>, second: ReadonlyArray<number>): ReadonlyArray<number> => [
  ...new Set([...first, ...second])
]

/** What words find, best first. */
export interface WordMatches {
  /** Links that hold all of them. */
  readonly found: ReadonlyArray<number>
  /** The same, or where there are none, links that hold some. */
  readonly loosely: ReadonlyArray<number>
  /** What was looked for in the end. */
  readonly query: LinkQuery
}

/** Searches by words: whole ones, their beginnings, parts of them, and what mistyped ones were meant to be. */
export const makeWordSearch = (text: RankedText["Type"]) => {
  /** The term as something can be found by it, or as it is. */
  const findable = Effect.fnUntraced(function* (term: Term, audience: Audience) {
    if (term.negated || term.kind === "phrase" || !byWords(term)) return term
    const tries: ReadonlyArray<Term> = [term, { ...term, kind: "prefix" }]
    for (const one of tries) if (yield* text.holds(one, audience)) return one
    const part: Term = { ...term, kind: "part" }
    if ([...term.text].length >= 3 && (yield* text.holds(part, audience))) return part
    const known = yield* text.words([...term.text.normalize("NFKD").toLowerCase()][0] ?? "")
    const instead = meant(term.text, known)
    return instead.length === 0 ? term : { ...term, instead }
  })

  /**
   * Full matches, whole words before beginnings of them. Where whole words are in more links than anybody looks
   * through, those that only begin so are left out.
   */
  const full = Effect.fnUntraced(function* (query: LinkQuery, audience: Audience, newest: number) {
    if (!query.terms.some(({ kind }) => kind === "prefix"))
      return { found: yield* text.ranked(query, audience, "all", newest), query }
    const whole = { ...query, terms: query.terms.map(asWord) }
    const found = yield* text.ranked(whole, audience, "all", newest)
    const short = query.terms.some(({ kind, text }) => kind === "prefix" && text.length < LEAST_PREFIX)
    if (found.length >= PLENTY || (short && found.length > 0)) return { found, query: whole }
    return { found: union(found, yield* text.ranked(query, audience, "all", newest)), query }
  })

  const byText = Effect.fnUntraced(function* (query: LinkQuery, audience: Audience, newest: number) {
    const asTyped = yield* full(query, audience, newest)
    if (asTyped.found.length > 0) return asTyped
    const terms = yield* Effect.forEach(query.terms, (term) => findable(term, audience))
    return terms.every((term, i) => term === query.terms[i])
      ? asTyped
      : yield* full({ ...query, terms }, audience, newest)
  })

  /** Links that hold most of the words, or where there are none, any of them. */
  const loosened = Effect.fnUntraced(function* (query: LinkQuery, audience: Audience, newest: number) {
    if (query.terms.filter(({ negated }) => !negated).length < 2) return []
    const most = yield* text.ranked(query, audience, "most", newest)
    const some = most.length > 0 ? most : yield* text.ranked(query, audience, "any", newest)
    return some.slice(0, LOOSE)
  })

  return Effect.fn("WordSearch")(function* (asked: LinkQuery, audience: Audience, newest: number) {
    const { found, query } = yield* byText(asked, audience, newest)
    const loosely = found.length > 0 ? found : yield* loosened(query, audience, newest)
    const matches: WordMatches = { found, query, loosely }
    return matches
  })
}
