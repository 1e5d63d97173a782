/** The longest quotation of a page, in UTF-16 units. */
export const MAX_QUOTE = 2_000
/** The longest note that is sent. */
export const MAX_NOTE = 20_000

/** A text of at most `length` UTF-16 units, with a sign where it was cut; no character is cut in two. */
export const shortened = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length - 1).replace(/[\uD800-\uDBFF]$/, "")}…`

/** Selected text as a quotation, each of its lines after `> `; nothing for no text. */
export const quote = (selection: string): string => {
  const text = selection.trim()
  if (text === "") return ""
  const lines = text.split(/\s*\n\s*/).map((line) => `> ${line}`)
  return shortened(lines.join("\n"), MAX_QUOTE)
}

/** A note of its parts, which stand below each other; empty ones are left out. */
export const joined = (...parts: ReadonlyArray<string>): string =>
  shortened(
    parts
      .map((part) => part.trim())
      .filter((part) => part !== "")
      .join("\n\n"),
    MAX_NOTE
  )
