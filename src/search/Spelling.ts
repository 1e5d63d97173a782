import { Clock, Effect, type Scope } from "effect"
import { builtIn } from "../enrich/embedding/BuiltIn.ts"
import { yieldToEventLoop } from "../runtime/Scheduling.ts"
import { folded } from "../shared/Text.ts"
import { makeNearWords, type NearWords, type WordMeanings } from "./NearWords.ts"
import { type IndexedWord, makeVocabulary, type SimilarWord, type Vocabulary } from "./Vocabulary.ts"

/** Maximum number of typing errors allowed in a word of this length. */
const errorsFor = (length: number): number => (length < 4 ? 0 : length < 8 ? 1 : 2)
/** Minimum length of a word that is corrected before it is complete. */
const LEAST_BEGUN = 5
/** How many times more links a word needs if its first letter is another one. */
const OTHER_FIRST_LETTER = 3
/** How many times more links a word with an error needs than one that only lacks an ending. */
const MISTYPED = 8
/** Maximum number of corrections for a mistyped word. */
const MAX_CORRECTIONS = 4

const scripts = ["Latin", "Cyrillic", "Greek", "Hebrew", "Arabic", "Hangul", "Devanagari"].map(
  (name) => new RegExp(`\\p{Script=${name}}`, "u")
)
const scriptsOf = (word: string) => scripts.map((script) => script.test(word)).join()

/**
 * Returns the known words most likely meant by `typed`: those in its script with the fewest errors, the words of most
 * links first. People seldom mistype the first letter, so a word with another one needs many more links. A word that
 * only lacks an ending does not exclude those with an error. With `isBegun`, a word may be incomplete, if no complete one
 * is known.
 */
export const corrections = (
  typed: string,
  vocabulary: Pick<Vocabulary, "like">,
  isBegun = false
): ReadonlyArray<string> => {
  const word = folded(typed)
  const length = [...word].length
  const most = errorsFor(length)
  if (most === 0) return []
  const whole = vocabulary.like(word, most)
  const like = whole.length === 0 && isBegun && length >= LEAST_BEGUN ? vocabulary.like(word, 1, true) : whole
  const script = scriptsOf(word)
  const fewest = Math.max(1, Math.min(...like.map(({ errors }) => errors)))
  const likelihood = (one: SimilarWord) =>
    one.links / (one.word[0] === word[0] ? 1 : OTHER_FIRST_LETTER) / (one.errors === 0 ? 1 : MISTYPED)
  return like
    .filter((one) => one.errors <= fewest && one.word !== word && scriptsOf(one.word) === script)
    .sort((a, b) => likelihood(b) - likelihood(a))
    .slice(0, MAX_CORRECTIONS)
    .map((one) => one.word)
}

/** An index of words, as a vocabulary follows it. */
interface WordSource {
  /** Returns the next indexed words after this one, in order. */
  readonly words: (after: string, limit: number) => Effect.Effect<ReadonlyArray<IndexedWord>>
  /** Changes whenever the words may have changed. */
  readonly stamp: Effect.Effect<string>
}

/** Words per step of reading a vocabulary; other fibers run between steps. */
const STEP = 4_000
/** A vocabulary of at most this many words is read again whenever the words have changed. */
const SMALL = 8_000
/** Minimum time between two readings of a larger vocabulary, in milliseconds. */
const PAUSE = 60_000

/** Finds the words of an index that were meant, in the vocabulary of the index, which it reads when it first needs it. */
export interface Spelling {
  readonly corrections: (typed: string, isBegun: boolean) => Effect.Effect<ReadonlyArray<string>>
  /** Returns the words nearest in meaning to a word in any language, nearest first. */
  readonly near: (word: string) => Effect.Effect<ReadonlyArray<string>>
}

/**
 * Makes a speller that follows `source`. A small vocabulary is always up to date. A larger one is read again in the
 * background, at most once a minute, and the previous one serves meanwhile: for that long a new word may be missing, and
 * a correction to a word that has left the library finds nothing.
 */
export const makeSpelling = Effect.fnUntraced(function* (
  source: WordSource,
  meanings: WordMeanings = builtIn
) {
  const scope: Scope.Scope = yield* Effect.scope
  const permit = Effect.unsafeMakeSemaphore(1)
  let known:
    | {
        readonly vocabulary: Vocabulary
        readonly near: NearWords
        readonly stamp: string
        readonly readAt: number
      }
    | undefined
  let isReading = false

  const read = Effect.gen(function* () {
    const [stamp, readAt] = [yield* source.stamp, yield* Clock.currentTimeMillis]
    const [vocabulary, near] = [makeVocabulary(), makeNearWords(meanings)]
    let after = ""
    for (;;) {
      const words = yield* source.words(after, STEP)
      vocabulary.add(words)
      near.add(words)
      const last = words.at(-1)
      if (last === undefined || words.length < STEP) break
      after = last.word
      yield* yieldToEventLoop
    }
    known = { vocabulary, near, stamp, readAt }
    return known
  })

  const readAgain = Effect.suspend(() => {
    if (isReading) return Effect.void
    isReading = true
    return read.pipe(
      Effect.catchAllCause((cause) =>
        Effect.logWarning("The vocabulary of the search cannot be read", cause)
      ),
      Effect.ensuring(
        Effect.sync(() => {
          isReading = false
        })
      ),
      Effect.forkIn(scope)
    )
  })

  const current = Effect.gen(function* () {
    if (known === undefined) return yield* read
    const { readAt, stamp, vocabulary } = known
    if (stamp === (yield* source.stamp)) return known
    if (vocabulary.size() <= SMALL) return yield* read
    if ((yield* Clock.currentTimeMillis) - readAt >= PAUSE) yield* readAgain
    return known
  })

  const spelling: Spelling = {
    corrections: (typed, isBegun) =>
      errorsFor([...folded(typed)].length) === 0
        ? Effect.succeed([])
        : Effect.map(permit.withPermits(1)(current), ({ vocabulary }) =>
            corrections(typed, vocabulary, isBegun)
          ),
    near: (word) =>
      meanings.wordMeaning(word) === undefined
        ? Effect.succeed([])
        : Effect.map(permit.withPermits(1)(current), ({ near }) => near.near(word))
  }
  return spelling
})
