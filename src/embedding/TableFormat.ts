/**
 * How the word table lies in its file, little-endian, each part beginning at a multiple of 4 bytes: eight
 * 32-bit numbers (magic, words, dimensions, buckets, bytes of the words, IDF places, hashed dimensions, 0),
 * the words in UTF-8 a line each, the centre as a 32-bit float a dimension, a 32-bit float scale a word, one
 * a bucket, an IDF byte a place, then the int8 rows of the words and the buckets.
 */
export const MAGIC = 0x3142424c
export const HEADER_NUMBERS = 8

/** An IDF byte is the inverse document frequency, a natural logarithm, times this. */
export const IDF_STEPS = 16

/** How many bytes to add to `length` to reach a multiple of 4. */
export const padding = (length: number): number => -length & 3

/** The shortest and longest character n-grams that stand for a word. */
export const SHORTEST_GRAM = 3
export const LONGEST_GRAM = 5

/** A word between two marks, so that its first and last letters make n-grams of their own. */
export const marked = (word: string): string => `<${word}>`

/** How many n-grams of the lengths above a marked word of this length has. */
export const gramsIn = (length: number): number => {
  let count = 0
  for (let size = SHORTEST_GRAM; size <= LONGEST_GRAM; size++) count += Math.max(0, length - size + 1)
  return count
}
