const LEAST_COUNT = 3
const LONG_NUMBER = /^\d{5,}$/

/** The trained words, most frequent first. */
export interface Vocabulary {
  readonly words: ReadonlyArray<string>
  readonly counts: ReadonlyArray<number>
  readonly numberOf: ReadonlyMap<string, number>
}

const count = (texts: ReadonlyArray<ReadonlyArray<string>>): Map<string, number> => {
  const counts = new Map<string, number>()
  for (const text of texts) for (const word of text) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}

/** The words that occur three times in either set of texts, with their counts in the first set that contains them. */
export const vocabularyOf = (
  corpus: ReadonlyArray<ReadonlyArray<string>>,
  pairs: ReadonlyArray<ReadonlyArray<string>>
): Vocabulary => {
  const inCorpus = count(corpus)
  const inPairs = count(pairs)
  const kept = [...new Set([...inCorpus.keys(), ...inPairs.keys()])]
    .map((word) => ({ word, corpus: inCorpus.get(word) ?? 0, pairs: inPairs.get(word) ?? 0 }))
    .filter(({ corpus, pairs, word }) => Math.max(corpus, pairs) >= LEAST_COUNT && !LONG_NUMBER.test(word))
    .map(({ corpus, pairs, word }) => ({ word, count: corpus === 0 ? pairs : corpus }))
    .sort((a, b) => b.count - a.count || (a.word < b.word ? -1 : 1))
  const words = kept.map(({ word }) => word)
  return {
    words,
    counts: kept.map((one) => one.count),
    numberOf: new Map(words.map((word, number) => [word, number]))
  }
}

/** The numbers of a text's known words, at most `limit` of them. */
export const numbersOf = (
  { numberOf }: Vocabulary,
  words: ReadonlyArray<string>,
  limit = Number.POSITIVE_INFINITY
): Int32Array => {
  const found: Array<number> = []
  for (const word of words) {
    if (found.length >= limit) break
    const number = numberOf.get(word)
    if (number !== undefined) found.push(number)
  }
  return Int32Array.from(found)
}

/**
 * Smooth inverse frequency (Arora, Liang and Ma 2017): a / (a + p), where p is the word's frequency in the corpus and a is
 * 0.003.
 */
export const smoothInverseFrequencies = ({ counts }: Vocabulary, a = 0.003): Float32Array => {
  const total = counts.reduce((sum, one) => sum + one, 0)
  return Float32Array.from(counts, (one) => a / (a + one / total))
}
