/** A block of an article that is in no other block. */
export interface WeighedBlock {
  /** Its bounds in the HTML. */
  readonly html: number
  readonly htmlEnd: number
  /** Its bounds in the text. */
  readonly lines: number
  readonly linesEnd: number
  readonly weight: number
}

/** Shorter lines are not sentences. */
const MIN_SENTENCE = 60
/** The weight of a shorter line: articles have headings, captions and short items too. */
const SHORT = -12
/** The weight of a character of a link, beside its weight as text. */
const LINKED = -2
/** Scripts without spaces, in which a character says as much as three others. */
const dense = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/gu

/** A text's length, comparable between scripts. */
export const readingLength = (text: string): number => text.length + 2 * (text.match(dense)?.length ?? 0)

/** The weight that a line adds to its block, by its reading length: a block of menus has a negative weight. */
export const weightOfLine = (length: number): number => (length >= MIN_SENTENCE ? length : SHORT)

/** The weight that a link adds to its block besides, by its reading length. */
export const weightOfLinks = (length: number): number => LINKED * length

/** Returns the run of blocks with the largest sum of weights (Kadane's algorithm); all blocks if none has weight. */
export const densestRun = (blocks: ReadonlyArray<WeighedBlock>) => {
  let best = { sum: 0, from: 0, to: blocks.length }
  let sum = 0
  let from = 0
  for (const [at, { weight }] of blocks.entries()) {
    if (sum <= 0) {
      sum = 0
      from = at
    }
    sum += weight
    if (sum > best.sum) best = { sum, from, to: at + 1 }
  }
  return { blocks: blocks.slice(best.from, best.to), weight: best.sum }
}
