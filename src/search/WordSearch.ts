import { Effect } from "effect"
import type { LinkQuery, Term } from "../domain/LinkQuery.ts"
import { typingErrors } from "../shared/EditDistance.ts"
import { folded } from "../shared/Text.ts"
import { isWordIndexed, type Strictness } from "../store/search/Matching.ts"
import { signedName } from "./SignedNames.ts"

/** Maximum number of typing errors allowed in a word of this length. */
const slipsFor = (length: number): number => (length < 4 ? 0 : length < 8 ? 1 : 2)

/** Maximum length of an ending after a stem (`-ness`, `-ally`). */
const MAX_ENDING = 4
/** Maximum number of corrections for a mistyped word. */
const MAX_INSTEAD = 3

/**
 * Returns the indexed words most likely meant by `typed`: those with the fewest errors, ordered by letters left over,
 * then by number of links, most first.
 */
export const corrections = (
  typed: string,
  known: ReadonlyArray<{ readonly word: string; readonly links: number }>
): ReadonlyArray<string> => {
  const word = folded(typed)
  const most = slipsFor([...word].length)
  if (most === 0) return []
  const close = known.flatMap(({ links, word: other }) => {
    if (
      other.length < 3 ||
      other.length > word.length + most ||
      other.length < word.length - MAX_ENDING - most
    )
      return []
    const found = typingErrors(word, other, most)
    return found === undefined || found.left > MAX_ENDING ? [] : [{ ...found, links, word: other }]
  })
  const fewest = Math.min(...close.map((one) => one.slips))
  return close
    .filter((one) => one.slips === fewest)
    .sort((a, b) => a.left - b.left || b.links - a.links)
    .slice(0, MAX_INSTEAD)
    .map((one) => one.word)
}

/** Number of whole-word matches that makes prefix matches unnecessary. */
const PLENTY = 200
/** Maximum number of results that contain only some of the words. */
const LOOSE = 200
/** Minimum prefix length: a shorter prefix matches too many words to be searched for besides the word itself. */
const LEAST_PREFIX = 2

const asWord = (term: Term): Term => (term.kind === "prefix" ? { ...term, kind: "word" } : term)

/** Returns the links of all lists, each once, an earlier list's before a later one's. */
const union = (...lists: ReadonlyArray<ReadonlyArray<number>>): ReadonlyArray<number> => [
  ...new Set(lists.flat())
]

const eitherOf = (term: Term, words: ReadonlyArray<string>): Term => ({
  ...term,
  kind: "either",
  alternatives: [
    [asWord(term)],
    ...words.map((text): ReadonlyArray<Term> => [{ ...term, kind: "prefix", text }])
  ]
})

/** An index of links, as a word search queries it. */
interface TextIndex<Query, E = never> {
  /** Returns the links that contain the words, best first. */
  readonly ranked: (query: Query, strictness: Strictness) => Effect.Effect<ReadonlyArray<number>, E>
  /** Whether any link contains the term. */
  readonly holds: (term: Term) => Effect.Effect<boolean, E>
  /** Returns the indexed words that start with this letter, folded and stemmed. */
  readonly words: (letter: string) => Effect.Effect<ReadonlyArray<{ word: string; links: number }>, E>
}

/** The results of a word search, best first. */
interface WordMatches<Query> {
  /** Links that contain all the words. */
  readonly found: ReadonlyArray<number>
  /** The same. If no link contains all words, those that contain some. */
  readonly loosely: ReadonlyArray<number>
  /** The query after corrections. */
  readonly query: Query
}

/** Searches by whole words, prefixes, parts of words, and at most `maxCorrections` corrections of mistyped words. */
export const wordSearch = <Query extends Pick<LinkQuery, "terms">, E = never>(
  text: TextIndex<Query, E>,
  maxCorrections = Number.POSITIVE_INFINITY
) => {
  let left = maxCorrections

  /** Relaxes a term until a link contains it; returns the term unchanged if nothing matches. */
  const findable = Effect.fnUntraced(function* (term: Term) {
    const isFixed = term.kind === "phrase" || term.kind === "either"
    if (term.negated || isFixed || !isWordIndexed(term)) return term
    const tries: ReadonlyArray<Term> = [term, { ...term, kind: "prefix" }]
    for (const one of tries) if (yield* text.holds(one)) return one
    const part: Term = { ...term, kind: "part" }
    if ([...term.text].length >= 3 && (yield* text.holds(part))) return part
    if (left-- <= 0) return term
    const known = yield* text.words([...term.text.normalize("NFKD").toLowerCase()][0] ?? "")
    const instead = corrections(term.text, known)
    return instead.length === 0 ? term : { ...term, instead }
  })

  /**
   * Returns the links that contain all the words, whole-word matches before prefix matches. Skips prefix matches if
   * there are enough whole-word matches.
   */
  const byWords = Effect.fnUntraced(function* (query: Query) {
    if (!query.terms.some(({ kind }) => kind === "prefix"))
      return { found: yield* text.ranked(query, "all"), query }
    const whole = { ...query, terms: query.terms.map(asWord) }
    const found = yield* text.ranked(whole, "all")
    const short = query.terms.some(({ kind, text }) => kind === "prefix" && text.length < LEAST_PREFIX)
    if (found.length >= PLENTY || (short && found.length > 0)) return { found, query: whole }
    return { found: union(found, yield* text.ranked(query, "all")), query }
  })

  /**
   * The same, with names that have signs: links that contain `c++` come first, then those that contain `cpp`, as tags
   * spell it. Links with other words of the same letters are returned only if there are no such links.
   */
  const full = Effect.fnUntraced(function* (query: Query) {
    const names = query.terms.map(signedName)
    if (names.every((name) => name === undefined)) return yield* byWords(query)
    const rewritten = (rewrite: (term: Term, name: NonNullable<(typeof names)[number]>) => Term): Query => ({
      ...query,
      terms: query.terms.map((term, at) => {
        const name = names[at]
        return name === undefined ? term : rewrite(term, name)
      })
    })
    const withSigns = rewritten((term, { literal }) =>
      literal === undefined ? term : { ...term, kind: "name", text: literal }
    )
    const written = names.some((name) => name?.literal !== undefined)
      ? yield* text.ranked(withSigns, "all")
      : []
    const spelled = yield* text.ranked(
      rewritten((term, { words }) => eitherOf({ ...term, text: words[0] ?? term.text }, words)),
      "all"
    )
    const named = union(written, spelled)
    const asked = rewritten((term, { words }) => eitherOf(term, words))
    if (named.length > 0 && names.some((name) => name?.differs)) return { found: named, query: asked }
    const plain = yield* byWords(query)
    return named.length === 0 ? plain : { found: union(plain.found, named), query: asked }
  })

  const byText = Effect.fnUntraced(function* (query: Query) {
    const asTyped = yield* full(query)
    if (asTyped.found.length > 0) return asTyped
    const terms = yield* Effect.forEach(query.terms, (term) => findable(term))
    return terms.every((term, i) => term === query.terms[i]) ? asTyped : yield* full({ ...query, terms })
  })

  /** Returns the links that contain most of the words. If there are no such links, those that contain any. */
  const loosened = Effect.fnUntraced(function* (query: Query) {
    if (query.terms.filter(({ negated }) => !negated).length < 2) return []
    const most = yield* text.ranked(query, "most")
    const some = most.length > 0 ? most : yield* text.ranked(query, "any")
    return some.slice(0, LOOSE)
  })

  return Effect.fn("WordSearch")(function* (asked: Query) {
    const { found, query } = yield* byText(asked)
    const loosely = found.length > 0 ? found : yield* loosened(query)
    const matches: WordMatches<Query> = { found, query, loosely }
    return matches
  })
}
