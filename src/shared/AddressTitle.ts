import { readableHost } from "./HostName.ts"
import { lazily } from "./Lazily.ts"
import { MAX_TITLE } from "./Limits.ts"
import { cleanLine } from "./Text.ts"

/** How much of one step of a path is read, in UTF-16 units. */
const MAX_STEP = 1_024
/** Steps of a path that are read, from the end. */
const MAX_STEPS = 12

const uuid = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi
/** A date as numbers: `2026-11-23`, `20261123`, `23-11-2026`. */
const date =
  /(?<![\p{L}\p{N}])(?:(?:19|20)\d{2}[-_.](?:0?[1-9]|1[0-2])(?:[-_.](?:0?[1-9]|[12]\d|3[01]))?|(?:0?[1-9]|[12]\d|3[01])[-_.](?:0?[1-9]|1[0-2])[-_.](?:19|20)\d{2}|(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01]))(?![\p{L}\p{N}])/gu
const extension = /\.(?:[a-z]{2}\.)?[a-z][a-z0-9]{1,4}$/i

/** Whether a part is a number or a code that identifies a page: `1234567`, `a1234567`, `3f2a9c8b7d1e`, `B08N5WRWNW`. */
const isCode = (part: string): boolean => {
  if (/^\p{L}{0,4}\d{5,}\p{L}{0,2}$/u.test(part)) return true
  if (!/\d/.test(part) || !/^[a-z0-9]{8,}$/i.test(part)) return false
  const changes = part.match(/\d+/g)?.length ?? 0
  return changes > 1 || /^[0-9a-f]+$/i.test(part)
}

/** Whether the last part is a short code such as `3f9a`, and not a word such as `k8s`, `mp3` or `2nd`. */
const isShortCode = (part: string): boolean =>
  /^[a-z0-9]{4,7}$/i.test(part) && (part.match(/\d+|\D+/g)?.length ?? 0) > 3

/** Whether a part is a word: letters, without the mixed case that codes have. */
const isWord = (part: string): boolean =>
  /^[\p{L}\p{M}'’]+$/u.test(part) &&
  (!/\p{Ll}\p{Lu}/u.test(part) || /\p{Ll}{3}/u.test(part)) &&
  /\p{L}/u.test(part)

const segmenter = lazily(() => new Intl.Segmenter("und", { granularity: "word" }))

const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u

const countWords = (parts: ReadonlyArray<string>): number => {
  let count = 0
  for (const part of parts)
    if (unspaced.test(part))
      for (const { isWordLike } of segmenter().segment(part)) count += isWordLike ? 1 : 0
    else count++
  return count
}

/** Fewer words are rarely a title: `login-page`, `about-us`. */
const LEAST_WORDS = 3

const wordsOf = (step: string): string | null => {
  let text: string
  try {
    text = decodeURIComponent(step)
  } catch {
    return null
  }
  const parts = text
    .slice(0, MAX_STEP)
    .replace(extension, "")
    .replace(uuid, " ")
    .replace(date, " ")
    .split(/[\s\-_+~,;:/\\|–—]+/u)
    .filter((part) => /[\p{L}\p{N}]/u.test(part) && !isCode(part))
  const last = parts.at(-1)
  if (last !== undefined && isShortCode(last)) parts.pop()
  const words = parts.filter(isWord)
  const isTitle =
    countWords(words) >= LEAST_WORDS &&
    words.length * 2 >= parts.length &&
    words.some((word) => word.length > 2 || unspaced.test(word))
  if (!isTitle) return null
  const title = cleanLine(parts.join(" "), MAX_TITLE)
  return title.charAt(0).toLocaleUpperCase("und") + title.slice(1)
}

/** `how-we-cut-build-times.html` → `How we cut build times`: the last step with three words, or null. */
export const titleFromAddress = (url: URL): string | null => {
  for (const step of url.pathname.split("/").slice(-MAX_STEPS).toReversed()) {
    const title = step.length > MAX_STEP * 9 ? null : wordsOf(step)
    if (title !== null) return title
  }
  return null
}

/** Matches the characters of a title made from an address, to look no further at most others. */
const plainTitle = /^[^|()"“”!?]+$/

/** Whether a link's title is only made from its address, because its page gave none: the host's name or the words. */
export const isTitleFromAddress = (link: {
  readonly title: string
  readonly host: string
  readonly url: string
}): boolean => {
  if (link.title === link.host || link.title === readableHost(link.host)) return true
  if (!plainTitle.test(link.title)) return false
  const url = URL.parse(link.url)
  return url !== null && titleFromAddress(url) === link.title
}
