import { oneLine } from "../../shared/Text.ts"
import { addressesInText } from "../../shared/TextAddresses.ts"
import type { Format, Reading } from "../Format.ts"
import { isJsonLines } from "./GenericJson.ts"

interface FoundAddress {
  readonly url: string
  /** Label of a Markdown link; null for an address on its own. */
  readonly label: string | null
  readonly from: number
  readonly to: number
}

const MAX_LABEL = 1_000

/** Including its bracket; -1 if no bracket opens the label. */
const labelStart = (line: string, end: number): number => {
  let depth = 0
  for (let at = end - 1; at >= Math.max(0, end - MAX_LABEL); at--) {
    if (line[at] === "]") depth += 1
    else if (line[at] === "[" && depth-- === 0) return at
  }
  return -1
}

/** http and https addresses in plain text or Markdown, in order; linear in the line's length. */
export const addressesIn = (line: string): ReadonlyArray<FoundAddress> => {
  const found: Array<FoundAddress> = []
  for (const { end, start } of addressesInText(line)) {
    const url = line.slice(start, end)
    const before = line.slice(Math.max(0, start - 3), start)
    const inLink = /\]\(<?$/.exec(before)?.[0].length
    // A link's label may be its own address.
    if (/\[<?$/.test(before) && line.startsWith("](", end)) continue
    const from = inLink === undefined ? -1 : labelStart(line, start - inLink)
    if (inLink === undefined || from === -1) found.push({ url, label: null, from: start, to: end })
    else {
      const closing = line.slice(end, end + MAX_LABEL).indexOf(")")
      const label = line.slice(from + 1, start - inLink).trim()
      found.push({ url, label, from, to: closing === -1 ? end : end + closing + 1 })
    }
  }
  return found
}

/** Markers of lists, quotes, headings and tasks at the start of a line. */
const bullet = /^\s*(?:(?:[-*+•>–]|#{1,6}|\d{1,4}[.)])(?:\s+|$))*(?:\[[ xX]\]\s+)?/

const joint = /[\s\p{Cf}\-–—:|·,;，、；：。｜]/u

const trimmed = (text: string): string => {
  let from = 0
  let to = text.length
  while (from < to && joint.test(text.charAt(from))) from += 1
  while (to > from && joint.test(text.charAt(to - 1))) to -= 1
  return text.slice(from, to)
}

const pairs = new Set(["()", "[]", "<>", "{}", '""', "''", "“”", "„“", "‘’", "«»", "**", "``", "__"])

/** Besides the line's one address and the brackets and quotes directly around it. */
const wordsAround = (line: string, { from, to }: FoundAddress): string => {
  let around = 0
  while (pairs.has(line.charAt(from - 1 - around) + line.charAt(to + around))) around += 1
  const before = trimmed(line.slice(0, from - around).replace(bullet, ""))
  const after = trimmed(line.slice(to + around))
  return oneLine(`${before} ${after}`)
}

const readingsIn = (line: string, place: number): ReadonlyArray<Reading> => {
  const all = addressesIn(line)
  const [only] = all
  if (only === undefined) return []
  if (all.length > 1) return all.map(({ label, url }) => ({ place, said: { url, title: label ?? "" } }))
  const words = wordsAround(line, only)
  const said = only.label ? { title: only.label, note: words } : { title: words }
  return [{ place, said: { url: only.url, ...said } }]
}

/** Whether a text is markup, read as plain text only on request; an address in angle brackets is not markup. */
const isMarkup = (text: string) => /^\s*<(?!https?:)/i.test(text)

/** The words beside the only address of a line become its title, or its note if a Markdown link already has a title. */
export const plainText: Format = {
  name: "text",
  label: "plain text with addresses",
  guides: [
    "any text | plain text or Markdown | a notes app | the text next to a line's only address as the title; the text of a Markdown link"
  ],
  counts: "line",
  recognizes: ({ json, text }) =>
    json === undefined && !isMarkup(text) && !isJsonLines(text) && /https?:\/\/[^\s<>"]/i.test(text),
  read: ({ text }) => {
    const readings = text.split(/\r\n?|\n/).flatMap((line, index) => readingsIn(line, index + 1))
    return readings.length === 0 ? undefined : readings
  }
}
