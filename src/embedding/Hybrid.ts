import { addHashedWords } from "./HashedWords.ts"
import { tokens } from "./Tokens.ts"
import { addWord, type WordTable } from "./WordTable.ts"

/** How many numbers the trained half and the hashed half have. */
export const TABLE_DIMENSIONS = 256
export const HASHED_DIMENSIONS = 256

/** What share of a similarity the trained words have; the hashed words have the rest. */
const TABLE_SHARE = 0.65

/** Gives a vector the length `length`, in place; the zero vector stays. */
export const scaleTo = (vector: Float32Array, length: number): void => {
  let sum = 0
  for (const value of vector) sum += value * value
  if (sum === 0) return
  const factor = length / Math.sqrt(sum)
  for (let i = 0; i < vector.length; i++) vector[i] = (vector[i] ?? 0) * factor
}

/**
 * The trained half of a text's vector: the sum of its words' rows, each times 1 + ln of how often the text
 * has the word, as a unit vector, less the table's centre, as a unit vector again. The zero vector when no
 * word says anything.
 */
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

/** The hashed half of a text's vector, a unit vector of `dimensions` numbers. */
export const hashedHalf = (
  idf: Uint8Array,
  words: ReadonlyArray<string>,
  dimensions: number
): Float32Array => {
  const vector = new Float32Array(dimensions)
  addHashedWords(vector, words, idf)
  scaleTo(vector, 1)
  return vector
}

/**
 * A text's unit vector: the trained half and the hashed half side by side, so that a cosine is the weighted
 * mean of both halves' cosines. The zero vector for a text without a word.
 */
export const embed = (table: WordTable, text: string, tableShare = TABLE_SHARE): Float32Array => {
  const words = tokens(text)
  const trained = trainedHalf(table, words)
  const hashed = hashedHalf(table.idf, words, table.hashedDimensions)
  scaleTo(trained, Math.sqrt(tableShare))
  scaleTo(hashed, Math.sqrt(1 - tableShare))
  const vector = new Float32Array(table.dimensions + table.hashedDimensions)
  vector.set(trained)
  vector.set(hashed, table.dimensions)
  // One half alone may be empty.
  scaleTo(vector, 1)
  return vector
}
