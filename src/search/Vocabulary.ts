import { compare, FAR, lettersOf, MAX_COMPARED } from "../shared/EditDistance.ts"
import { countBits } from "./Bits.ts"

/** A word of an index, folded and stemmed, and the number of links that contain it. */
export interface IndexedWord {
  readonly word: string
  readonly links: number
}

/** A known word, and the errors in what was typed. */
export interface SimilarWord extends IndexedWord {
  readonly errors: number
}

/** Minimum length of a word that is kept. */
const SHORTEST = 3
/** Minimum length of a stem that is recognized before an ending although something is wrong. */
const LEAST_STEM = 4
/** Maximum number of words; beyond it, the rarest are dropped, or no more are added. */
const MOST_WORDS = 400_000
/** Minimum number of digits that make a word a number or a key, which is never offered as a correction. */
const MANY_DIGITS = 3

/**
 * English endings, inflections and derivations, that the stem of a word may lack. A stem may also keep the vowel at its
 * end ("share"), so the endings come without it too ("d", "r").
 */
const ENDINGS = (
  "s es ed d er ers r rs or ors ing ings ion ions ation ations ator ators e ate ates y ies ied ly al ally ic ical " +
  "able ible ment ments ness ful less ity ities ive ism ist ists ize izes ized izing ise ises ised ising " +
  "ization isation ance ence ancy ency ant ent ous ship hood est iness ability ibility ality iveness fulness ousness " +
  "icate icates icated icating ication ications icator icators alize alized alizing alization"
).split(" ")
const LONGEST_ENDING = Math.max(...ENDINGS.map(({ length }) => length))
/** Endings, and whether they are long enough to be recognized with an error in them. */
const endings = ENDINGS.map((ending) => ({
  letters: lettersOf(ending),
  isLong: ending === "ing" || ending.length > 3
}))

/** A set of the letters of a word, as bits: each of a to z, and six groups of all others. */
const bitOf = (letter: number): number =>
  1 << (letter >= 97 && letter <= 122 ? letter - 97 : 26 + (letter % 6))

/** All words of one length, without gaps: their letters, sets of letters and numbers of links. */
interface Bucket {
  letters: Uint16Array
  sets: Int32Array
  links: Uint32Array
  count: number
}

const makeBucket = (): Bucket => ({
  letters: new Uint16Array(0),
  sets: new Int32Array(0),
  links: new Uint32Array(0),
  count: 0
})

const resize = (bucket: Bucket, length: number, room: number): void => {
  const [letters, sets, links] = [new Uint16Array(room * length), new Int32Array(room), new Uint32Array(room)]
  letters.set(bucket.letters.subarray(0, bucket.count * length))
  sets.set(bucket.sets.subarray(0, bucket.count))
  links.set(bucket.links.subarray(0, bucket.count))
  Object.assign(bucket, { letters, sets, links })
}

/**
 * For each number of typed letters: the errors in the rest, if it is to be an ending, or nothing.
 */
const endingErrors = (typed: ReadonlyArray<number>, most: number): Uint8Array => {
  const errors = new Uint8Array(typed.length + 1)
  for (let at = 0; at < typed.length; at++) {
    const rest = typed.slice(at)
    let least = rest.length
    if (rest.length <= LONGEST_ENDING + most)
      for (const { isLong, letters } of endings) {
        const allowed = isLong ? most : 0
        if (Math.abs(rest.length - letters.length) > allowed) continue
        const found = compare(rest, { letters, start: 0, length: letters.length }, allowed)
        least = Math.min(least, found?.whole[rest.length] ?? least)
      }
    errors[at] = least
  }
  return errors
}

/** The words of an index, among which corrections are looked up. */
export interface Vocabulary {
  /** Adds words, which must not be known yet. */
  readonly add: (words: ReadonlyArray<IndexedWord>) => void
  readonly size: () => number
  /** The memory that the words take, in bytes. */
  readonly bytes: () => number
  /**
   * Returns the words that were typed with at most `most` errors, at most 2, each as it is or with an English ending.
   * With `begun`, returns the words of which only the beginning was typed instead.
   */
  readonly like: (typed: string, most: number, begun?: boolean) => ReadonlyArray<SimilarWord>
}

/**
 * Makes an empty vocabulary. A look-up reads all words of a similar length, but compares only those that share enough
 * letters: two operations on a set of bits decide about each word.
 */
export const makeVocabulary = (mostWords = MOST_WORDS): Vocabulary => {
  const buckets: ReadonlyArray<Bucket> = Array.from({ length: MAX_COMPARED + 1 }, makeBucket)
  let size = 0
  let leastLinks = 1

  /** Drops the rarest words, and accepts no more of them, unless few words would be left. */
  const forget = () => {
    const enough = 2 * leastLinks
    let left = 0
    for (const { count, links } of buckets)
      for (let at = 0; at < count; at++) if ((links[at] ?? 0) >= enough) left++
    if (left < mostWords / 8) return
    leastLinks = enough
    size = left
    for (const [length, bucket] of buckets.entries()) {
      let kept = 0
      for (let at = 0; at < bucket.count; at++) {
        if ((bucket.links[at] ?? 0) < leastLinks) continue
        bucket.letters.copyWithin(kept * length, at * length, (at + 1) * length)
        bucket.sets[kept] = bucket.sets[at] ?? 0
        bucket.links[kept] = bucket.links[at] ?? 0
        kept++
      }
      bucket.count = kept
      resize(bucket, length, kept)
    }
  }

  const addWord = (word: string, links: number) => {
    if (links < leastLinks || size >= mostWords || word.length < SHORTEST || !/\p{L}/u.test(word)) return
    if ((word.match(/\p{N}/gu)?.length ?? 0) >= MANY_DIGITS) return
    // The stem of "library" and "libraries" is "librari".
    const letters = lettersOf(word.replace(/([a-z]{2})i$/, "$1y"))
    const bucket = buckets[letters.length]
    if (bucket === undefined || letters.some((letter) => letter > 0xffff)) return
    if (bucket.count === bucket.links.length)
      resize(bucket, letters.length, Math.max(16, Math.ceil(1.5 * bucket.count)))
    bucket.letters.set(letters, bucket.count * letters.length)
    bucket.sets[bucket.count] = letters.reduce((set, letter) => set | bitOf(letter), 0)
    bucket.links[bucket.count] = links
    bucket.count++
    size++
    if (size === mostWords) forget()
  }

  const like = (typed: string, most: number, begun = false): ReadonlyArray<SimilarWord> => {
    const letters = lettersOf(typed.replace(/([a-z]{2})ie[sd]$/, "$1y"))
    const rest = endingErrors(letters, most)
    /** By number of letters: the set of as many letters at the beginning of what was typed. */
    const sets = new Int32Array(MAX_COMPARED + most + 1)
    for (let at = 0; at + 1 < sets.length; at++) {
      const letter = letters[at]
      sets[at + 1] = (sets[at] ?? 0) | (letter === undefined ? 0 : bitOf(letter))
    }
    const found: Array<SimilarWord> = []
    const shortest = begun ? letters.length - most : letters.length - LONGEST_ENDING - most
    const longest = begun ? MAX_COMPARED : letters.length + most
    for (let length = Math.max(SHORTEST, shortest); length <= Math.min(MAX_COMPARED, longest); length++) {
      const bucket = buckets[length]
      if (bucket === undefined) continue
      const within = sets[length + most] ?? 0
      const first = begun ? within : (sets[Math.max(0, length - most)] ?? 0)
      for (let at = 0; at < bucket.count; at++) {
        const set = bucket.sets[at] ?? 0
        if (countBits(first & ~set) > most || (!begun && countBits(set & ~within) > most)) continue
        const errors = compare(letters, { letters: bucket.letters, start: at * length, length }, most)
        if (errors === undefined) continue
        let least = errors.begun
        if (!begun) {
          least = most + 1
          const last = bucket.letters[(at + 1) * length - 1]
          for (let end = Math.max(0, length - most); end <= letters.length && end <= length + most; end++) {
            // A consonant may be doubled before an ending ("running").
            const isDoubled = end > 0 && letters[end] === last && letters[end - 1] === last
            const ending = Math.min(rest[end] ?? 0, (isDoubled ? rest[end + 1] : undefined) ?? FAR)
            const inside = errors.whole[end] ?? FAR
            const isShort = length < LEAST_STEM && end < letters.length && inside + ending > 0
            if (!isShort) least = Math.min(least, inside + ending)
          }
        }
        if (least > most) continue
        const word = String.fromCharCode(...bucket.letters.subarray(at * length, (at + 1) * length))
        found.push({ word, links: bucket.links[at] ?? 0, errors: least })
      }
    }
    return found
  }

  return {
    add: (words) => {
      for (const { links, word } of words) addWord(word, links)
    },
    size: () => size,
    bytes: () =>
      buckets.reduce(
        (sum, { letters, links, sets }) => sum + letters.byteLength + sets.byteLength + links.byteLength,
        0
      ),
    like
  }
}
