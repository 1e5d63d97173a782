import { fnv1a, IDF_STEPS, MAGIC, padding, type WordTable } from "../../../src/enrich/embedding/WordTable.ts"
import type { Dense } from "./LinearAlgebra.ts"

const IDF_PLACES = 65_536
const LEAST_TEXTS = 3

/** Each row as int8 codes and a scale to multiply them by. */
export const quantized = ({ columns, rows, value }: Dense) => {
  const scales = new Float32Array(rows)
  const codes = new Int8Array(rows * columns)
  for (let row = 0; row < rows; row++) {
    let largest = 1e-12
    for (let i = row * columns; i < (row + 1) * columns; i++)
      largest = Math.max(largest, Math.abs(value[i] ?? 0))
    scales[row] = largest / 127
    for (let i = row * columns; i < (row + 1) * columns; i++)
      codes[i] = Math.round(((value[i] ?? 0) / largest) * 127)
  }
  return { scales, codes }
}

/** The inverse document frequency, ln(1 + texts / (1 + texts with the word)), by a word's hash, as bytes. */
export const inverseFrequencies = (texts: ReadonlyArray<ReadonlyArray<string>>): Uint8Array => {
  const counts = new Map<string, number>()
  for (const text of texts) for (const word of new Set(text)) counts.set(word, (counts.get(word) ?? 0) + 1)
  const places = new Float64Array(IDF_PLACES)
  for (const [word, count] of counts) {
    const place = fnv1a(word) % IDF_PLACES
    if (count >= LEAST_TEXTS) places[place] = (places[place] ?? 0) + count
  }
  return Uint8Array.from(places, (count) =>
    Math.min(255, Math.round(Math.log(1 + texts.length / (Math.max(count, 1) + 1)) * IDF_STEPS))
  )
}

/** A table's file, as `WordTable.ts` describes it. */
export const fileOf = (table: WordTable): Uint8Array => {
  const text = new TextEncoder().encode([...table.numberOf.keys()].join("\n"))
  const header = Uint32Array.of(
    MAGIC,
    table.numberOf.size,
    table.dimensions,
    table.bucketScales.length,
    text.length,
    table.idf.length,
    table.hashedDimensions,
    0
  )
  const parts = [
    header,
    text,
    table.centre,
    table.wordScales,
    table.bucketScales,
    table.idf,
    table.wordCodes,
    table.bucketCodes
  ]
  const size = parts.reduce((sum, part) => sum + part.byteLength + padding(part.byteLength), 0)
  const file = new Uint8Array(size)
  let at = 0
  for (const part of parts) {
    file.set(new Uint8Array(part.buffer, part.byteOffset, part.byteLength), at)
    at += part.byteLength + padding(part.byteLength)
  }
  if (file.length % 4 !== 0) throw new Error("The table's layout is broken.")
  return file
}
