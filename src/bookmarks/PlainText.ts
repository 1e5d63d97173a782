import { Effect } from "effect"
import { addressesIn, type FoundAddress } from "./Addresses.ts"
import type { Format } from "./Format.ts"
import { found, notThis, type Reading } from "./Items.ts"

const LABEL = "plain text with addresses"

/** What begins a line without being a word of it: marks of lists, quotes, headings and tasks. */
const bullet = /^\s*(?:(?:[-*+•>–]|#{1,6}|\d{1,4}[.)])\s+)*(?:\[[ xX]\]\s+)?/

/** What joins a title and an address. */
const joint = /[\s\-–—:|·,;]/

/** A text without what joined it to an address at either end. */
const trimmed = (text: string): string => {
  let from = 0
  let to = text.length
  while (from < to && joint.test(text.charAt(from))) from += 1
  while (to > from && joint.test(text.charAt(to - 1))) to -= 1
  return text.slice(from, to)
}

const pairs = new Set(["()", "[]", "<>", "{}", '""', "''", "“”", "„“", "‘’", "«»", "**", "``", "__"])

/** What a line says beside its one address and the brackets and quotes right around that. */
const wordsAround = (line: string, { from, to }: FoundAddress): string => {
  let around = 0
  while (pairs.has(line.charAt(from - 1 - around) + line.charAt(to + around))) around += 1
  const before = trimmed(line.slice(0, from - around).replace(bullet, ""))
  const after = trimmed(line.slice(to + around))
  return `${before} ${after}`.replace(/\s+/g, " ").trim()
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

/** Markup, which is not read as text unless that is asked for; an address in angle brackets is none. */
const isMarkup = (text: string) => /^\s*<(?!https?:)/i.test(text)

/**
 * Addresses in a text, one or several a line, in sentences or in Markdown. The words beside the only address of a line
 * are its title; where a Markdown link has a title they are its note.
 */
export const plainText: Format = {
  name: "text",
  label: LABEL,
  counts: "line",
  recognises: ({ json, text }) => json === undefined && !isMarkup(text) && /https?:\/\/[^\s<>"]/i.test(text),
  read: Effect.fn("plainText.read")(function* ({ text }) {
    const readings = text.split(/\r\n?|\n/).flatMap((line, index) => readingsIn(line, index + 1))
    return readings.length === 0 ? yield* notThis(LABEL) : found(readings)
  })
}
