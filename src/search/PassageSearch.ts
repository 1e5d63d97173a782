import { Effect } from "effect"
import { type Excerpt, isBroad, type LinkQuery } from "../domain/LinkQuery.ts"
import type { PageTexts } from "../store/search/PageTexts.ts"
import type { RankedText } from "../store/search/RankedText.ts"
import { FEW } from "./MeaningSearch.ts"
import {
  bestPassage,
  containedWords,
  excerptOf,
  LEAST_WORDS,
  type QuestionWord,
  questionWords,
  type WeightedWord
} from "./Passages.ts"

/** A link that answers a question. */
export interface FoundPassage {
  readonly id: number
  /** Whether its card answers best, rather than its page's text. */
  readonly isCard: boolean
  /** The passage of its page's text, unless the card contains all of its words. */
  readonly excerpt?: Excerpt
}

/** Maximum number of links looked up for a word; a word in more of them distinguishes too few. */
const COMMON = 5_000
/** Maximum number of links whose texts are weighed. */
const WEIGHED = 300
/** Maximum length of all texts read for a question, in bytes. */
const MAX_BYTES = 3_000_000
/** Share of the weight of a question's words that a passage, and so its page, must contain. */
const LEAST_SHARE = 0.3
/** Minimum score of a link as a share of the best one's. */
const LEAST_RANK = 0.7
/** How much the words of the whole link count beside those of its best passage. */
const PAGE_SHARE = 0.75
/** Damps the advantage of long texts, which contain more words: added to their length in bytes. */
const DAMPING = 1_000

/** Maximum number of links whose cards are scored. */
const CARDS = 100
/** Maximum number of links found. */
const MAX_FOUND = 50

interface Candidate {
  readonly id: number
  /** The sum of the weights of the question's words that the link contains. */
  readonly weight: number
}

/** Returns the `count` candidates with the highest weight; of equals, the newest first. */
const heaviest = (all: ReadonlyArray<Candidate>, count: number): ReadonlyArray<Candidate> => {
  const floor =
    all.length <= count
      ? 0
      : Float64Array.from(all, ({ weight }) => weight)
          .sort()
          .at(-count)
  return all
    .filter(({ weight }) => weight >= (floor ?? 0))
    .sort((a, b) => b.weight - a.weight || b.id - a.id)
    .slice(0, count)
}

/**
 * Finds the links that answer a question, best first: by a passage of the page's text, or by what the card says, which
 * counts as a passage too.
 *
 * The word index names the links that contain most of the question's words, rarest words counting most. Their cards and
 * the texts of the first `count` of their pages are read, and each link is scored by its best passage (BM25) and by all
 * its words. Nothing is stored for this. Vectors of the passages are not compared: those of the built-in embedder found
 * no more answers, and took as long again.
 */
export const makePassageSearch = (pages: PageTexts["Type"], text: RankedText["Type"]) => {
  /** Returns the links that contain the word; undefined if there are too many. */
  const linksWith = ({ isPart, text }: QuestionWord, newest: number) =>
    Effect.map(
      pages.containing({ text, kind: isPart ? "part" : "word", negated: false }, newest, COMMON),
      (ids) => (ids.length < COMMON ? ids : undefined)
    )

  /** Weighs each link by the words that it contains. */
  const weigh = Effect.fnUntraced(function* (words: ReadonlyArray<QuestionWord>, newest: number) {
    const weights = new Map<number, number>()
    const weighted: Array<WeightedWord> = []
    for (const word of words) {
      const ids = yield* linksWith(word, newest)
      const count = ids?.length ?? COMMON
      if (count === 0) continue
      const weight = Math.log(1 + (Math.max(0, newest - count) + 0.5) / (count + 0.5))
      weighted.push({ ...word, weight })
      for (const id of ids ?? []) weights.set(id, (weights.get(id) ?? 0) + weight)
    }
    return { weights, words: weighted }
  })

  /** Returns the heaviest candidates that pass the query's filters. */
  const admit = Effect.fnUntraced(function* (all: ReadonlyArray<Candidate>, query: LinkQuery) {
    const among = isBroad(query) ? undefined : yield* text.allowed(query, FEW)
    const best = heaviest(among === undefined ? all : all.filter(({ id }) => among.has(id)), WEIGHED)
    const excludes = query.hideArchived === true || query.terms.some(({ negated }) => negated)
    if (among !== undefined || (isBroad(query) && !excludes)) return best
    const admitted = yield* text.admitted(
      best.map(({ id }) => id),
      query
    )
    return best.filter(({ id }) => admitted.has(id))
  })

  /** Chooses the pages to read: at most `count`, and `MAX_BYTES` of text. */
  const choose = Effect.fnUntraced(function* (candidates: ReadonlyArray<Candidate>, count: number) {
    const sizes = yield* pages.sizes(candidates.map(({ id }) => id))
    const weights = new Map(candidates.map(({ id, weight }) => [id, weight]))
    const ranked = sizes
      .map(({ bytes, id }) => ({ id, bytes, rank: (weights.get(id) ?? 0) / Math.log(DAMPING + bytes) }))
      .sort((a, b) => b.rank - a.rank || b.id - a.id)
      .slice(0, count)
    let read = 0
    return ranked.flatMap(({ bytes, id }) => {
      const fits = read + bytes <= MAX_BYTES
      if (fits) read += bytes
      return fits ? [id] : []
    })
  })

  return Effect.fn("PassageSearch")(function* (query: LinkQuery, newest: number, count: number) {
    const asked = count === 0 ? [] : questionWords(query.terms)
    if (asked.length === 0) return []
    const { weights, words } = yield* weigh(asked, newest)
    if (words.length < LEAST_WORDS) return []
    const least = LEAST_SHARE * words.reduce((sum, { weight }) => sum + weight, 0)
    const candidates = [...weights].flatMap(([id, weight]) => (weight < least ? [] : [{ id, weight }]))
    const admitted = yield* admit(candidates, query)
    const texts = new Map(
      (yield* pages.texts(yield* choose(admitted, count))).map(({ id, text }) => [id, text])
    )
    const cards = yield* pages.cards([
      ...new Set([...admitted.slice(0, CARDS).map(({ id }) => id), ...texts.keys()])
    ])
    const found = cards.flatMap(({ about, id }) => {
      const text = texts.get(id) ?? ""
      const onCard = bestPassage(about, words)
      const inText = bestPassage(text, words)
      const isText = (inText?.score ?? 0) > (onCard?.score ?? 0)
      const passage = isText ? inText : onCard
      const held = [...(passage?.words ?? [])].reduce((sum, word) => sum + (words[word]?.weight ?? 0), 0)
      if (passage === undefined || passage.words.size < LEAST_WORDS - 1 || held < least) return []
      return [{ about, id, isText, passage, text, weight: weights.get(id) ?? 0 }]
    })
    const bestScore = Math.max(...found.map(({ passage }) => passage.score))
    const mostWeight = Math.max(...found.map(({ weight }) => weight))
    const ranked = found
      .map((one) => ({
        ...one,
        rank: one.passage.score / bestScore + (PAGE_SHARE * one.weight) / mostWeight
      }))
      .sort((a, b) => b.rank - a.rank || b.id - a.id)
    const leastRank = LEAST_RANK * (ranked[0]?.rank ?? 0)
    return ranked
      .filter(({ rank }) => rank >= leastRank)
      .slice(0, MAX_FOUND)
      .map(({ about, id, isText, passage, text }): FoundPassage => {
        const known = containedWords(about, words)
        const saysMore = isText && [...passage.words].some((word) => !known.has(word))
        return { id, isCard: !isText, ...(saysMore && { excerpt: excerptOf(text, passage, words) }) }
      })
  })
}
