const OFFSET_BASIS = 0x811c9dc5
const PRIME = 0x01000193

/** FNV-1a (Fowler, Noll and Vo) over UTF-16 units. `seed` is the hash of the preceding text. */
export const fnv1a = (text: string, start = 0, end = text.length, seed = OFFSET_BASIS): number => {
  let hash = seed
  for (let i = start; i < end; i++) hash = Math.imul(hash ^ text.charCodeAt(i), PRIME)
  return hash >>> 0
}

/**
 * The file format: little-endian, each part aligned to 4 bytes. Eight 32-bit numbers (magic, words, dimensions,
 * buckets, bytes of the words, IDF entries, hashed dimensions, 0); the words in UTF-8, one per line; the centre, a
 * 32-bit float per dimension; a 32-bit float scale per word; the same per bucket; a byte per IDF entry; the int8 rows
 * of the words; those of the buckets.
 */
export const MAGIC = 0x3142424c
const HEADER_NUMBERS = 8

/** An IDF byte is the inverse document frequency (natural logarithm) multiplied by this. */
export const IDF_STEPS = 16

export const padding = (length: number): number => -length & 3

export const SHORTEST_GRAM = 3
export const LONGEST_GRAM = 5

export const withBoundaryMarks = (word: string): string => `<${word}>`

export const countGrams = (length: number): number => {
  let count = 0
  for (let size = SHORTEST_GRAM; size <= LONGEST_GRAM; size++) count += Math.max(0, length - size + 1)
  return count
}

/** The rows of words that the table itself does not have. */
export interface OtherRows {
  readonly numberOf: (word: string) => number | undefined
  /** Adds the row of word `number`, multiplied by `weight`, to `into`. */
  readonly add: (into: Float32Array, number: number, weight: number) => void
}

/** A trained static word table: one row per word and one per subword bucket, as int8 codes with a scale. */
export interface WordTable {
  readonly dimensions: number
  readonly hashedDimensions: number
  readonly numberOf: ReadonlyMap<string, number>
  /** The mean unit vector of link descriptions in the training data. */
  readonly centre: Float32Array
  readonly wordScales: Float32Array
  readonly wordCodes: Int8Array
  readonly bucketScales: Float32Array
  readonly bucketCodes: Int8Array
  readonly idf: Uint8Array
  readonly others?: OtherRows
}

/** Throws if the bytes are invalid. */
export const parseWordTable = (file: Uint8Array): WordTable => {
  const bytes = file.slice()
  if (bytes.length < HEADER_NUMBERS * 4) throw new Error("The word table is cut off.")
  const header = new Uint32Array(bytes.buffer, 0, HEADER_NUMBERS)
  const [magic, words = 0, dimensions = 0, buckets = 0, textBytes = 0, places = 0, hashedDimensions = 0] =
    header
  if (magic !== MAGIC) throw new Error("These bytes are not a word table.")
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
/** The parts of a compound describe it less well than a word's own row describes the word. */
const PART_WEIGHT = 0.7

/** Splits a compound such as "database" into two known words, preferring the pair whose rarer word is most frequent. */
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
  const text = withBoundaryMarks(word)
  const share = weight / countGrams(text.length)
  for (let size = SHORTEST_GRAM; size <= LONGEST_GRAM; size++)
    for (let start = 0; start + size <= text.length; start++) {
      const bucket = fnv1a(text, start, start + size) % buckets
      addRow(into, table.bucketCodes, bucket, (table.bucketScales[bucket] ?? 0) * share)
    }
}

const LEAST_OTHER_PART = 4

/** Adds the word's own row, else those of two words, not both English ("Haushalt-s-buch"). Returns whether it had any. */
export const addOther = (into: Float32Array, table: WordTable, word: string, weight: number): boolean => {
  const { others } = table
  if (others === undefined) return false
  const own = others.numberOf(word)
  if (own !== undefined) {
    others.add(into, own, weight)
    return true
  }
  const isKnown = (part: string) => table.numberOf.has(part) || others.numberOf(part) !== undefined
  const middle = word.length / 2
  const cuts = Array.from(
    { length: Math.max(0, word.length - 2 * LEAST_OTHER_PART + 1) },
    (_, at) => at + LEAST_OTHER_PART
  ).sort((a, b) => Math.abs(a - middle) - Math.abs(b - middle))
  for (const cut of cuts) {
    const head = word.slice(0, cut)
    const tail = word.slice(cut)
    const heads = [head, head.replace(/s$/, "")].filter((one) => one.length >= LEAST_OTHER_PART)
    const known = isKnown(tail) ? heads.find(isKnown) : undefined
    if (known === undefined || (table.numberOf.has(known) && table.numberOf.has(tail))) continue
    for (const part of [known, tail]) addKnown(into, table, part, weight * PART_WEIGHT)
    return true
  }
  return false
}

/** Its own row, those of two words that form it, or another language's. Returns whether the word is known. */
export const addKnown = (into: Float32Array, table: WordTable, word: string, weight: number): boolean => {
  const number = table.numberOf.get(word)
  if (number !== undefined) {
    addRow(into, table.wordCodes, number, (table.wordScales[number] ?? 0) * weight)
    return true
  }
  const parts = GUESSABLE.test(word) ? splitWord(table, word) : undefined
  if (parts !== undefined && table.others?.numberOf(word) === undefined) {
    for (const part of parts)
      addRow(into, table.wordCodes, part, (table.wordScales[part] ?? 0) * weight * PART_WEIGHT)
    return true
  }
  return addOther(into, table, word, weight)
}

const GUESSABLE = /^(?=.*[a-z])[\0-\x7f]{3,}$/

/** Unknown ASCII words of three characters or more: the mean of their 3- to 5-grams (Bojanowski et al. 2017). */
export const addWord = (into: Float32Array, table: WordTable, word: string, weight: number): void => {
  if (!addKnown(into, table, word, weight) && GUESSABLE.test(word)) addSubwords(into, table, word, weight)
}
