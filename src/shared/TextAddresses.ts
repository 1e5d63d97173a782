import { trimmedAddress } from "./GivenAddress.ts"

interface Range {
  readonly start: number
  readonly end: number
}

/** Scripts that write words without spaces, and Korean, which attaches particles to any word. */
const attaching =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Bopomofo}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}\p{scx=Tibetan}]/u
const symbol = /[[\p{S}\p{Extended_Pictographic}]--\p{ASCII}]/v
const letter = /[\p{L}\p{M}\p{N}]/u
/** White space, controls, quotes, and invisible characters except those that scripts and emoji need within words. */
const separator = /[\s<>"\p{Cc}[[\p{Cf}\p{DI}]--[\u200c\u200d\ufe0f]]]/v
const foreignPunctuation = /[[\p{P}[\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65]]--\p{ASCII}]/v
/** Punctuation that stands within words: dots, dashes and apostrophes of names. */
const withinWords = /[·・‧‐‑–’׳״־]/u
/** Punctuation of a sentence, after which an address does not go on in an attaching script. */
const sentencePunctuation = /[,;!)\]}'|*]/
/** What stands before an address that is a part of another one: `?url=https://`, `/web/2020/https://`. */
const embeds = /[/=:?&#+@_~-]/
const scheme = /https?:\/\//iy

const characterAt = (text: string, at: number): string => String.fromCodePoint(text.codePointAt(at) ?? 0)

const endsBefore = (text: string, at: number, character: string, before: string): boolean => {
  if (separator.test(character)) return true
  if (character < "\x80") {
    scheme.lastIndex = at
    return (character === "h" || character === "H") && !embeds.test(before) && scheme.test(text)
  }
  const isAfterWord = letter.test(before) && !attaching.test(before)
  if (foreignPunctuation.test(character)) {
    const isWithin = withinWords.test(character) && letter.test(before)
    return !(isWithin && letter.test(characterAt(text, at + character.length)))
  }
  if (symbol.test(character)) return letter.test(before)
  return attaching.test(character) && (isAfterWord || sentencePunctuation.test(before))
}

/** Returns where the address that starts at `start` ends in its sentence, at the latest at `limit`. */
const sentenceEnd = (text: string, start: number, limit: number): number => {
  let before = ""
  let at = start
  while (at < limit) {
    const character = characterAt(text, at)
    if (at > start && endsBefore(text, at, character, before)) break
    before = character
    at += character.length
  }
  return at
}

const closers: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" }
const openers: Readonly<Record<string, string>> = { ")": "(", "]": "[", "}": "{" }

/** Returns where the bracket before `start` is closed, skipping pairs within; `end` if it is not. */
const closedAt = (text: string, start: number, end: number): number => {
  const opener = text.charAt(start - 1)
  const closer = closers[opener]
  if (closer === undefined) return end
  let depth = 0
  for (let at = start; at < end; at++) {
    if (text[at] === opener) depth += 1
    else if (text[at] === closer && depth-- === 0) return at
  }
  return end
}

/** Strips the punctuation of the surrounding sentence from an address; keeps brackets that open within it. */
export const withoutTrailingPunctuation = (text: string): string => {
  const count = new Map<string, number>()
  for (const one of text.match(/[()[\]{}]/g) ?? []) count.set(one, (count.get(one) ?? 0) + 1)
  let end = text.length
  for (; end > 0; end--) {
    const last = text.charAt(end - 1)
    const opener = openers[last]
    if (opener !== undefined) {
      const closing = count.get(last) ?? 0
      if (closing <= (count.get(opener) ?? 0)) break
      count.set(last, closing - 1)
    } else if (!/[.,;:!?'"*`|\u200c\u200d]/.test(last)) break
  }
  return text.slice(0, end)
}

/** Returns the addresses with a scheme in a text, in order, without the sentence around them; linear in its length. */
export const addressesInText = (text: string): ReadonlyArray<Range> => {
  const found: Array<Range> = []
  const begin = /https?:\/\/[^\s<>"]/gi
  for (let match = begin.exec(text); match !== null; match = begin.exec(text)) {
    const start = match.index
    const whole = sentenceEnd(text, start, text.length)
    const within = closedAt(text, start, whole)
    // The target of a Markdown link is all that is between its brackets.
    const isTarget = within < whole && text.charAt(start - 2) === "]"
    const end = isTarget ? within : start + withoutTrailingPunctuation(text.slice(start, within)).length
    begin.lastIndex = Math.max(end, start + 1)
    if (/^https?:\/\/./i.test(text.slice(start, Math.min(end, start + 9)))) found.push({ start, end })
  }
  return found
}

/** Addresses in a range marked as one: it may lack its scheme and contain the sentence or another address. */
export const addressesInMarked = (text: string, { end, start }: Range): ReadonlyArray<Range> => {
  const marked = text.slice(start, end)
  const from = start + marked.indexOf(trimmedAddress(marked))
  const stop = sentenceEnd(text, from, end)
  const rest = text.slice(stop, end)
  const given = text.slice(from, stop)
  // Who marked the address has left out the punctuation after it.
  const first = rest === "" ? trimmedAddress(given) : withoutTrailingPunctuation(given)
  return [
    ...(first === "" ? [] : [{ start: from, end: from + first.length }]),
    ...addressesInText(rest).map((range) => ({ start: stop + range.start, end: stop + range.end }))
  ]
}
