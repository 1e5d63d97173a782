/**
 * How similar two links are for filing. Vectors do not know which words are rare in this library, so `organize` mixes
 * their cosine with that of TF-IDF vectors, 7 to 3 with the built-in embedder. Each counts as its share of the way from
 * its own threshold to 1, because embedders differ in the cosines of unrelated texts. A save compares vectors alone, on
 * the same scale: the words of the whole library would have to stay in memory.
 */

/** Weight of the words' similarity, as shares of the way from the thresholds to 1. */
const WORDS = 0.4
/** At this cosine of TF-IDF vectors and at the embedder's threshold, the same share of filed links is correct. */
const WORDS_THRESHOLD = 0.09

/** Negative below the threshold. */
export const shareAbove = (similarity: number, threshold: number): number =>
  threshold >= 1 ? similarity - 1 : (similarity - threshold) / (1 - threshold)

export const mixFor = (
  threshold: number
): { readonly meaning: number; readonly words: number; readonly offset: number } => {
  const words = (WORDS * (1 - threshold)) / (1 - WORDS_THRESHOLD)
  return { meaning: 1 - WORDS, words, offset: WORDS * threshold - words * WORDS_THRESHOLD }
}

export const likenessFor = (threshold: number) => {
  const { meaning, offset, words } = mixFor(threshold)
  return (byMeaning: number, byWords: number): number =>
    Math.min(1, meaning * byMeaning + words * byWords + offset)
}

const GROUPED = 0.015

/** At this mean likeness, groups contain as many wrong links as with vectors alone. */
export const groupingThreshold = (threshold: number): number => threshold + GROUPED * (1 - threshold)
