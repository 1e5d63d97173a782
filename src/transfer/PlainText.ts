import { Effect } from "effect"
import type { Format } from "./Format.ts"
import { found, notThis, type Reading } from "./Items.ts"

/** An address that was found in a line of text. */
interface FoundAddress {
  readonly url: string
  /** What a Markdown link calls it; null for an address on its own. */
  readonly label: string | null
  /** Where it stands, with its label and the brackets around both. */
  readonly from: number
  readonly to: number
}

/** Up to white space, a quote or an angle bracket; or up to another address in a list without spaces. */
const address = /https?:\/\/(?:(?![,;|]https?:\/\/)[^\s<>"])+/gi

/** How far before an address the label of a Markdown link may begin. */
const MAX_LABEL = 1_000

const closers: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" }
const openers: Readonly<Record<string, string>> = { ")": "(", "]": "[", "}": "{" }

/** Where the bracket that stands before `text` is closed, but for pairs within; its end where it is not. */
const closedAt = (text: string, opener: string): number => {
  const closer = closers[opener]
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    if (text[at] === opener) depth += 1
    else if (text[at] === closer && depth-- === 0) return at
  }
  return text.length
}

/** How often each bracket stands in a text. */
const bracketsIn = (text: string) => {
  const count = new Map<string, number>()
  for (const one of text.match(/[()[\]{}]/g) ?? []) count.set(one, (count.get(one) ?? 0) + 1)
  return count
}

/** An address without the punctuation of the sentence around it: brackets that open within it are its own. */
const withoutSentence = (text: string): string => {
  const count = bracketsIn(text)
  let end = text.length
  for (; end > 0; end--) {
    const last = text.charAt(end - 1)
    const opener = openers[last]
    if (opener !== undefined) {
      const closing = count.get(last) ?? 0
      if (closing <= (count.get(opener) ?? 0)) break
      count.set(last, closing - 1)
    } else if (!/[.,;:!?'*`|’”»…]/.test(last)) break
  }
  return text.slice(0, end)
}

/** Where the label that ends before `end` begins, its bracket included; -1 where no bracket opens it. */
const labelStart = (line: string, end: number): number => {
  let depth = 0
  for (let at = end - 1; at >= Math.max(0, end - MAX_LABEL); at--) {
    if (line[at] === "]") depth += 1
    else if (line[at] === "[" && depth-- === 0) return at
  }
  return -1
}

/** The http and https addresses in a line of plain text or Markdown, in their order; linear in its length. */
export const addressesIn = (line: string): ReadonlyArray<FoundAddress> => {
  const found: Array<FoundAddress> = []
  address.lastIndex = 0
  for (let match = address.exec(line); match !== null; match = address.exec(line)) {
    const [text] = match
    const before = line.slice(Math.max(0, match.index - 3), match.index)
    const inLink = /\]\(<?$/.exec(before)?.[0].length
    const bracket = before.replace(/<$/, "").slice(-1)
    const within = bracket in closers ? text.slice(0, closedAt(text, bracket)) : text
    const url = inLink !== undefined && within.length < text.length ? within : withoutSentence(within)
    const end = match.index + url.length
    address.lastIndex = Math.max(end, match.index + 1)
    // The label of a link may be its own address.
    if (bracket === "[" && line.startsWith("](", end)) continue
    const from = inLink === undefined ? -1 : labelStart(line, match.index - inLink)
    if (inLink === undefined || from === -1) found.push({ url, label: null, from: match.index, to: end })
    else {
      const closing = line.slice(end, end + MAX_LABEL).indexOf(")")
      const label = line.slice(from + 1, match.index - inLink).trim()
      found.push({ url, label, from, to: closing === -1 ? end : end + closing + 1 })
    }
  }
  return found
}

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
