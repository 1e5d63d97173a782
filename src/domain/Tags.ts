/** Far more than a label keeps, in UTF-16 units: a bound on the work a hostile string can cause. */
const MAX_INPUT = 400

/** What a reader cannot see (formats, fillers, variation selectors), and apostrophes: `today's` is one word. */
const unseen = /[\p{Cf}\p{Default_Ignorable_Code_Point}'’]/gu

/** A label's text in the one form in which labels are compared: NFKC (UAX #15) and lower case in no locale. */
export const foldLabel = (raw: string): string =>
  raw.trimStart().slice(0, MAX_INPUT).normalize("NFKC").toLowerCase().replace(unseen, "").normalize("NFKC")

/** The first `count` characters (code points) of `text`. */
export const firstCharacters = (text: string, count: number): string =>
  text.length <= count ? text : Array.from(text).slice(0, count).join("")

export const MAX_TAGS = 8
const MAX_LENGTH = 40

const word = /[\p{Ll}\p{Lo}\p{Lm}\p{N}][\p{Ll}\p{Lo}\p{Lm}\p{M}\p{N}]*/gu

/** Names that differ by punctuation alone, as people write them where punctuation is not allowed. */
const spelledOut = (text: string): string =>
  text
    .replaceAll("++", "pp")
    .replace(/(?<![\p{L}\p{N}])([a-z])#(?![\p{L}\p{N}])/gu, "$1sharp")
    .replace(/(?<=[\p{L}\p{N}])\.(?=(?:js|net)(?![\p{L}\p{N}]))/gu, "")
    .replace(/(?<![\p{L}\p{N}])\.net(?![\p{L}\p{N}])/gu, "dotnet")

/**
 * One tag as the library writes it, empty where nothing is left of it: lower case, words of letters and digits of any
 * script joined by single hyphens, at most 40 characters.
 *
 * What punctuation alone tells apart is spelled out: `c++` is `cpp`, `c#` is `csharp`, `.net` is `dotnet`, `node.js` is `nodejs`.
 */
export const normalizeTag = (raw: string): string => {
  const words = spelledOut(foldLabel(raw)).match(word) ?? []
  return firstCharacters(words.join("-").normalize("NFKC"), MAX_LENGTH).replace(/-$/, "")
}

/** A tag its owner gives, normalised: a dot before it stays, for that makes it private. (`.net` is no such tag.) */
export const ownersTag = (raw: string): string => {
  const tag = normalizeTag(raw)
  const bare = raw.trimStart().replace(/^\.+/, "")
  const isPrivate = bare.length < raw.trimStart().length && tag !== "" && tag === normalizeTag(bare)
  return isPrivate ? `.${tag}` : tag
}

/** Whether a tag is private: it begins with a dot, which only its owner can write (`ownersTag`). */
export const isPrivateTag = (tag: string): boolean => tag.startsWith(".")

/** The tags that may leave the machine or name something public. */
export const withoutPrivateTags = (tags: ReadonlyArray<string>): ReadonlyArray<string> =>
  tags.filter((tag) => !isPrivateTag(tag))

/** At most eight normalised tags, each once and none that only repeats the category; what is no text is left out. */
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
