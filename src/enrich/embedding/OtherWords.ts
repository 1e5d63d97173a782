import { fnv1a, type OtherRows, padding } from "./WordTable.ts"

/**
 * The file of words in other languages: little-endian, each part aligned to 4 bytes. Eight 32-bit numbers (magic, words,
 * dimensions, parts of a row, centres of a part, 0, 0, 0); the words' hashes (FNV-1a) in rising order; the centres, a
 * 32-bit float per number, part by part; a 32-bit float scale per word; a byte per part of each word's row: its centre.
 */
export const OTHER_MAGIC = 0x3242424c
const HEADER_NUMBERS = 8

/**
 * Words in other languages, in the space of the word table: a row is the sum of what its translations say, as a product of
 * centres (Jégou, Douze and Schmid 2011). A word is known by its hash alone: of 60,000 unknown words one is taken for
 * another.
 */
export interface OtherWords {
  readonly dimensions: number
  readonly hashes: Uint32Array
  readonly parts: number
  readonly centres: Float32Array
  readonly scales: Float32Array
  readonly codes: Uint8Array
}

/** Parses the file format above; throws if the bytes are invalid. */
export const parseOtherWords = (file: Uint8Array): OtherWords => {
  // The copy starts at offset 0 of its buffer: typed arrays need aligned offsets.
  const { buffer, length } = file.slice()
  if (length < HEADER_NUMBERS * 4) throw new Error("The table of other languages is cut off.")
  const [magic, words = 0, dimensions = 0, parts = 0, centres = 0] = new Uint32Array(
    buffer,
    0,
    HEADER_NUMBERS
  )
  if (magic !== OTHER_MAGIC) throw new Error("These bytes are not a table of other languages.")
  let at = HEADER_NUMBERS * 4
  const take = (bytes: number): number => {
    const start = at
    at += bytes + padding(bytes)
    if (at > length) throw new Error("The table of other languages is cut off.")
    return start
  }
  return {
    dimensions,
    parts,
    hashes: new Uint32Array(buffer, take(words * 4), words),
    centres: new Float32Array(buffer, take(centres * dimensions * 4), centres * dimensions),
    scales: new Float32Array(buffer, take(words * 4), words),
    codes: new Uint8Array(buffer, take(words * parts), words * parts)
  }
}

/** The file of a table, in the format above. */
export const fileOfOtherWords = (table: OtherWords): Uint8Array => {
  const { centres, codes, dimensions, hashes, parts, scales } = table
  const header = Uint32Array.of(
    OTHER_MAGIC,
    hashes.length,
    dimensions,
    parts,
    centres.length / dimensions,
    0,
    0,
    0
  )
  const all = [header, hashes, centres, scales, codes]
  const file = new Uint8Array(all.reduce((sum, part) => sum + part.byteLength + padding(part.byteLength), 0))
  let at = 0
  for (const part of all) {
    file.set(new Uint8Array(part.buffer, part.byteOffset, part.byteLength), at)
    at += part.byteLength + padding(part.byteLength)
  }
  return file
}

const numberOf = (hashes: Uint32Array, word: string): number | undefined => {
  const wanted = fnv1a(word)
  let low = 0
  let high = hashes.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((hashes[middle] ?? 0) < wanted) low = middle + 1
    else high = middle
  }
  return hashes[low] === wanted ? low : undefined
}

export const rowsOf = ({ centres, codes, dimensions, hashes, parts, scales }: OtherWords): OtherRows => {
  const size = dimensions / parts
  const centresOfPart = centres.length / dimensions
  return {
    numberOf: (word) => numberOf(hashes, word),
    add: (into, number, weight) => {
      const scale = (scales[number] ?? 0) * weight
      let target = 0
      for (let part = 0; part < parts; part++) {
        let source = (part * centresOfPart + (codes[number * parts + part] ?? 0)) * size
        for (let i = 0; i < size; i++, target++, source++)
          into[target] = (into[target] ?? 0) + (centres[source] ?? 0) * scale
      }
    }
  }
}
