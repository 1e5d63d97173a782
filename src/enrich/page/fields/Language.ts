/** The longest language tag without private-use subtags (RFC 5646, 4.4.1). */
export const MAX_LANGUAGE = 35

/** Codes for no, an unknown or several languages and for private use (ISO 639-2), as X has for posts without words. */
const noLanguage = /^(?:und|zxx|mis|mul|art|q[a-t][a-z])$/

/** A canonical BCP 47 tag of at most `MAX_LANGUAGE` characters; null if it is not a language. */
export const languageOf = (written: string): string | null => {
  const [tag = ""] = written
    .slice(0, 200)
    .trim()
    .split(/[,;\s.]/, 1)
  try {
    const locale = new Intl.Locale(tag.replaceAll("_", "-"))
    const canonical = locale.toString()
    // Names of languages ("english") are well-formed, but not tags.
    return locale.language.length <= 3 &&
      canonical.length <= MAX_LANGUAGE &&
      !noLanguage.test(locale.language)
      ? canonical
      : null
  } catch {
    return null
  }
}
