import { readFileSync } from "node:fs"
import { embed, hashedHalf, trainedHalf } from "../../../src/enrich/embedding/BuiltIn.ts"
import { tokens } from "../../../src/enrich/embedding/Tokens.ts"
import { parseWordTable } from "../../../src/enrich/embedding/WordTable.ts"

/** An embedder under measurement. */
export interface Contestant {
  readonly name: string
  readonly embed: (text: string) => Float32Array
}

const HASHED_ALONE = 384

/** Hashed words alone, each half of the table's embedder alone, and the embedder itself. */
export const contestantsOf = (tablePath: string): ReadonlyArray<Contestant> => {
  const table = parseWordTable(readFileSync(tablePath))
  const hashed = (dimensions: number) => (text: string) => hashedHalf(table.idf, tokens(text), dimensions)
  return [
    { name: `hash ${HASHED_ALONE}`, embed: hashed(HASHED_ALONE) },
    { name: `hash half, ${table.hashedDimensions}`, embed: hashed(table.hashedDimensions) },
    { name: `table half, ${table.dimensions}`, embed: (text) => trainedHalf(table, tokens(text)) },
    { name: "built in", embed: (text) => embed(table, text) }
  ]
}
