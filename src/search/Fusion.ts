import { Option } from "effect"
import type { Term } from "../domain/LinkQuery.ts"
import { parseWebUrl } from "../domain/WebUrl.ts"
import { normalizeUrl } from "../shared/UrlIdentity.ts"
import { signedName } from "./SignedNames.ts"
import type { Fit } from "./WordSearch.ts"

/** Maximum number of links that a search by words also finds by meaning. */
export const NEAR = 30
/** Minimum similarity of a link found by meaning alone, as a share of the embedder's threshold. */
export const NEAR_FLOOR = 0.65

/** The wanted words as typed, and the normalised address if they are one: what an exact match equals. */
export const typedText = (terms: ReadonlyArray<Term>) => {
  const text = terms.flatMap((term) => (term.negated ? [] : [term.text])).join(" ")
  return { text, address: Option.getOrUndefined(Option.map(parseWebUrl(text), normalizeUrl)) }
}

/** Links found in several ways, each list best first, and the terms as they were asked for. */
interface Rankings {
  /** Exact matches of the typed text. */
  readonly exact: ReadonlyArray<number>
  readonly words: ReadonlyArray<number>
  readonly meaning: ReadonlyArray<number>
  readonly terms: ReadonlyArray<Term>
  /** How well `words` fit what was typed. */
  readonly fit: Fit
}

/** The weight of a rank by meaning beside one by words, which depends on how well these fit what was typed. */
const MEANING_WEIGHT: Readonly<Record<Fit, number>> = { typed: 0.3, topic: 0.5, corrected: 0.3, some: 1 }

/** Damps the advantage of the first ranks over the next: the constant of Cormack et al. 2009. */
const K = 60

/**
 * Merges the lists: exact matches first, then by the sum of 1 / (60 + rank) over the lists that contain a link. If a
 * phrase is wanted, or a name whose letters alone mean something else (`c++`), links found by meaning alone come last.
 */
export const fuse = ({ exact, fit, meaning, terms, words }: Rankings): ReadonlyArray<number> => {
  const scores = new Map<number, number>()
  const add = (ranking: ReadonlyArray<number>, weight: number) => {
    for (const [place, id] of ranking.entries())
      scores.set(id, (scores.get(id) ?? 0) + weight / (K + 1 + place))
  }
  add(words, 1)
  add(meaning, words.length === 0 ? 1 : MEANING_WEIGHT[fit])
  const wordsFirst = terms.some(
    (term) => (!term.negated && term.kind === "phrase") || signedName(term)?.differs === true
  )
  const foundByWords = new Set(words)
  const first = new Set(exact)
  const tier = (id: number) => (wordsFirst && !foundByWords.has(id) ? 1 : 0)
  const fused = [...scores]
    .filter(([id]) => !first.has(id))
    .sort((a, b) => tier(a[0]) - tier(b[0]) || b[1] - a[1] || b[0] - a[0])
    .map(([id]) => id)
  return [...exact, ...fused]
}
