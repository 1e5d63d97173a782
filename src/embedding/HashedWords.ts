import { fnv1a } from "./Hash.ts"
import { stopWords } from "./StopWords.ts"
import { gramsIn, IDF_STEPS, LONGEST_GRAM, marked, SHORTEST_GRAM } from "./TableFormat.ts"

/** How many places of the vector a feature is written to: with several, two features seldom look the same. */
const PLACES = 16
const BIGRAM_WEIGHT = 0.3

const WORD = fnv1a("w:")
const BIGRAM = fnv1a("b:")

/** Adds `weight` or its negative at 16 places that xorshift (Marsaglia 2003) draws from the hash. */
const addFeature = (into: Float32Array, hash: number, weight: number): void => {
  let state = hash === 0 ? 1 : hash
  for (let i = 0; i < PLACES; i++) {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    const place = (state >>> 8) % into.length
    into[place] = (into[place] ?? 0) + ((state & 1) === 0 ? weight : -weight)
  }
}

const addGrams = (into: Float32Array, word: string, weight: number): void => {
  const text = marked(word)
  const share = weight / Math.sqrt(gramsIn(text.length))
  for (let size = SHORTEST_GRAM; size <= LONGEST_GRAM; size++)
    for (let start = 0; start + size <= text.length; start++)
      addFeature(into, fnv1a(text, start, start + size), share)
}

/**
 * The inverse document frequency that a table keeps for a word, by its hash; 1 where the table keeps none.
 */
const idfOf = (idf: Uint8Array, word: string): number =>
  idf.length === 0 ? 1 : (idf[fnv1a(word) % idf.length] ?? 0) / IDF_STEPS

/**
 * Adds a text's words, its pairs of neighbouring words and its words' 3- to 5-grams to `into` by signed
 * feature hashing (Weinberger et al. 2009), each weighed by its inverse document frequency. It is what tells
 * apart the names that the word table does not know.
 */
export const addHashedWords = (into: Float32Array, words: ReadonlyArray<string>, idf: Uint8Array): void => {
  const counts = new Map<string, number>()
  let before: { readonly hash: number; readonly idf: number } | undefined
  for (const word of words) {
    if (stopWords.has(word)) continue
    counts.set(word, (counts.get(word) ?? 0) + 1)
    const current = idfOf(idf, word)
    if (before !== undefined)
      addFeature(into, fnv1a(word, 0, word.length, before.hash), (BIGRAM_WEIGHT * (before.idf + current)) / 2)
    before = { hash: fnv1a(" ", 0, 1, fnv1a(word, 0, word.length, BIGRAM)), idf: current }
  }
  for (const [word, count] of counts) {
    const weight = (1 + Math.log(count)) * idfOf(idf, word)
    addFeature(into, fnv1a(word, 0, word.length, WORD), weight)
    if (word.length > 2) addGrams(into, word, weight)
  }
}
