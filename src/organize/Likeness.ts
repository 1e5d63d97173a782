/**
 * How similar two links are for filing.
 *
 * A vector represents the meaning of words in general, but not which words are rare in this library. So `organize`
 * mixes the cosine of the vectors with that of the TF-IDF vectors of the owner's own library, 7 to 3 with the built-in
 * embedder. Each is first expressed as its share of the way from its own threshold to 1, because embedders differ in
 * the cosines of unrelated texts: a likeness has the scale of the embedder's cosines and the same threshold.
 *
 * A save compares vectors alone, which is the same scale: the words of the whole library would have to stay in memory.
 */

/** Weight of the words' similarity, as shares of the way from the thresholds to 1. */
const WORDS = 0.4
/**
 * Cosine of TF-IDF vectors that corresponds to the embedder's threshold: at either, the same share of filed links is
 * correct.
 */
const WORDS_THRESHOLD = 0.09

/** Returns the share of the way from the threshold to 1 at which a similarity lies; negative below the threshold. */
export const shareAbove = (similarity: number, threshold: number): number =>
  threshold >= 1 ? similarity - 1 : (similarity - threshold) / (1 - threshold)

/** The mix with an embedder of this threshold: the sum of an offset and of both cosines by their weights. */
export const mixFor = (
  threshold: number
): { readonly meaning: number; readonly words: number; readonly offset: number } => {
  const words = (WORDS * (1 - threshold)) / (1 - WORDS_THRESHOLD)
  return { meaning: 1 - WORDS, words, offset: WORDS * threshold - words * WORDS_THRESHOLD }
}

/** Returns the likeness of two links by the cosines of their vectors and of their words; 1 for identical links. */
export const likenessFor = (threshold: number) => {
  const { meaning, offset, words } = mixFor(threshold)
  return (byMeaning: number, byWords: number): number =>
    Math.min(1, meaning * byMeaning + words * byWords + offset)
}

/** Minimum mean likeness of a new group, as a share of the way from the threshold to 1. */
const GROUPED = 0.015

/** The minimum mean likeness of a new group: groups contain as many wrong links as with vectors alone. */
export const groupingThreshold = (threshold: number): number => threshold + GROUPED * (1 - threshold)
