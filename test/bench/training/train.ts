import { trainedHalf } from "../../../src/enrich/embedding/BuiltIn.ts"
import { tokens } from "../../../src/enrich/embedding/Tokens.ts"
import type { WordTable } from "../../../src/enrich/embedding/WordTable.ts"
import { bagsOf, batchesOf, train } from "./Contrastive.ts"
import { fileOf, inverseFrequencies, quantized } from "./Export.ts"
import type { Dense } from "./LinearAlgebra.ts"
import { seeded, strongest } from "./LinearAlgebra.ts"
import { positiveInformation } from "./Ppmi.ts"
import { fitSubwords } from "./Subwords.ts"
import {
  known,
  numbersOf,
  type Pair,
  readCorpus,
  readPairs,
  smoothInverseFrequencies,
  vocabularyOf
} from "./Text.ts"

/**
 * Trains the built-in embedder's word table. The same text always gives the same table. Excludes the descriptions of the
 * links, so that the embedder can be measured on them.
 *
 * `bun test/bench/training/train.ts <text folder> <words.bin> [links.jsonl ...]`
 */

const SEED = 7
/** Lengths of the trained half and the hashed half of a vector. */
const TABLE_DIMENSIONS = 256
const HASHED_DIMENSIONS = 256
const WORDS = 21_400
const BUCKETS = 8_192
const LONGEST_HEADING = 24
const LONGEST_TEXT = 64
const BATCH = 256
const EPOCHS = 3
const SCHEDULE = { rate: 0.02, temperature: 0.1, dropout: 0.1 }

const say = (what: string): void =>
  console.log(`${(performance.now() / 1000).toFixed(0).padStart(4)} s  ${what}`)

/** Normalizes every row in place. */
const unitRows = ({ columns, rows, value }: Dense): void => {
  for (let row = 0; row < rows; row++) {
    const own = value.subarray(row * columns, (row + 1) * columns)
    const length = Math.hypot(...own) + 1e-9
    for (let i = 0; i < columns; i++) own[i] = (own[i] ?? 0) / length
  }
}

/** Multiplies every row by its weight, in place. */
const weigh = ({ columns, value }: Dense, weights: Float32Array): void => {
  for (let at = 0; at < value.length; at++)
    value[at] = (value[at] ?? 0) * (weights[Math.floor(at / columns)] ?? 0)
}

/** The mean vector of all list entries: the component that all links share. */
const centreOf = (table: WordTable, entries: ReadonlyArray<Pair>): Float32Array => {
  const centre = new Float32Array(table.dimensions)
  for (const { heading, text } of entries)
    trainedHalf(table, tokens(`${heading}\n${text}`)).forEach((value, i) => {
      centre[i] = (centre[i] ?? 0) + value / entries.length
    })
  return centre
}

const [folder, out, ...measured] = process.argv.slice(2)
if (folder === undefined || out === undefined)
  throw new Error(
    "Usage: bun train.ts <folder with pairs.tsv.gz and corpus.txt.xz> <words.bin> [links.jsonl ...]"
  )

const random = seeded(SEED)
const isKnown = await known(measured)
const pairs = await readPairs(folder, isKnown)
const corpus = readCorpus(folder, isKnown).map(tokens)
const headings = pairs.map(({ heading }) => tokens(heading))
const texts = pairs.map(({ text }) => tokens(text))
const vocabulary = vocabularyOf(corpus, [...headings, ...texts])
say(`${pairs.length} pairs, ${corpus.length} lines, ${vocabulary.words.length} words`)

const information = positiveInformation(
  corpus.map((line) => numbersOf(vocabulary, line)),
  vocabulary.counts,
  random
)
say(`${information.column.length} pairs of words`)
const rows = strongest(information, TABLE_DIMENSIONS, random)
unitRows(rows)
say("factorised")

const weights = smoothInverseFrequencies(vocabulary)
const next = batchesOf(
  pairs,
  bagsOf(
    headings.map((words) => numbersOf(vocabulary, words, LONGEST_HEADING)),
    weights
  ),
  bagsOf(
    texts.map((words) => numbersOf(vocabulary, words, LONGEST_TEXT)),
    weights
  ),
  BATCH,
  random
)
const steps = Math.floor((EPOCHS * pairs.length) / BATCH)
train(rows, next, { ...SCHEDULE, steps }, random, (step, loss) =>
  say(`step ${step} of ${steps}, loss ${loss.toFixed(3)}`)
)
weigh(rows, weights)

const buckets = fitSubwords(vocabulary.words, rows, BUCKETS)
say("subwords fitted")
const kept = Math.min(WORDS, rows.rows)
const words = quantized({ ...rows, rows: kept, value: rows.value.subarray(0, kept * rows.columns) })
const subwords = quantized(buckets)
const uncentred: WordTable = {
  dimensions: rows.columns,
  hashedDimensions: HASHED_DIMENSIONS,
  numberOf: new Map(vocabulary.words.slice(0, kept).map((word, number) => [word, number])),
  centre: new Float32Array(rows.columns),
  wordScales: words.scales,
  wordCodes: words.codes,
  bucketScales: subwords.scales,
  bucketCodes: subwords.codes,
  idf: inverseFrequencies(corpus)
}
const entries = pairs.filter(({ isEntry }) => isEntry)
const file = fileOf({ ...uncentred, centre: centreOf(uncentred, entries) })
await Bun.write(out, file)
say(`${kept} words, ${BUCKETS} buckets, centre from ${entries.length} entries`)
say(`${(file.length / 1e6).toFixed(2)} MB`)
