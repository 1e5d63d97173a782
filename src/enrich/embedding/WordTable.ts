const OFFSET_BASIS = 0x811c9dc5
const PRIME = 0x01000193

/**
 * FNV-1a (Fowler, Noll and Vo) over the UTF-16 units of `text` from `start` to `end`, as an unsigned 32-bit
 * number. `seed` is the hash of what stands before, so that parts need not be joined.
 */
export const fnv1a = (text: string, start = 0, end = text.length, seed = OFFSET_BASIS): number => {
  let hash = seed
  for (let i = start; i < end; i++) hash = Math.imul(hash ^ text.charCodeAt(i), PRIME)
  return hash >>> 0
}

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

/** A trained static word table: one row a word and one a subword bucket, as int8 codes with a scale. */
export interface WordTable {
  readonly dimensions: number
  readonly hashedDimensions: number
  readonly numberOf: ReadonlyMap<string, number>
  /** What the unit vectors of links have in common. */
  readonly centre: Float32Array
  readonly wordScales: Float32Array
  readonly wordCodes: Int8Array
  readonly bucketScales: Float32Array
  readonly bucketCodes: Int8Array
  /** The inverse document frequencies by a word's hash, as bytes. */
  readonly idf: Uint8Array
}

/** Reads a table as `TableFormat.ts` lays it out; throws when the bytes are none. */
export const parseWordTable = (file: Uint8Array): WordTable => {
  // A copy begins at a multiple of 4, as the float arrays need it.
  const bytes = file.slice()
  if (bytes.length < HEADER_NUMBERS * 4) throw new Error("The word table is cut off.")
  const header = new Uint32Array(bytes.buffer, 0, HEADER_NUMBERS)
  const [magic, words = 0, dimensions = 0, buckets = 0, textBytes = 0, places = 0, hashedDimensions = 0] =
    header
  if (magic !== MAGIC) throw new Error("These bytes are no word table.")
  let at = HEADER_NUMBERS * 4
  const take = (length: number): number => {
    const start = at
    at += length + padding(length)
    if (at > bytes.length) throw new Error("The word table is cut off.")
    return start
  }
  const text = new TextDecoder().decode(new Uint8Array(bytes.buffer, take(textBytes), textBytes))
  const list = text === "" ? [] : text.split("\n")
  if (list.length !== words) throw new Error("The word table has not the words it claims.")
  return {
    dimensions,
    hashedDimensions,
    numberOf: new Map(list.map((word, number) => [word, number])),
    centre: new Float32Array(bytes.buffer, take(dimensions * 4), dimensions),
    wordScales: new Float32Array(bytes.buffer, take(words * 4), words),
    bucketScales: new Float32Array(bytes.buffer, take(buckets * 4), buckets),
    idf: new Uint8Array(bytes.buffer, take(places), places),
    wordCodes: new Int8Array(bytes.buffer, take(words * dimensions), words * dimensions),
    bucketCodes: new Int8Array(bytes.buffer, take(buckets * dimensions), buckets * dimensions)
  }
}

const addRow = (into: Float32Array, codes: Int8Array, row: number, weight: number): void => {
  const start = row * into.length
  for (let i = 0; i < into.length; i++) into[i] = (into[i] ?? 0) + (codes[start + i] ?? 0) * weight
}

const SHORTEST_PART = 3
/** A compound's parts say less of it than a word says of itself. */
const PART_WEIGHT = 0.7

/**
 * The two known words that `word` is made of, such as "data" and "base": of several pairs the one whose rarer
 * word is most frequent. Undefined when there is none.
 */
export const splitWord = (
  { numberOf }: Pick<WordTable, "numberOf">,
  word: string
): readonly [number, number] | undefined => {
  let best: readonly [number, number] | undefined
  let rarest = Number.POSITIVE_INFINITY
  for (let cut = SHORTEST_PART; cut <= word.length - SHORTEST_PART; cut++) {
    const head = numberOf.get(word.slice(0, cut))
    if (head === undefined || head >= rarest) continue
    const tail = numberOf.get(word.slice(cut))
    if (tail === undefined || tail >= rarest) continue
    best = [head, tail]
    rarest = Math.max(head, tail)
  }
  return best
}

const addSubwords = (into: Float32Array, table: WordTable, word: string, weight: number): void => {
  const buckets = table.bucketScales.length
  if (buckets === 0) return
  const text = marked(word)
  const share = weight / gramsIn(text.length)
  for (let size = SHORTEST_GRAM; size <= LONGEST_GRAM; size++)
    for (let start = 0; start + size <= text.length; start++) {
      const bucket = fnv1a(text, start, start + size) % buckets
      addRow(into, table.bucketCodes, bucket, (table.bucketScales[bucket] ?? 0) * share)
    }
}

const GUESSABLE = /^(?=.*[a-z])[\0-\x7f]{3,}$/

/**
 * Adds a word's row, times `weight`, to `into`. A word the table does not know is the sum of two it knows,
 * else the mean of the buckets of its 3- to 5-grams (Bojanowski et al. 2017).
 */
export const addWord = (into: Float32Array, table: WordTable, word: string, weight: number): void => {
  const number = table.numberOf.get(word)
  if (number !== undefined) {
    addRow(into, table.wordCodes, number, (table.wordScales[number] ?? 0) * weight)
    return
  }
  if (!GUESSABLE.test(word)) return
  const parts = splitWord(table, word)
  if (parts === undefined) addSubwords(into, table, word, weight)
  else
    for (const part of parts)
      addRow(into, table.wordCodes, part, (table.wordScales[part] ?? 0) * weight * PART_WEIGHT)
}
