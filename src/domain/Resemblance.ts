import { stopWords } from "./English.ts"

/** What is known of a page: its title, and its text as the library keeps it, empty if it was never read. */
export interface PageWords {
  readonly title: string
  readonly text: string
}

/** Measured on 61 articles: two have .21, the halves of one have .72, and 3 in 100 halves are below this. */
const MIN_SIMILARITY = 0.3

/** Least share of the shorter title's words that two titles of one page have in common. */
const MIN_SHARED = 0.5

/** Texts shorter than this, in UTF-16 units, say too little to compare. */
const MIN_TEXT = 300

const wordsOf = (title: string) =>
  new Set(
    (
      title
        .toLowerCase()
        .normalize("NFKC")
        .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
    ).filter((word) => !stopWords.has(word))
  )

const isSameTitle = (a: string, b: string): boolean => {
  const [one, other] = [wordsOf(a), wordsOf(b)]
  const shorter = Math.min(one.size, other.size)
  return shorter === 0 || one.intersection(other).size >= shorter * MIN_SHARED
}

/** Whether two readings of a page have about the same title, one that says something. */
export const isResembling = (kept: PageWords, now: PageWords): boolean =>
  wordsOf(kept.title).size > 0 && wordsOf(now.title).size > 0 && isSameTitle(kept.title, now.title)

/** Whether two readings of a page are long enough to be compared by their texts. */
export const areComparable = (kept: PageWords, now: PageWords): boolean =>
  kept.text.length >= MIN_TEXT && now.text.length >= MIN_TEXT && !isSameTitle(kept.title, now.title)

/** Neither title nor text alike: front pages keep the title, retitled articles the text. `similarity` is of the texts. */
export const isAnotherPage = (kept: PageWords, now: PageWords, similarity: number): boolean =>
  areComparable(kept, now) && similarity < MIN_SIMILARITY
