import { readFileSync } from "node:fs"
import { embed } from "./Hybrid.ts"
import { parseWordTable, type WordTable } from "./WordTable.ts"
import words from "./words.bin" with { type: "file" }

const DIMENSIONS = 512
let table: WordTable | undefined

const theTable = (): WordTable => {
  table ??= parseWordTable(readFileSync(words))
  return table
}

/**
 * The embedder that needs no key and no download. It makes a unit vector of 512 numbers from a text, the same
 * on every machine, and the zero vector from a text without a word. Its name changes with its table or its
 * rules, since vectors of two versions are not comparable.
 */
export const builtIn: {
  readonly name: string
  readonly dimensions: typeof DIMENSIONS
  readonly embed: (text: string) => Float32Array
} = {
  name: "linkbower-1",
  dimensions: DIMENSIONS,
  embed: (text) => embed(theTable(), text)
}
