/** Returns the canonical form of a BCP 47 tag; undefined for any other text. */
export const languageTag = (tag: string | null | undefined): string | undefined => {
  if (tag === null || tag === undefined || tag.length > 64) return undefined
  try {
    return Intl.getCanonicalLocales(tag.trim().replaceAll("_", "-"))[0]
  } catch {
    return undefined
  }
}

/** Scripts that are written from right to left (https://unicode.org/cldr: characterOrder), by their ISO 15924 codes. */
const scripts = "Adlm Arab Hebr Mand Mend Nkoo Rohg Samr Syrc Thaa Yezi".split(" ")
/** Names of scripts in tags: Aran is a style of Arab and has no letters of its own. */
const tags = new Set([...scripts, "Aran"])
const firstLetter = new RegExp(`^\\P{L}*[${scripts.map((script) => `\\p{sc=${script}}`).join("")}]`, "u")

/** Whether a language, given as a BCP 47 tag, is written from right to left. */
export const isRightToLeft = (tag: string | null | undefined): boolean => {
  const known = languageTag(tag)
  if (known === undefined) return false
  const { script } = new Intl.Locale(known).maximize()
  return script !== undefined && tags.has(script)
}

/** Whether the first letter of a text is of a script that is written from right to left. */
export const startsRightToLeft = (text: string): boolean => firstLetter.test(text)
