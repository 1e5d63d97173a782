import { Either } from "effect"
import { names } from "./Fields.ts"

/**
 * The texts of a list as Python prints one, quoted either way; unquoted ones end at a comma.
 *
 * Tools write such lists with little care for quotes, so a quote ends a text only before a comma or the end.
 */
const printed = (inner: string): ReadonlyArray<string> => {
  const found: Array<string> = []
  let at = 0
  while (at < inner.length) {
    const first = inner.charAt(at)
    if (first === "," || /\s/.test(first)) {
      at += 1
      continue
    }
    const quoted = first === "'" || first === '"'
    const from = quoted ? at + 1 : at
    let end = inner.indexOf(quoted ? first : ",", from)
    let next = end
    while (quoted && end !== -1) {
      next = end + 1
      while (/\s/.test(inner.charAt(next))) next += 1
      if (next === inner.length || inner.charAt(next) === ",") break
      end = inner.indexOf(first, end + 1)
    }
    found.push(inner.slice(from, end === -1 ? inner.length : end).replace(/\\+(['"])/g, "$1"))
    at = end === -1 ? inner.length : next
  }
  return found
}

/** The texts of a list in brackets, as JSON or as Python prints it; undefined for a text that is no such list. */
export const listed = (text: string): ReadonlyArray<string> | undefined => {
  if (!text.startsWith("[") || !text.endsWith("]")) return undefined
  const json = Either.try((): unknown => JSON.parse(text))
  return names(Either.isRight(json) ? json.right : printed(text.slice(1, -1)))
}
