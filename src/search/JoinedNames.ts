import { stopWords } from "../domain/English.ts"
import type { Term } from "../domain/LinkQuery.ts"
import { isWordText } from "../shared/SearchSyntax.ts"
import { wordsOf } from "../shared/Text.ts"
import { signedName } from "./SignedNames.ts"

/** Another way to write some terms side by side: as one word, or a word as two. */
interface Writing {
  /** The first term that it replaces, and how many. */
  readonly at: number
  readonly count: number
  readonly as: Term
}

/** Maximum number of words of a name, and of terms: longer searches are sentences. */
const MAX_WORDS = 4
const MAX_TERMS = 8
/** Lengths of words that may be two words joined. */
const [LEAST_JOINED, MOST_JOINED] = [5, 24]
/** Maximum number of ways to write a word as three. */
const MOST_THREES = 60

const isWord = (term: Term) =>
  !term.negated &&
  (term.kind === "word" || term.kind === "prefix") &&
  isWordText(term.text) &&
  signedName(term) === undefined

/** The terms from `at` as one word; undefined if they are not words, or more than a name has. */
const joinedFrom = (terms: ReadonlyArray<Term>): Term | undefined => {
  const words = terms.flatMap(({ text }) => wordsOf(text))
  const last = terms.at(-1)
  const text = words.join("")
  return last === undefined || words.length < 2 || words.length > MAX_WORDS || text.length > 2 * MOST_JOINED
    ? undefined
    : { text, kind: last.kind, negated: false }
}

/** The letters of a term that may be several words joined; empty for any other term. */
const joinedLetters = (term: Term): ReadonlyArray<string> => {
  const [word, ...more] = wordsOf(term.text)
  if (word === undefined || more.length > 0 || !isWord(term) || !/\p{L}/u.test(word)) return []
  const letters = [...word]
  return letters.length < LEAST_JOINED || letters.length > MOST_JOINED ? [] : letters
}

const apart = (term: Term, words: ReadonlyArray<string>): Term => ({
  ...term,
  text: words.join(" "),
  kind: term.kind === "prefix" ? "prefix" : "phrase"
})

/** The ways to write a word as two words side by side, each of at least two letters. */
const inTwo = (term: Term): ReadonlyArray<Term> => {
  const letters = joinedLetters(term)
  return letters
    .slice(3)
    .map((_, at) => apart(term, [letters.slice(0, at + 2).join(""), letters.slice(at + 2).join("")]))
}

/** The beginnings and the ends of a word, each of at least two letters, that could be words. */
export const outerParts = (
  term: Term
): { readonly first: ReadonlyArray<Term>; readonly last: ReadonlyArray<Term> } => {
  const letters = joinedLetters(term)
  const cuts = letters.slice(5).map((_, at) => at + 2)
  return {
    first: cuts.map((cut) => ({ ...term, kind: "word", text: letters.slice(0, cut).join("") })),
    last: cuts.map((cut) => ({ ...term, text: letters.slice(cut + 2).join("") }))
  }
}

/** The ways to write a word as three words side by side, with these beginnings and ends. */
export const inThree = (
  term: Term,
  first: ReadonlyArray<Term>,
  last: ReadonlyArray<Term>
): ReadonlyArray<Term> => {
  const { length } = [...term.text]
  return first
    .flatMap((one) =>
      last.flatMap((other) => {
        const [start, end] = [[...one.text].length, length - [...other.text].length]
        const middle = [...term.text].slice(start, end).join("")
        return end - start < 2 ? [] : [apart(term, [one.text, middle, other.text])]
      })
    )
    .slice(0, MOST_THREES)
}

/**
 * Returns the ways to write the wanted words as one or as two: "data pixels" as `DataPixels`, and the reverse. Most of
 * them occur nowhere.
 */
export const otherWritings = (terms: ReadonlyArray<Term>): ReadonlyArray<Writing> => {
  const ways: Array<Writing> = []
  if (terms.length > MAX_TERMS) return ways
  for (let at = 0; at < terms.length; at++) {
    for (let count = 1; count <= MAX_WORDS && at + count <= terms.length; count++) {
      const some = terms.slice(at, at + count)
      if (!some.every(isWord)) break
      const as = joinedFrom(some)
      const isPlain = count > 1 && some.every(({ text }) => stopWords.has(text.toLowerCase()))
      if (as !== undefined && !isPlain) ways.push({ at, count, as })
    }
    const term = terms[at]
    if (term !== undefined) ways.push(...inTwo(term).map((as) => ({ at, count: 1, as })))
  }
  return ways
}

/**
 * Adds these writings as alternatives of the terms; of two that overlap, the one with more terms wins, then the first.
 */
export const withWritings = (
  terms: ReadonlyArray<Term>,
  ways: ReadonlyArray<Writing>
): ReadonlyArray<Term> => {
  const rewritten: Array<Term> = []
  for (let at = 0; at < terms.length; ) {
    const here = ways.filter((way) => way.at === at)
    const count = Math.max(1, ...here.map((way) => way.count))
    const replaced = terms.slice(at, at + count)
    const others = here.filter((way) => way.count === count).map(({ as }) => [as])
    if (others.length === 0) rewritten.push(...replaced)
    else
      rewritten.push({
        kind: "either",
        text: replaced.map(({ text }) => text).join(" "),
        negated: false,
        alternatives: [replaced, ...others]
      })
    at += count
  }
  return rewritten
}
