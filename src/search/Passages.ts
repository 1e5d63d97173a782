import { stopWords } from "../domain/English.ts"
import type { Excerpt, Range, Term } from "../domain/LinkQuery.ts"
import { foldedInPlace } from "../shared/FoldInPlace.ts"
import { isWordText } from "../shared/SearchSyntax.ts"
import { cutText, wordsOf } from "../shared/Text.ts"

/** A word of a question, or three neighbouring characters of one in a script without spaces. */
export interface QuestionWord {
  readonly text: string
  /** Whether it may stand anywhere in a run of letters: the script has no spaces. */
  readonly isPart: boolean
}

/** A question's word with its weight: its inverse document frequency among the links. */
export interface WeightedWord extends QuestionWord {
  readonly weight: number
}

/** Minimum number of different words in a question; a passage needs all but one of as many. */
export const LEAST_WORDS = 3
/** Maximum number of words looked up; a longer text is searched for by its first ones. */
const MAX_WORDS = 24
/** Number of characters per look-up in a script without spaces, as in the trigram index. */
const GRAM = 3

const gramsOf = (run: string): ReadonlyArray<string> => {
  const letters = [...run]
  return letters.length <= GRAM
    ? [run]
    : Array.from({ length: letters.length - GRAM + 1 }, (_, at) => letters.slice(at, at + GRAM).join(""))
}

const wordsOfTerm = ({ text }: Term): ReadonlyArray<QuestionWord> =>
  wordsOf(text.toLowerCase()).flatMap((run): ReadonlyArray<QuestionWord> => {
    if (!isWordText(run)) return gramsOf(run).map((text) => ({ text, isPart: true }))
    return run.length < 2 || stopWords.has(run) ? [] : [{ text: run, isPart: false }]
  })

const isSpaced = (words: ReadonlyArray<QuestionWord>): boolean => words.every(({ isPart }) => !isPart)

/**
 * Returns the words of a question, without those too frequent to indicate its topic. None if the terms are not a
 * question: fewer than three words, an address, a phrase, or a choice between words.
 */
export const questionWords = (terms: ReadonlyArray<Term>): ReadonlyArray<QuestionWord> => {
  const wanted = terms.filter(({ negated }) => !negated)
  if (wanted.some(({ kind }) => kind !== "word" && kind !== "prefix")) return []
  const groups = wanted.map(wordsOfTerm)
  const different = [...new Map(groups.flat().map((word) => [word.text, word])).values()]
  // An address is one group of several words.
  const spoken = new Set(
    groups.flatMap((group) => (isSpaced(group) ? group.slice(0, 1) : group)).map(({ text }) => text)
  )
  return spoken.size < LEAST_WORDS ? [] : different.slice(0, MAX_WORDS)
}

/** English endings that are cut from a word before it is looked for in a text. */
const ENDING = /(?:ies|es|s|ing|ed|e|ly|y)$/
/** Endings that may follow a stem; a stem of fewer than four letters is often a whole word, so only `s` may follow. */
const endings: ReadonlySet<string> = new Set("e s es d ed er ers y ies ied ing ings ly".split(" "))
const LONGEST_ENDING = 4

const isEnding = (stem: string, ending: string): boolean =>
  ending === "" || (stem.length < 4 ? ending === "s" : endings.has(ending))

const stemOf = (word: string): string => {
  if (word.length < 4) return word
  return word.length === 4 ? word.replace(/s$/, "") : word.replace(ENDING, "")
}

/** Whether a unit of a folded text is part of a word: a letter or a digit, and outside ASCII no punctuation. */
const isLetter = (unit: number): boolean => {
  if (unit < 0x80) return (unit >= 97 && unit <= 122) || (unit >= 48 && unit <= 57)
  const isPunctuation = (unit >= 0x2000 && unit <= 0x2bff) || (unit >= 0x3000 && unit <= 0x303f)
  return unit >= 0xc0 && !isPunctuation
}

/** Where a word of the question stands in a text. */
interface Occurrence {
  readonly start: number
  readonly end: number
  /** Its place among the words. */
  readonly word: number
}

/** Maximum number of occurrences of one word in one text. */
const MAX_PLACES = 1_000

/**
 * Returns where the words stand in a folded text, in the order of the text: inflected as well, but not inside words.
 */
const occurrencesOf = (text: string, words: ReadonlyArray<QuestionWord>): ReadonlyArray<Occurrence> => {
  const found: Array<Occurrence> = []
  for (const [word, { isPart, text: typed }] of words.entries()) {
    const whole = foldedInPlace(typed)
    const stem = isPart ? whole : stemOf(whole)
    let left = MAX_PLACES
    for (let at = text.indexOf(stem); at >= 0 && left > 0; at = text.indexOf(stem, at + stem.length)) {
      let end = at + stem.length
      if (!isPart) {
        if (at > 0 && isLetter(text.charCodeAt(at - 1))) continue
        const border = end + LONGEST_ENDING
        while (end <= border && isLetter(text.charCodeAt(end))) end++
        if (!isEnding(stem, text.slice(at + stem.length, end))) continue
      }
      found.push({ start: at, end, word })
      left--
    }
  }
  return found.sort((a, b) => a.start - b.start)
}

/** Length of a passage in UTF-16 units: about 60 words, or as much in a script that needs a third of the characters. */
const LENGTH = 400
const DENSE_LENGTH = 140

/** Saturation of a repeated word, as in BM25 (Robertson and Zaragoza 2009); all passages have the same length. */
const K1 = 1.2
const saturated = (count: number): number => (count * (K1 + 1)) / (count + K1)

/** The part of a text that answers a question best. */
interface Passage {
  /** The shortest part that contains each of its different words, in UTF-16 units. */
  readonly start: number
  readonly end: number
  readonly score: number
  /** The places of its different words among the question's. */
  readonly words: ReadonlySet<number>
}

/** Returns the shortest span, the first of several, that contains every word that occurs at these places. */
const shortestSpan = (places: ReadonlyArray<Occurrence>) => {
  const words = new Set(places.map(({ word }) => word))
  const latest = new Map<number, Occurrence>()
  let best: { readonly start: number; readonly end: number } | undefined
  for (const place of places) {
    // The keys stay in the order in which the words occurred last.
    latest.delete(place.word)
    latest.set(place.word, place)
    if (latest.size < words.size) continue
    const start = latest.values().next().value?.start ?? place.start
    const end = Math.max(...[...latest.values()].map(({ end }) => end))
    if (best === undefined || end - start < best.end - best.start) best = { start, end }
  }
  return { start: best?.start ?? 0, end: best?.end ?? 0, words }
}

/**
 * Finds the best passage of a text that starts at any of the words, scored by BM25; undefined if none of them occurs.
 */
export const bestPassage = (text: string, words: ReadonlyArray<WeightedWord>): Passage | undefined => {
  const places = occurrencesOf(foldedInPlace(text), words)
  const length = words.some(({ isPart }) => isPart) ? DENSE_LENGTH : LENGTH
  const counts = words.map(() => 0)
  let best: { readonly first: number; readonly last: number; readonly score: number } | undefined
  let first = 0
  let score = 0
  const count = (word: number, change: number) => {
    const before = counts[word] ?? 0
    counts[word] = before + change
    score += (words[word]?.weight ?? 0) * (saturated(before + change) - saturated(before))
  }
  for (const [last, { end, word }] of places.entries()) {
    count(word, 1)
    for (
      let place = places[first];
      place !== undefined && end - place.start > length;
      place = places[first]
    ) {
      count(place.word, -1)
      first++
    }
    // Rounding errors must not move the passage.
    if (best === undefined || score > best.score + 1e-9) best = { first, last, score }
  }
  if (best === undefined) return undefined
  return { ...shortestSpan(places.slice(best.first, best.last + 1)), score: best.score }
}

/** Maximum number of units before an excerpt's first match, so that a truncated excerpt still shows it. */
const LEAD = 80
/** Maximum distance by which an excerpt's start and end move to a word boundary, in units. */
const MOVE = 60

/** The excerpt's first unit: after the sentence or the word that ends last before the passage. */
const startOf = (text: string, passage: Passage, room: number): number => {
  const from = Math.max(0, passage.start - room)
  if (from === 0) return 0
  const before = text.slice(from, passage.start)
  const sentence = /^.*?(?:[.!?…]["”’)]*\s+|[。！？]|\n)/s.exec(before)
  const word = sentence ?? /^\S*\s+/.exec(before.slice(0, MOVE))
  const start = from + (word?.[0].length ?? 0)
  // Not within a pair of surrogates.
  return (text.charCodeAt(start) & 0xfc00) === 0xdc00 ? start + 1 : start
}

const endOf = (text: string, passage: Passage, most: number): number => {
  const until = Math.max(passage.end, Math.min(text.length, most))
  if (until === text.length) return until
  const word = /\s+\S*$/.exec(text.slice(Math.max(passage.end, until - MOVE), until))
  return word === null ? until : until - word[0].length
}

/**
 * Returns the passage with the text around it as one line, cut at word boundaries if possible, with the positions of the
 * question's words.
 */
export const excerptOf = (text: string, passage: Passage, words: ReadonlyArray<QuestionWord>): Excerpt => {
  const length = words.some(({ isPart }) => isPart) ? DENSE_LENGTH : LENGTH
  const room = Math.max(0, length - (passage.end - passage.start))
  const start = startOf(text, passage, Math.min(LEAD, Math.floor(room / 2)))
  const end = endOf(text, passage, start + length)
  const line = cutText(text.slice(start), end - start)
    .toWellFormed()
    .replace(/\s/g, " ")
    .trimEnd()
  const before = start > 0 ? "…" : ""
  const ranges = occurrencesOf(foldedInPlace(line), words).map(
    (place): Range => [place.start + before.length, place.end + before.length]
  )
  return { text: `${before}${line}${end < text.length ? "…" : ""}`, ranges, start }
}

/** Returns which of the words a text contains, by their places among the words. */
export const containedWords = (text: string, words: ReadonlyArray<QuestionWord>): ReadonlySet<number> =>
  new Set(occurrencesOf(foldedInPlace(text), words).map(({ word }) => word))
