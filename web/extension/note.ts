import { MAX_NOTE } from "../../src/shared/Limits.ts"
import { shortened } from "../../src/shared/Text.ts"

/** Maximum length of a quotation in UTF-16 units. */
export const MAX_QUOTE = 2_000

/** Formats selected text as a quotation, each line after `> `; empty for an empty selection. */
export const quote = (selection: string): string => {
  const text = selection.trim()
  if (text === "") return ""
  const lines = text.split(/\s*\n\s*/).map((line) => `> ${line}`)
  return shortened(lines.join("\n"), MAX_QUOTE)
}

/** Joins the non-empty parts of a note with blank lines, cut to `MAX_NOTE`. */
export const joined = (...parts: ReadonlyArray<string>): string =>
  shortened(
    parts
      .map((part) => part.trim())
      .filter((part) => part !== "")
      .join("\n\n"),
    MAX_NOTE
  )
