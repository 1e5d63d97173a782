import { firstCharacters } from "./Text.ts"

/** Maximum input in UTF-16 units, far more than a label keeps: limits the work that a hostile string can cause. */
const MAX_INPUT = 400

/** Invisible characters (formats, fillers, variation selectors), and apostrophes, because `today's` is one word. */
const ignored = /[\p{Cf}\p{Default_Ignorable_Code_Point}'’]/gu

/** Normalizes a label's text for comparison: NFKC (UAX #15) and locale-independent lower case. */
export const foldLabel = (raw: string): string =>
  raw.trimStart().slice(0, MAX_INPUT).normalize("NFKC").toLowerCase().replace(ignored, "").normalize("NFKC")

export const MAX_TAGS = 8
/** Maximum number of tags that the owner or a file can give a link. */
export const MAX_OWNER_TAGS = 100
const MAX_LENGTH = 40

const word = /[\p{Ll}\p{Lo}\p{Lm}\p{N}][\p{Ll}\p{Lo}\p{Lm}\p{M}\p{N}]*/gu

/** Spells out names that differ only by punctuation, the way people write them without it. */
const spelledOut = (text: string): string =>
  text
    .replaceAll("++", "pp")
    .replace(/(?<![\p{L}\p{N}])([a-z])#(?![\p{L}\p{N}])/gu, "$1sharp")
    .replace(/(?<=[\p{L}\p{N}])\.(?=(?:js|net)(?![\p{L}\p{N}]))/gu, "")
    .replace(/(?<![\p{L}\p{N}])\.net(?![\p{L}\p{N}])/gu, "dotnet")

const joinedWords = (raw: string): string =>
  (spelledOut(foldLabel(raw)).match(word) ?? []).join("-").normalize("NFKC")

/**
 * Normalizes one tag: lower case, words of letters and digits of any script joined by single hyphens, at most 40
 * characters; empty if nothing is left.
 *
 * Significant punctuation is spelled out: `cpp` for `c++`, `csharp` for `c#`, `dotnet` for `.net`, `nodejs` for
 * `node.js`.
 */
export const normalizeTag = (raw: string): string =>
  firstCharacters(joinedWords(raw), MAX_LENGTH).replace(/-$/, "")

/** An emoji (UTS #51) without variation selectors: a flag, or pictures with their modifiers, joined or not. */
const emoji =
  /\p{RI}{2}|[\p{Extended_Pictographic}--[©®]]\p{EMod}?(?:[\u{e0020}-\u{e007f}]+|(?:\u200d\p{Extended_Pictographic}\p{EMod}?)*)/gv

/** The emoji of a tag without words, as many as it has room for. */
const emojiTag = (raw: string): string => {
  let tag = ""
  let length = 0
  for (const [one] of raw
    .slice(0, MAX_INPUT)
    .replace(/[\ufe0e\ufe0f]/g, "")
    .matchAll(emoji)) {
    length += [...one].length
    if (length > MAX_LENGTH) break
    tag += one
  }
  return tag
}

const wordsOrEmoji = (raw: string): string => normalizeTag(raw) || emojiTag(raw)

/** Keeps a leading dot, which makes a tag private (`.net` becomes `dotnet`), and the emoji of a tag without words. */
export const normalizeOwnerTag = (raw: string): string => {
  const tag = wordsOrEmoji(raw)
  const bare = raw.trimStart().replace(/^\.+/, "")
  const isPrivate = bare.length < raw.trimStart().length && tag !== "" && tag === wordsOrEmoji(bare)
  return isPrivate ? `.${tag}` : tag
}

/** Whether the normal form of a tag has only the beginning of its words. */
export const isTagCut = (raw: string): boolean =>
  raw.trim().length > MAX_INPUT || [...joinedWords(raw)].length > MAX_LENGTH

export const normalizeOwnerTags = (raw: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...new Set(raw.map(normalizeOwnerTag).filter((tag) => tag !== ""))
]

/** Whether a tag is private: it begins with a dot, which only the owner can write (`ownersTag`). */
export const isPrivateTag = (tag: string): boolean => tag.startsWith(".")

/** The tags that may leave the machine or name something public, such as a category. */
export const withoutPrivateTags = (tags: ReadonlyArray<string>): ReadonlyArray<string> =>
  tags.filter((tag) => !isPrivateTag(tag))

/** At most eight normalized tags; drops duplicates, non-strings and a tag that repeats the category. */
export const normalizeTags = (
  raw: ReadonlyArray<unknown>,
  category: string | null
): ReadonlyArray<string> => {
  const said = category === null ? "" : normalizeTag(category)
  const tags = new Set<string>()
  for (const item of raw) {
    const tag = typeof item === "string" ? normalizeTag(item) : ""
    if (tag !== "" && tag !== said) tags.add(tag)
    if (tags.size === MAX_TAGS) break
  }
  return [...tags]
}
