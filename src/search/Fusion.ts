import { Option } from "effect"
import type { Term } from "../domain/LinkQuery.ts"
import { parseWebUrl } from "../domain/WebUrl.ts"
import { normalizeUrl } from "../shared/UrlIdentity.ts"
import type { FoundPassage } from "./PassageSearch.ts"
import { signedName } from "./SignedNames.ts"
import type { Fit } from "./WordSearch.ts"

/** Maximum number of links that a search by words also finds by meaning. */
export const NEAR = 30
/**
 * Minimum similarity of a link found by meaning alone, as a share of the embedder's threshold. For the built-in
 * embedder, .97 of the right links among the nearest 30 of a search reach it, and a quarter of the nearest 30 if no
 * link is right.
 */
export const NEAR_FLOOR = 0.55

/** Minimum length of the beginning of a title or an address. */
const LEAST_BEGUN = 2

/** The wanted words as typed, and the normalised address if they are one: what an exact match equals. */
export const typedText = (terms: ReadonlyArray<Term>) => {
  const text = terms.flatMap((term) => (term.negated ? [] : [term.text])).join(" ")
  return { text, address: Option.getOrUndefined(Option.map(parseWebUrl(text), normalizeUrl)) }
}

/**
 * Returns the text with which a title or an address should begin: the wanted terms, if all are words. A complete word
 * ends with a blank.
 */
export const begunText = (terms: ReadonlyArray<Term>): string | undefined => {
  const wanted = terms.filter(({ negated }) => !negated)
  const last = wanted.at(-1)
  if (last === undefined || wanted.some(({ kind }) => kind !== "word" && kind !== "prefix")) return undefined
  const { text } = typedText(wanted)
  return text.length < LEAST_BEGUN ? undefined : last.kind === "word" ? `${text} ` : text
}

/** Links found in several ways, each list best first, and the terms as they were asked for. */
interface Rankings {
  /** Exact matches of the typed text. */
  readonly exact: ReadonlyArray<number>
  /** Links whose title or address begins with the typed text. */
  readonly begun: ReadonlyArray<number>
  readonly words: ReadonlyArray<number>
  readonly meaning: ReadonlyArray<number>
  /** Links with a passage that answers a question. */
  readonly passages?: ReadonlyArray<Pick<FoundPassage, "id" | "isCard">>
  readonly terms: ReadonlyArray<Term>
  /** How well `words` fit what was typed. */
  readonly fit: Fit
  /** The weight of `words` where links contain only some of the words; 1 by default. */
  readonly someWordsWeight?: number | undefined
}

/**
 * The weight of a rank by meaning beside one by words, where links contain all the words; where they contain only some,
 * it is 1. Measured with `bun run bench finding`.
 */
const MEANING_WEIGHT = 0.7

/**
 * Damps the advantage of the first ranks over the next, after Cormack et al. 2009, who used 60; measured in the same
 * way.
 */
const K = 20

/**
 * Merges the lists: exact matches first, then the links that begin with what was typed, then the others; within each by
 * the sum of weight / (20 + rank) over the lists that contain a link. Where links contain only some of the words, the
 * words have ranked the cards, which would count twice as passages. Links found by meaning alone come last if others
 * contain all the words, or if a phrase is wanted, or a name whose letters alone mean something else (`c++`).
 */
export const fuse = ({
  begun,
  exact,
  fit,
  meaning,
  passages = [],
  someWordsWeight = 1,
  terms,
  words
}: Rankings): ReadonlyArray<number> => {
  const scores = new Map<number, number>(begun.map((id) => [id, 0]))
  const add = (ranking: ReadonlyArray<number>, weight: number) => {
    for (const [place, id] of ranking.entries())
      scores.set(id, (scores.get(id) ?? 0) + weight / (K + 1 + place))
  }
  add(words, fit === "some" ? someWordsWeight : 1)
  add(meaning, fit === "some" ? 1 : MEANING_WEIGHT)
  const ranked = new Set(fit === "some" ? words : [])
  add(
    passages.flatMap(({ id, isCard }) => (isCard && ranked.has(id) ? [] : [id])),
    1
  )
  const wordsFirst =
    fit !== "some" ||
    terms.some((term) => (!term.negated && term.kind === "phrase") || signedName(term)?.differs === true)
  const foundByWords = new Set([...words, ...passages.map(({ id }) => id)])
  const [first, next] = [new Set(exact), new Set(begun)]
  const tier = (id: number) => {
    if (next.has(id)) return 0
    return wordsFirst && !foundByWords.has(id) ? 2 : 1
  }
  const fused = [...scores]
    .filter(([id]) => !first.has(id))
    .sort((a, b) => tier(a[0]) - tier(b[0]) || b[1] - a[1] || b[0] - a[0])
    .map(([id]) => id)
  return [...exact, ...fused]
}
