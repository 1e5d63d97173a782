import type { Term } from "../domain/LinkQuery.ts"
import { stopWords } from "../enrich/embedding/Tokens.ts"
import { signedName } from "./SignedNames.ts"

/** Another way to write some terms side by side: as one word, or a word as two. */
interface Writing {
  /** The first term that it replaces, and how many. */
  readonly at: number
  readonly count: number
  readonly as: Term
}

/** Maximum number of words of a name, and of terms that are looked at. */
const MAX_WORDS = 4
const MAX_TERMS = 12
/** Lengths of words that may be two words joined. */
const [LEAST_JOINED, MOST_JOINED] = [5, 24]

const wordsIn = (text: string) => text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []

const isWord = (term: Term) =>
  !term.negated &&
  (term.kind === "word" || term.kind === "prefix") &&
  term.instead === undefined &&
  signedName(term) === undefined

/** The terms from `at` as one word; undefined if they are not words, or more than a name has. */
const joinedFrom = (terms: ReadonlyArray<Term>): Term | undefined => {
  const words = terms.flatMap(({ text }) => wordsIn(text))
  const last = terms.at(-1)
  const text = words.join("")
  return last === undefined || words.length < 2 || words.length > MAX_WORDS || text.length > 2 * MOST_JOINED
    ? undefined
    : { text, kind: last.kind, negated: false }
}

/** The ways to write a word as two, each of at least two letters. */
const splits = (term: Term): ReadonlyArray<Term> => {
  const [word, ...more] = wordsIn(term.text)
  if (word === undefined || more.length > 0) return []
  const letters = [...word]
  if (letters.length < LEAST_JOINED || letters.length > MOST_JOINED || !/\p{L}/u.test(word)) return []
  return letters.slice(3).map((_, at): Term => {
    const text = `${letters.slice(0, at + 2).join("")} ${letters.slice(at + 2).join("")}`
    return { ...term, text, kind: term.kind === "prefix" ? "prefix" : "phrase" }
  })
}

/**
 * Returns the other ways in which a title may write the wanted words: "data pixels" as `DataPixels`, and the reverse.
 * Most of them occur nowhere.
 */
export const otherWritings = (terms: ReadonlyArray<Term>): ReadonlyArray<Writing> => {
  const ways: Array<Writing> = []
  for (let at = 0; at < Math.min(terms.length, MAX_TERMS); at++) {
    for (let count = 1; count <= MAX_WORDS && at + count <= terms.length; count++) {
      const some = terms.slice(at, at + count)
      if (!some.every(isWord)) break
      const as = joinedFrom(some)
      const isPlain = count > 1 && some.every(({ text }) => stopWords.has(text.toLowerCase()))
      if (as !== undefined && !isPlain) ways.push({ at, count, as })
    }
    const term = terms[at]
    if (term !== undefined && isWord(term)) ways.push(...splits(term).map((as) => ({ at, count: 1, as })))
  }
  return ways
}

/** Lets links match the terms in these other ways too; of two that overlap, the one with more terms, then the first. */
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
