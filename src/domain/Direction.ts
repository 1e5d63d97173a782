/** Returns the canonical form of a BCP 47 tag; undefined for any other text. */
export const languageTag = (tag: string | null | undefined): string | undefined => {
  if (tag === null || tag === undefined || tag.length > 64) return undefined
  try {
    return Intl.getCanonicalLocales(tag.trim().replaceAll("_", "-"))[0]
  } catch {
    return undefined
  }
}

/** Scripts that are written from right to left (https://unicode.org/cldr: characterOrder). */
const scripts = new Set("Adlm Arab Aran Hebr Mand Mend Nkoo Rohg Samr Syrc Thaa Yezi".split(" "))

/** Whether a language, given as a BCP 47 tag, is written from right to left. */
export const isRightToLeft = (tag: string | null | undefined): boolean => {
  const known = languageTag(tag)
  if (known === undefined) return false
  const { script } = new Intl.Locale(known).maximize()
  return script !== undefined && scripts.has(script)
}
