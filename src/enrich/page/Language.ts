/** The longest language tag without private-use subtags (RFC 5646, 4.4.1). */
export const MAX_LANGUAGE = 35

/** A written language as a canonical BCP 47 tag of at most `MAX_LANGUAGE` characters; null if it is none. */
export const languageOf = (written: string): string | null => {
  const [tag = ""] = written
    .slice(0, 200)
    .trim()
    .split(/[,;\s.]/, 1)
  try {
    const locale = new Intl.Locale(tag.replaceAll("_", "-"))
    const canonical = locale.toString()
    // Names of languages ("english") are well-formed but no tags.
    return locale.language.length <= 3 && canonical.length <= MAX_LANGUAGE && locale.language !== "und"
      ? canonical
      : null
  } catch {
    return null
  }
}
