import { readFileSync } from "node:fs"
import { fileOfOtherWords } from "../../../src/enrich/embedding/OtherWords.ts"
import { fnv1a, parseWordTable } from "../../../src/enrich/embedding/WordTable.ts"
import { seeded } from "./LinearAlgebra.ts"
import { productCodes } from "./ProductCodes.ts"
import { fitTranslations, readTranslations } from "./Translations.ts"

/**
 * Learns words of other languages in the space of a word table, from pairs of texts that say the same. The same text and
 * table always give the same file.
 *
 * `bun test/bench/training/translate.ts <text folder> <words.bin> <otherWords.bin>`
 */

const SEED = 7
const PARTS = 64
const WORDS = 80_000

const say = (what: string): void =>
  console.log(`${(performance.now() / 1000).toFixed(0).padStart(4)} s  ${what}`)

const [folder, words, out] = process.argv.slice(2)
if (folder === undefined || words === undefined || out === undefined)
  throw new Error("Usage: bun translate.ts <folder with parallel.tsv.xz> <words.bin> <otherWords.bin>")

const table = parseWordTable(readFileSync(words))
const { exitCode, stdout } = Bun.spawnSync(["xz", "--decompress", "--stdout", `${folder}/parallel.tsv.xz`])
if (exitCode !== 0) throw new Error("xz could not unpack the translations.")
const translations = readTranslations(new TextDecoder().decode(stdout).split("\n"), table)
say(`${translations.english.length} pairs, ${translations.words.length} words`)
const rows = fitTranslations(translations, (columns, rest) =>
  say(`${columns} columns, ${rest.toFixed(4)} of the gradient left`)
)

const { dimensions } = table
/** The words with a row that the table does not have, one for each hash, the most frequent first. */
const kept = new Map<number, number>()
for (const [number, word] of translations.words.entries()) {
  const isEmpty = rows.value
    .subarray(number * dimensions, (number + 1) * dimensions)
    .every((one) => one === 0)
  const hash = fnv1a(word)
  if (kept.size < WORDS && !isEmpty && !table.numberOf.has(word) && !kept.has(hash)) kept.set(hash, number)
}
const ordered = [...kept].sort((a, b) => a[0] - b[0])
const value = new Float32Array(ordered.length * dimensions)
ordered.forEach(([, number], at) => {
  value.set(rows.value.subarray(number * dimensions, (number + 1) * dimensions), at * dimensions)
})
const coded = productCodes({ rows: ordered.length, columns: dimensions, value }, PARTS, seeded(SEED))
const hashes = Uint32Array.from(ordered, ([hash]) => hash)
const file = fileOfOtherWords({ ...coded, dimensions, hashes, parts: PARTS })
await Bun.write(out, file)
say(`${ordered.length} words, ${(file.length / 1e6).toFixed(2)} MB`)
