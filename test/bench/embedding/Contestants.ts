import { readFileSync } from "node:fs"
import { embed } from "../../../src/enrich/embedding/BuiltIn.ts"
import { parseWordTable } from "../../../src/enrich/embedding/WordTable.ts"

/** A measured embedder; returns unit vectors. */
export interface Contestant {
  readonly name: string
  readonly embed: (text: string) => Float32Array
}

const HASHED_ALONE = 384

/** Part of a vector, normalized; zeros stay zeros. */
const unit = (part: Float32Array): Float32Array => {
  const length = Math.hypot(...part)
  return length === 0 ? part : part.map((value) => value / length)
}

/** Hashed words, each half of the built-in embedder, and the whole embedder. */
export const contestantsOf = (tablePath: string): ReadonlyArray<Contestant> => {
  const table = parseWordTable(readFileSync(tablePath))
  const hashed = (hashedDimensions: number) => (text: string) =>
    unit(embed({ ...table, hashedDimensions }, text).subarray(table.dimensions))
  return [
    { name: `hash ${HASHED_ALONE}`, embed: hashed(HASHED_ALONE) },
    { name: `hash half, ${table.hashedDimensions}`, embed: hashed(table.hashedDimensions) },
    {
      name: `table half, ${table.dimensions}`,
      embed: (text) => unit(embed(table, text).subarray(0, table.dimensions))
    },
    { name: "built in", embed: (text) => embed(table, text) }
  ]
}
