export interface WeighedBlock {
  readonly html: number
  readonly htmlEnd: number
  readonly lines: number
  readonly linesEnd: number
  readonly weight: number
}

const MIN_SENTENCE = 60
/** The weight of a shorter line: articles have headings, captions and short items too. */
const SHORT = -12
/** The weight of a character of a link, beside its weight as text. */
const LINKED = -2
/** Scripts without spaces, in which a character says as much as three others. */
const dense = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/gu

export const readingLength = (text: string): number => text.length + 2 * (text.match(dense)?.length ?? 0)

/** `length` is a reading length; a block of menus has a negative weight. */
export const weightOfLine = (length: number): number => (length >= MIN_SENTENCE ? length : SHORT)

export const weightOfLinks = (length: number): number => LINKED * length

/** The largest sum of weights (Kadane's algorithm); all blocks if none has weight. */
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
