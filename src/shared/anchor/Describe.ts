import { MAX_QUOTE, MAX_QUOTE_CONTEXT } from "../Limits.ts"

/** TextQuoteSelector and TextPositionSelector (https://www.w3.org/TR/annotation-model/#selectors), in UTF-16 units. */
export interface Passage {
  readonly quote: string
  /** At most `MAX_QUOTE_CONTEXT` units before and after the quote. */
  readonly prefix: string
  readonly suffix: string
  readonly start: number
  readonly end: number
}

/** How far around a position characters are looked at: the longest emoji sequences have fewer units. */
const REACH = 40

const characters = new Intl.Segmenter("en", { granularity: "grapheme" })

/** Returns the start and the end of the character, as a person sees it, around a position in a text. */
export const characterAround = (text: string, at: number): readonly [start: number, end: number] => {
  if (at <= 0 || at >= text.length) return [at, at]
  let from = Math.max(0, at - REACH)
  if (/[\udc00-\udfff]/.test(text.charAt(from))) from--
  const found = characters.segment(text.slice(from, at + REACH)).containing(at - from)
  if (found === undefined || from + found.index === at) return [at, at]
  return [from + found.index, from + found.index + found.segment.length]
}

/** Whole characters without outer white space, at most `MAX_QUOTE`; undefined if nothing is selected. */
export const describePassage = (text: string, start: number, end: number): Passage | undefined => {
  let from = Math.max(0, Math.min(start, end))
  let to = Math.min(text.length, Math.max(start, end))
  while (from < to && /\s/.test(text.charAt(from))) from++
  while (from < to && /\s/.test(text.charAt(to - 1))) to--
  if (from >= to) return undefined
  from = characterAround(text, from)[0]
  to = characterAround(text, to)[1]
  if (to - from > MAX_QUOTE) to = characterAround(text, from + MAX_QUOTE)[0]
  return {
    quote: text.slice(from, to),
    prefix: text.slice(characterAround(text, Math.max(0, from - MAX_QUOTE_CONTEXT))[1], from),
    suffix: text.slice(to, characterAround(text, Math.min(text.length, to + MAX_QUOTE_CONTEXT))[0]),
    start: from,
    end: to
  }
}
