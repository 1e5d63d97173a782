import { readFileSync } from "node:fs"
import { stopWords } from "../../domain/English.ts"
import { parseOtherWords, rowsOf } from "./OtherWords.ts"
import otherWords from "./otherWords.bin" with { type: "file" }
import { tokens } from "./Tokens.ts"
import {
  addKnown,
  addOther,
  addWord,
  countGrams,
  fnv1a,
  IDF_STEPS,
  LONGEST_GRAM,
  parseWordTable,
  SHORTEST_GRAM,
  type WordTable,
  withBoundaryMarks
} from "./WordTable.ts"
import words from "./words.bin" with { type: "file" }

/** How many positions of the vector each feature is written to; several make full collisions of two features rare. */
const PLACES = 16
const BIGRAM_WEIGHT = 0.3

const WORD_SEED = fnv1a("w:")
const BIGRAM_SEED = fnv1a("b:")

/** Adds `weight` or its negative at 16 positions that xorshift (Marsaglia 2003) draws from the hash. */
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
  const text = withBoundaryMarks(word)
  const share = weight / Math.sqrt(countGrams(text.length))
  for (let size = SHORTEST_GRAM; size <= LONGEST_GRAM; size++)
    for (let start = 0; start + size <= text.length; start++)
      addFeature(into, fnv1a(text, start, start + size), share)
}

const idfOf = (idf: Uint8Array, word: string): number =>
  idf.length === 0 ? 1 : (idf[fnv1a(word) % idf.length] ?? 0) / IDF_STEPS

/** Signed feature hashing (Weinberger et al. 2009) distinguishes names that the word table lacks. */
const addHashedWords = (into: Float32Array, words: ReadonlyArray<string>, idf: Uint8Array): void => {
  const counts = new Map<string, number>()
  let before: { readonly hash: number; readonly idf: number } | undefined
  for (const word of words) {
    if (stopWords.has(word)) continue
    counts.set(word, (counts.get(word) ?? 0) + 1)
    const current = idfOf(idf, word)
    if (before !== undefined)
      addFeature(into, fnv1a(word, 0, word.length, before.hash), (BIGRAM_WEIGHT * (before.idf + current)) / 2)
    before = { hash: fnv1a(" ", 0, 1, fnv1a(word, 0, word.length, BIGRAM_SEED)), idf: current }
  }
  for (const [word, count] of counts) {
    const weight = (1 + Math.log(count)) * idfOf(idf, word)
    addFeature(into, fnv1a(word, 0, word.length, WORD_SEED), weight)
    if (word.length > 2) addGrams(into, word, weight)
  }
}

/** Share of the similarity of two links that comes from the trained half; the rest comes from the hashed half. */
const TABLE_SHARE = 0.65
/** Few words say more by letters than by topic; of a link's similarity it has .44 (`bench/embedding/shares.ts`). */
const QUERY_TABLE_SHARE = 0.25

const scaleTo = (vector: Float32Array, length: number): void => {
  let sum = 0
  for (let i = 0; i < vector.length; i++) sum += (vector[i] ?? 0) ** 2
  if (sum === 0) return
  const factor = length / Math.sqrt(sum)
  for (let i = 0; i < vector.length; i++) vector[i] = (vector[i] ?? 0) * factor
}

/** The sum of rows times 1 + ln(count), less the centre, as a unit vector; zero if no word has a row. */
export const trainedHalf = (table: WordTable, words: ReadonlyArray<string>): Float32Array => {
  const vector = new Float32Array(table.dimensions)
  const counts = new Map<string, number>()
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  for (const [word, count] of counts) addWord(vector, table, word, 1 + Math.log(count))
  scaleTo(vector, 1)
  if (vector.every((value) => value === 0)) return vector
  for (let i = 0; i < vector.length; i++) vector[i] = (vector[i] ?? 0) - (table.centre[i] ?? 0)
  scaleTo(vector, 1)
  return vector
}

const hashedHalf = ({ hashedDimensions, idf }: WordTable, words: ReadonlyArray<string>): Float32Array => {
  const vector = new Float32Array(hashedDimensions)
  addHashedWords(vector, words, idf)
  scaleTo(vector, 1)
  return vector
}

/** `tableShare` is the squared length of the trained half, so that a cosine is the weighted mean of both halves'. */
const vectorOf = (table: WordTable, text: string, tableShare: number): Float32Array => {
  const words = tokens(text)
  const trained = trainedHalf(table, words)
  const hashed = hashedHalf(table, words)
  scaleTo(trained, Math.sqrt(tableShare))
  scaleTo(hashed, Math.sqrt(1 - tableShare))
  const vector = new Float32Array(table.dimensions + table.hashedDimensions)
  vector.set(trained)
  vector.set(hashed, table.dimensions)
  scaleTo(vector, 1)
  return vector
}

export const embed = (table: WordTable, text: string): Float32Array => vectorOf(table, text, TABLE_SHARE)

export const embedQuery = (
  table: WordTable,
  text: string,
  tableShare: number = QUERY_TABLE_SHARE
): Float32Array => vectorOf(table, text, tableShare)

const DIMENSIONS = 512

/** Whether the embedder of this name is part of this program; the triggers recognise them in the same way. */
export const isOwnEmbedder = (name: string): boolean => name.startsWith("linkbower-")

let english: WordTable | undefined
let table: WordTable | undefined

const loadEnglish = (): WordTable => {
  english ??= parseWordTable(readFileSync(words))
  return english
}
/** The table that embeds texts, with the words of other languages. */
export const loadTable = (): WordTable => {
  table ??= { ...loadEnglish(), others: rowsOf(parseOtherWords(readFileSync(otherWords))) }
  return table
}

/** Undefined if no word has a row. Two English words in an unknown one do not count: mostly names and typos. */
const wordMeaning = (table: WordTable, text: string): Float32Array | undefined => {
  const vector = new Float32Array(table.dimensions)
  const known = tokens(text).filter((word) =>
    table.numberOf.has(word) ? addKnown(vector, table, word, 1) : addOther(vector, table, word, 1)
  )
  if (known.length === 0) return undefined
  scaleTo(vector, 1)
  return vector
}

const isEnglish = ({ numberOf }: WordTable, text: string): boolean =>
  tokens(text).every((word) => numberOf.has(word))

/** What the stemmer of the word index takes from the end of any English word, and of one with a longer stem. */
const SHORT_ENDINGS = ["", "e", "ing", "ed"]
const LONG_ENDINGS = ["er", "ion", "ation", "ment", "or", "al", "ity", "ive", "ize", "ization"]
const LONGER_STEM = /[aeiouy][^aeiouy].*[aeiouy][^aeiouy]/

/** The table's words that the index stems to `term`, or the word of another language that it is. */
const wordsOfStem = ({ numberOf, others }: WordTable, term: string): ReadonlyArray<string> => {
  const stem = term.replace(/([a-z]{2})i$/, "$1y")
  const endings = LONGER_STEM.test(term) ? [...SHORT_ENDINGS, ...LONG_ENDINGS] : SHORT_ENDINGS
  const english = endings.map((ending) => stem + ending).filter((word) => numberOf.has(word))
  return english.length > 0 || others?.numberOf(term) === undefined ? english : [term]
}

/** An embedder in this program. */
interface TableEmbedder {
  readonly name: string
  readonly dimensions: typeof DIMENSIONS
  readonly embed: (text: string) => Float32Array
  readonly embedQuery: (text: string) => Float32Array
}

/** The same without words of other languages: it answers for the vectors that it made, until they are replaced. */
export const earlierBuiltIn: TableEmbedder = {
  name: "linkbower-1",
  dimensions: DIMENSIONS,
  embed: (text) => embed(loadEnglish(), text),
  embedQuery: (text) => embedQuery(loadEnglish(), text)
}

/** 512 numbers, the same on every machine. The name changes with table or rules. */
export const builtIn: TableEmbedder & {
  /** The direction of the words of a text, in any language, that are known; undefined if none is. */
  readonly wordMeaning: (text: string) => Float32Array | undefined
  readonly isEnglish: (text: string) => boolean
  readonly wordsOfStem: (term: string) => ReadonlyArray<string>
} = {
  name: "linkbower-2",
  dimensions: DIMENSIONS,
  embed: (text) => embed(loadTable(), text),
  embedQuery: (text) => embedQuery(loadTable(), text),
  wordMeaning: (text) => wordMeaning(loadTable(), text),
  isEnglish: (text) => isEnglish(loadTable(), text),
  wordsOfStem: (term) => wordsOfStem(loadTable(), term)
}

/** Short texts, each on a different topic, that measure how similar an embedder finds unrelated texts. */
export const unrelatedTexts: ReadonlyArray<string> = [
  "Baking sourdough bread: how to keep a starter alive and shape a loaf",
  "PostgreSQL indexes explained, with query plans and benchmarks",
  "A beginner's guide to growing tomatoes on a balcony",
  "The history of the Ottoman navy in the sixteenth century",
  "Learning to play fingerstyle guitar in thirty days",
  "Type inference in functional programming languages",
  "How vaccines are tested before they are approved",
  "Restoring a vintage steel bicycle frame",
  "An atlas of bird songs recorded in European forests",
  "Index funds, pensions and saving for retirement",
  "Designing accessible colour palettes for user interfaces",
  "A short introduction to quantum entanglement",
  "Camping routes and mountain huts in the Alps",
  "Setting up a home server with containers and backups",
  "Grammar exercises for learners of Japanese",
  "The rules of contract bridge and common bidding systems",
  "Photographing the night sky: lenses, tripods and exposure",
  "Labour law for freelancers: contracts and invoices",
  "Neural networks for recognising handwritten digits",
  "A map of medieval trade routes across the Sahara",
  "Knitting patterns for warm winter socks",
  "Monitoring web services: logs, metrics and alerts",
  "Short stories by writers of the Harlem Renaissance",
  "Caring for an ageing dog: food, walks and medicine"
]

/** Standard deviations from the mean similarity of unrelated texts to the threshold, as measured on real links. */
const THRESHOLD_DEVIATIONS = 4.86
const MAX_THRESHOLD = 0.95

export const thresholdFrom = (vectors: ReadonlyArray<Float32Array>): number => {
  const cosines = vectors.flatMap((a, i) =>
    vectors.slice(i + 1).map((b) => a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0))
  )
  const count = Math.max(cosines.length, 1)
  const mean = cosines.reduce((sum, value) => sum + value, 0) / count
  const variance = cosines.reduce((sum, value) => sum + (value - mean) ** 2, 0) / count
  return Math.min(MAX_THRESHOLD, mean + THRESHOLD_DEVIATIONS * Math.sqrt(variance))
}
