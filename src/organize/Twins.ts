import type { Twins } from "../domain/Label.ts"
import { meaningsOf, spelling } from "../domain/TagVocabulary.ts"
import { typingErrors } from "../shared/EditDistance.ts"

/** Shorter words with a letter's difference are more often two words than one misspelt. */
const LEAST_LETTERS = 8
/** Longer words are compared by their first letters. */
const MOST_LETTERS = 40

const digitsOf = (text: string): string => text.replace(/\D/g, "")

/** The text and its variants with one character left out; two texts with one error between them share one of these. */
const deletions = (text: string): ReadonlyArray<string> => {
  const letters = [...text].slice(0, MOST_LETTERS)
  return [letters.join(""), ...letters.map((_, at) => letters.toSpliced(at, 1).join(""))]
}

/** Whether one typing error turns one text into the other; numbers are never misspelt. */
const isMisspelt = (a: string, b: string): boolean => {
  if (digitsOf(a) !== digitsOf(b)) return false
  const errors = typingErrors(a, b, 1)
  return errors !== undefined && errors.slips + errors.left <= 1
}

/** Names with more links are added first; each is the twin of at most one before it. */
export const makeSpellingTwins = () => {
  const byMeaning = new Map<string, string>()
  const byDeletion = new Map<string, Array<{ readonly name: string; readonly written: string }>>()
  const twins: Array<Twins> = []

  const findMisspelt = (name: string, written: string) => {
    const variants = [...written].length < LEAST_LETTERS ? [] : deletions(written)
    const known = variants
      .flatMap((variant) => byDeletion.get(variant) ?? [])
      .find((one) => isMisspelt(one.written, written))
    for (const variant of variants)
      byDeletion.set(variant, [...(byDeletion.get(variant) ?? []), { name, written }])
    return known?.name
  }

  return {
    add: (name: string, label = name): void => {
      const written = spelling(label)
      if (written === "") return
      const meanings = meaningsOf(label)
      const same = meanings.map((meaning) => byMeaning.get(meaning)).find((one) => one !== undefined)
      for (const meaning of meanings) if (!byMeaning.has(meaning)) byMeaning.set(meaning, name)
      const misspelt = findMisspelt(name, written)
      const twin = same ?? misspelt
      if (twin === undefined) return
      const similarity = same === undefined ? 1 - 1 / [...written].length : 1
      twins.push({ names: [twin, name], reason: "spelling", similarity })
    },
    twins: (): ReadonlyArray<Twins> => twins
  }
}

interface SimilarPair {
  readonly a: number
  readonly b: number
  readonly similarity: number
}

const wordsOf = (label: string) => new Set(label.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])

/** Whether one name has all words of the other and more: it is about a part of it, not the same. */
const isPart = (a: string, b: string): boolean => {
  const [one, other] = [wordsOf(a), wordsOf(b)]
  return one.size !== other.size && (one.isSubsetOf(other) || other.isSubsetOf(one))
}

/** `names` are in the order of their links, most first; `labels` are the parts that were compared. */
export const meaningTwins = (
  names: ReadonlyArray<string>,
  labels: ReadonlyArray<string>,
  pairs: ReadonlyArray<SimilarPair>
): ReadonlyArray<Twins> => {
  const nearest = new Map<number, SimilarPair>()
  const usable = pairs.filter(({ a, b }) => !isPart(labels[a] ?? "", labels[b] ?? ""))
  for (const pair of usable)
    for (const place of [pair.a, pair.b])
      if (pair.similarity > (nearest.get(place)?.similarity ?? 0)) nearest.set(place, pair)
  return usable
    .filter((pair) => nearest.get(pair.a) === pair && nearest.get(pair.b) === pair)
    .map(({ a, b, similarity }) => ({
      names: [names[Math.min(a, b)] ?? "", names[Math.max(a, b)] ?? ""],
      reason: "meaning",
      similarity
    }))
}
