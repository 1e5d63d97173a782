import { francAll } from "franc-min"
import { MAX_DESCRIPTION } from "../../../shared/Limits.ts"
import { cleanLine, shortened } from "../../../shared/Text.ts"
import { joinAuthors, namesInByline } from "../fields/Bylines.ts"
import { isPlaceholder } from "../fields/Placeholders.ts"

/** How much text is examined, and the least that a language is recognized from, in UTF-16 units. */
const MAX_EXAMINED = 40_000
const MAX_SAMPLE = 4_000
const MIN_SAMPLE = 100
const MARGIN = 0.015

/** Paragraphs shorter than this, in UTF-16 units, are menus, captions and bylines. */
const MIN_PARAGRAPH = 60
/** Chinese, Japanese, Korean and Thai take fewer characters. */
const MIN_DENSE = 24
const MAX_PARAGRAPHS = 40
/** An opening has sentences until it is this long, and is shortened beyond the most, in UTF-16 units. */
const ENOUGH = 80
const MAX_OPENING = 300

const dense = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}]/gu
const endOfSentence = /[.!?…]["'”’»)\]]{0,3}(?=\s|$)|[。！？][」』”’）]{0,3}|[।؟]/gu

const countOf = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0

const isDense = (paragraph: string) => {
  const beginning = paragraph.slice(0, 90)
  return countOf(beginning, dense) > beginning.length / 3
}

const isRunning = (paragraph: string): boolean =>
  paragraph.length >= MIN_DENSE &&
  (paragraph.length >= MIN_PARAGRAPH || isDense(paragraph)) &&
  paragraph.search(endOfSentence) !== -1

const sampleOf = (text: string): string => {
  let sample = ""
  for (const paragraph of text.slice(0, MAX_EXAMINED).split("\n")) {
    if (sample.length >= MAX_SAMPLE) break
    if (isRunning(paragraph)) sample += `${paragraph} `
  }
  return sample.slice(0, MAX_SAMPLE)
}

/** ISO 639-3 codes of single languages for which BCP 47 has a tag of two letters (RFC 5646, 4.1). */
const tags: Readonly<Record<string, string>> = {
  arb: "ar",
  azj: "az",
  cmn: "zh",
  npi: "ne",
  pes: "fa",
  plt: "mg",
  swh: "sw",
  uzn: "uz",
  zlm: "ms"
}

/** The tag of a language that has two letters; undefined for the others, which are recognized too often. */
const tagOf = (code: string): string | undefined => {
  const tag = tags[code] ?? new Intl.Locale(code).toString()
  return tag.length === 2 ? tag : undefined
}

/** The language that a text is written in, as a BCP 47 tag; null if it has too little running text or is ambiguous. */
export const languageOfText = (text: string): string | null => {
  const sample = sampleOf(text)
  if (sample.length < (isDense(sample) ? MIN_DENSE : MIN_SAMPLE)) return null
  const [best, second] = francAll(sample).flatMap(([code, score]) => {
    const tag = code === "und" ? undefined : tagOf(code)
    return tag === undefined ? [] : [{ tag, score }]
  })
  if (best === undefined || (second !== undefined && best.score - second.score < MARGIN)) return null
  // A Chinese text may quote Japanese.
  if (best.tag === "ja")
    return countOf(sample, /[\p{sc=Hiragana}\p{sc=Katakana}]/gu) > countOf(sample, dense) / 10 ? "ja" : "zh"
  return best.tag
}

export const openingOf = (text: string): string => {
  const paragraphs = text.slice(0, MAX_EXAMINED).split("\n", MAX_PARAGRAPHS)
  const first =
    paragraphs.find((one) => isRunning(one) && !/^\P{L}{0,3}\p{Ll}/u.test(one))?.slice(0, MAX_OPENING * 2) ??
    ""
  const enough = isDense(first) ? MIN_DENSE : ENOUGH
  for (const match of first.matchAll(endOfSentence)) {
    const end = match.index + match[0].length
    if (end >= enough) return shortened(first.slice(0, end), MAX_OPENING)
  }
  return shortened(first, MAX_OPENING)
}

export const deriveFields = (text: string, byline: string, excerpt: string) => ({
  author: joinAuthors([namesInByline(byline.replace(/\s+/g, " "))], []) || null,
  description: openingOf(text) || (isPlaceholder(excerpt) ? "" : cleanLine(excerpt, MAX_DESCRIPTION)),
  language: languageOfText(text)
})
