import { stopWords } from "../domain/English.ts"
import type { builtIn } from "../enrich/embedding/BuiltIn.ts"
import { countBits } from "./Bits.ts"
import { dot } from "./Quantize.ts"
import type { IndexedWord } from "./Vocabulary.ts"

/** How the embedder says what words mean. */
export type WordMeanings = Pick<typeof builtIn, "isEnglish" | "wordMeaning" | "wordsOfStem">

/** Maximum number of words near a word. */
const MOST = 10
/** Minimum similarity, and minimum share of the similarity of the nearest word. */
const LEAST = 0.4
const LEAST_SHARE = 0.75
/** Words with the most signs in common, whose similarities are computed. */
const COMPARED = 64

/** Numbers of 32 signs each that the sketch of a vector has. */
const SKETCH = 8

/** The signs of a vector's numbers. */
const sketch = (vector: Float32Array, into: Int32Array, at: number): void => {
  for (let i = 0; i < vector.length; i++)
    if ((vector[i] ?? 0) > 0) into[at + (i >>> 5)] = (into[at + (i >>> 5)] ?? 0) | (1 << (i & 31))
}

/** The words of an index by what they mean. */
export interface NearWords {
  /** Adds words, which must not be known yet. */
  readonly add: (words: ReadonlyArray<IndexedWord>) => void
  /**
   * Returns the words nearest in meaning to a word in any language, nearest first. An English word has no near English
   * ones: they often mean something else, as *sunlight* does for *moonlight*.
   */
  readonly near: (text: string) => ReadonlyArray<string>
}

/**
 * Makes an empty collection of words. It keeps 256 signs of each word's vector, and computes the vectors of the words with
 * the most signs in common (Charikar 2002).
 */
export const makeNearWords = ({ isEnglish, wordMeaning, wordsOfStem }: WordMeanings): NearWords => {
  const words: Array<string> = []
  /** Words with the same stem, of which one is enough, have the same number. */
  const stems: Array<number> = []
  const english: Array<boolean> = []
  let sketches = new Int32Array(0)
  let size = 0

  const addWord = (word: string, stem: number) => {
    const vector = word.length < 2 || stopWords.has(word) ? undefined : wordMeaning(word)
    if (vector === undefined) return
    const at = words.push(word) - 1
    stems.push(stem)
    english.push(isEnglish(word))
    if (words.length * SKETCH > sketches.length) {
      const larger = new Int32Array(Math.max(1_024, sketches.length * 2))
      larger.set(sketches)
      sketches = larger
    }
    sketch(vector, sketches, at * SKETCH)
  }
  const add = (indexed: ReadonlyArray<IndexedWord>) => {
    for (const { word } of indexed) {
      size++
      for (const one of wordsOfStem(word)) addWord(one, size)
    }
  }

  /** The words with the most signs in common, at least `COMPARED` if there are so many. */
  const candidates = (wanted: Int32Array, mayBeEnglish: boolean): ReadonlyArray<number> => {
    const distances = new Uint16Array(words.length).fill(32 * SKETCH + 1)
    const counts = new Uint32Array(32 * SKETCH + 1)
    for (let at = 0; at < words.length; at++) {
      if (!mayBeEnglish && english[at] === true) continue
      let distance = 0
      for (let i = 0; i < SKETCH; i++)
        distance += countBits((sketches[at * SKETCH + i] ?? 0) ^ (wanted[i] ?? 0))
      distances[at] = distance
      counts[distance] = (counts[distance] ?? 0) + 1
    }
    let [most, seen] = [0, counts[0] ?? 0]
    while (seen < COMPARED && most < 32 * SKETCH) seen += counts[++most] ?? 0
    const closest: Array<number> = []
    for (let at = 0; at < words.length; at++) if ((distances[at] ?? 0) <= most) closest.push(at)
    return closest
  }

  const near = (text: string): ReadonlyArray<string> => {
    const vector = wordMeaning(text)
    if (vector === undefined) return []
    const wanted = new Int32Array(SKETCH)
    sketch(vector, wanted, 0)
    const typed = text.toLowerCase()
    const compared = candidates(wanted, !isEnglish(text))
      .map((at) => ({ word: words[at] ?? "", stem: stems[at] }))
      .filter(({ word }) => word !== typed)
      .map((one) => ({ ...one, similarity: dot(vector, wordMeaning(one.word) ?? vector) }))
      .sort((a, b) => b.similarity - a.similarity)
    const least = Math.max(LEAST, LEAST_SHARE * (compared[0]?.similarity ?? 1))
    const close = compared.filter(({ similarity }) => similarity >= least)
    return [...Map.groupBy(close, ({ stem }) => stem).values()]
      .flatMap(([best]) => best?.word ?? [])
      .slice(0, MOST)
  }

  return { add, near }
}
