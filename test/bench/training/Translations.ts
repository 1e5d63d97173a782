import { tokens } from "../../../src/enrich/embedding/Tokens.ts"
import { addWord, type WordTable } from "../../../src/enrich/embedding/WordTable.ts"
import type { Dense } from "./LinearAlgebra.ts"

/** A word used fewer times is not learned. */
const LEAST_USES = 3
/** Words learned from each language; those without spaces have pairs of letters instead, of which there are more. */
const MOST_WORDS = 8_000
const MOST_PAIRS_OF_LETTERS = 14_000
const UNSPACED = new Set(["ja", "ko", "zh"])
const LONGEST = 40
const PENALTY = 0.5
const ROUNDS = 14
/** Columns that are solved together, so that the sums of all texts fit into memory. */
const BLOCK = 64

/** Texts in other languages as bags of words, and the number of the English text that each translates. */
interface Translations {
  readonly starts: Int32Array
  readonly word: Int32Array
  readonly weight: Float32Array
  readonly english: Int32Array
  /** The sums of the English texts' rows, divided by their lengths; and those lengths. */
  readonly sums: Dense
  readonly lengths: Float32Array
  /** The words, by their highest share of a language's words. */
  readonly words: ReadonlyArray<string>
}

const countsOf = (words: ReadonlyArray<string>) => {
  const counts = new Map<string, number>()
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}

/** The words of each language that are learned, those of the highest share in their language first. */
const chosen = (uses: ReadonlyMap<string, ReadonlyMap<string, number>>): ReadonlyArray<string> => {
  const shares = new Map<string, number>()
  for (const [language, counts] of uses) {
    const all = counts.values().reduce((sum, count) => sum + count, 0)
    const most = UNSPACED.has(language) ? MOST_PAIRS_OF_LETTERS : MOST_WORDS
    const common = [...counts]
      .filter(([word, count]) => count >= LEAST_USES && word.length <= LONGEST)
      .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    for (const [word, count] of common.slice(0, most))
      shares.set(word, Math.max(shares.get(word) ?? 0, count / all))
  }
  return [...shares].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([word]) => word)
}

/** Reads pairs (source, language, text, English text), and adds up the rows of each English text. */
export const readTranslations = (lines: ReadonlyArray<string>, table: WordTable): Translations => {
  const englishOf = new Map<string, number>()
  const texts: Array<ReadonlyArray<string>> = []
  const english: Array<number> = []
  const uses = new Map<string, Map<string, number>>()
  for (const line of lines) {
    const [, language = "", foreign = "", own = ""] = line.split("\t")
    const words = tokens(foreign)
    if (own === "" || words.length === 0) continue
    const number = englishOf.get(own) ?? englishOf.size
    englishOf.set(own, number)
    english.push(number)
    texts.push(words)
    const counts = uses.get(language) ?? new Map<string, number>()
    uses.set(language, counts)
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  }
  const { dimensions } = table
  const sums = new Float32Array(englishOf.size * dimensions)
  const lengths = new Float32Array(englishOf.size)
  for (const [text, number] of englishOf) {
    const sum = new Float32Array(dimensions)
    for (const [word, count] of countsOf(tokens(text))) addWord(sum, table, word, 1 + Math.log(count))
    const length = Math.hypot(...sum)
    lengths[number] = length
    if (length > 0)
      sums.set(
        sum.map((value) => value / length),
        number * dimensions
      )
  }
  const words = chosen(uses)
  const numberOf = new Map(words.map((word, number) => [word, number]))
  const starts = new Int32Array(texts.length + 1)
  const word: Array<number> = []
  const weight: Array<number> = []
  texts.forEach((text, at) => {
    if ((lengths[english[at] ?? 0] ?? 0) > 0)
      for (const [one, count] of countsOf(text)) {
        const number = numberOf.get(one)
        if (number === undefined) continue
        word.push(number)
        weight.push(1 + Math.log(count))
      }
    starts[at + 1] = word.length
  })
  return {
    starts,
    word: Int32Array.from(word),
    weight: Float32Array.from(weight),
    english: Int32Array.from(english),
    sums: { rows: englishOf.size, columns: dimensions, value: sums },
    lengths,
    words
  }
}

/**
 * Learns a row for each word, so that the rows of a text add up to those of its English translation: ridge regression by
 * conjugate gradients (Hestenes and Stiefel 1952), with each text divided by its length and each word by the root of its
 * diagonal.
 */
export const fitTranslations = (
  { english, lengths, starts, sums, weight, word, words }: Translations,
  report: (columns: number, error: number) => void
): Dense => {
  const texts = english.length
  const scaled = weight.slice()
  const diagonal = new Float64Array(words.length)
  let penalty = 0
  for (let text = 0; text < texts; text++) {
    const length = lengths[english[text] ?? 0] ?? 0
    const end = starts[text + 1] ?? 0
    if (length === 0) continue
    penalty += PENALTY / length ** 2 / texts
    for (let at = starts[text] ?? 0; at < end; at++) {
      const value = (weight[at] ?? 0) / length
      scaled[at] = value
      const number = word[at] ?? 0
      diagonal[number] = (diagonal[number] ?? 0) + value * value
    }
  }
  const root = Float64Array.from(diagonal, (value) => Math.sqrt(value + penalty))
  for (let at = 0; at < scaled.length; at++) scaled[at] = (scaled[at] ?? 0) / (root[word[at] ?? 0] ?? 1)
  const ridge = Float64Array.from(root, (value) => penalty / value ** 2)

  const result = new Float32Array(words.length * sums.columns)
  const image = new Float32Array(words.length * BLOCK)
  const row = new Float32Array(BLOCK)
  /** Adds, over all texts, each word's value times what `fill` puts into `row` for the text. */
  const gather = (fill: (text: number) => void) => {
    image.fill(0)
    for (let text = 0; text < texts; text++) {
      const from = starts[text] ?? 0
      const end = starts[text + 1] ?? 0
      if (from === end) continue
      fill(text)
      for (let at = from; at < end; at++) {
        const value = scaled[at] ?? 0
        const target = (word[at] ?? 0) * BLOCK
        for (let i = 0; i < BLOCK; i++) image[target + i] = (image[target + i] ?? 0) + value * (row[i] ?? 0)
      }
    }
  }
  for (let column = 0; column < sums.columns; column += BLOCK) {
    gather((text) => {
      const source = (english[text] ?? 0) * sums.columns + column
      for (let i = 0; i < BLOCK; i++) row[i] = sums.value[source + i] ?? 0
    })
    const rest = image.slice()
    const direction = image.slice()
    const fitted = new Float32Array(image.length)
    const squares = (values: Float32Array, others: Float32Array) => {
      const found = new Float64Array(BLOCK)
      for (let at = 0; at < values.length; at++)
        found[at % BLOCK] = (found[at % BLOCK] ?? 0) + (values[at] ?? 0) * (others[at] ?? 0)
      return found
    }
    let before = squares(rest, rest)
    const first = before.reduce((sum, value) => sum + value, 0)
    for (let round = 0; round < ROUNDS; round++) {
      gather((text) => {
        row.fill(0)
        for (let at = starts[text] ?? 0; at < (starts[text + 1] ?? 0); at++) {
          const value = scaled[at] ?? 0
          const source = (word[at] ?? 0) * BLOCK
          for (let i = 0; i < BLOCK; i++) row[i] = (row[i] ?? 0) + value * (direction[source + i] ?? 0)
        }
      })
      for (let at = 0; at < image.length; at++)
        image[at] = (image[at] ?? 0) + (ridge[Math.floor(at / BLOCK)] ?? 0) * (direction[at] ?? 0)
      const along = squares(direction, image)
      for (let at = 0; at < fitted.length; at++) {
        const step = (before[at % BLOCK] ?? 0) / ((along[at % BLOCK] ?? 0) + 1e-12)
        fitted[at] = (fitted[at] ?? 0) + step * (direction[at] ?? 0)
        rest[at] = (rest[at] ?? 0) - step * (image[at] ?? 0)
      }
      const after = squares(rest, rest)
      for (let at = 0; at < direction.length; at++) {
        const ratio = (after[at % BLOCK] ?? 0) / ((before[at % BLOCK] ?? 0) + 1e-12)
        direction[at] = (rest[at] ?? 0) + ratio * (direction[at] ?? 0)
      }
      before = after
    }
    for (let number = 0; number < words.length; number++)
      for (let i = 0; i < BLOCK; i++)
        result[number * sums.columns + column + i] = (fitted[number * BLOCK + i] ?? 0) / (root[number] ?? 1)
    report(column + BLOCK, Math.sqrt(before.reduce((sum, value) => sum + value, 0) / first))
  }
  return { rows: words.length, columns: sums.columns, value: result }
}
