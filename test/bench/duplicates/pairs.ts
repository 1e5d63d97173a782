import { readFileSync } from "node:fs"
import { join } from "node:path"

/** A link as its page describes it. */
export interface Described {
  readonly url: string
  readonly title: string
  readonly description: string
}

/** Two links with the verdict of a reader: one page, or two. */
export interface LabelledPair {
  readonly kind: string
  readonly same: boolean
  /** Whether the second address is the same link when it is saved, so that no second one is made. */
  readonly isOneLink: boolean
  /** Whether rules must not be fitted to it. Half of the pairs are, chosen by a hash of their addresses. */
  readonly held: boolean
  readonly links: readonly [Described, Described]
}

/** FNV-1a, so that the halves stay what they are. */
const hashOf = (text: string): number => {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return (hash ^ (hash >>> 13)) >>> 0
}

/**
 * A line has kind, two addresses, two titles and two descriptions; `~` repeats the first title or description.
 * A kind ends in `*` where both may be wanted, as an archived copy and the page, and are only proposed as duplicates.
 */
const parse = (line: string, same: boolean): LabelledPair => {
  const fields = line.split("¦").map((field) => field.trim())
  const [kind = "", first = "", second = "", title = "", otherTitle = "", text = "", otherText = ""] = fields
  if (fields.length !== 7 || title === "") throw new Error(`invalid pair: ${line}`)
  const other = (value: string, before: string) => (value === "~" ? before : value)
  return {
    kind: kind.replace("*", ""),
    same,
    isOneLink: same && !kind.endsWith("*"),
    held: hashOf(`${first} ${second}`) % 2 === 1,
    links: [
      { url: first, title, description: text },
      { url: second, title: other(otherTitle, title), description: other(otherText, text) }
    ]
  }
}

const read = (name: string, same: boolean) =>
  readFileSync(join(import.meta.dirname, name), "utf8")
    .trim()
    .split("\n")
    .map((line) => parse(line, same))

/** Pairs of one page under two addresses, and pairs of two pages that look alike. */
export const labelledPairs = (): ReadonlyArray<LabelledPair> => [
  ...read("same.txt", true),
  ...read("different.txt", false)
]
