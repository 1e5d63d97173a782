import type { Term } from "../domain/LinkQuery.ts"
import { normalizeTag } from "../shared/Tags.ts"

/** How links write a name with signs, such as `c++`, of which the word index keeps only the letters. */
interface SignedName {
  /** The name as typed, to be found with its signs; undefined if the word index finds the name well enough. */
  readonly literal: string | undefined
  /** The names without signs that tags use: `cpp`. */
  readonly words: ReadonlyArray<string>
  /** Whether the letters alone mean something else: `c` for `c++`. */
  readonly differs: boolean
}

/** Names that are not recognized before they are complete. */
const known = ["c++", "c#", "f#", ".net"]

/** The names that somebody who has typed this much of a word may be typing: `c` may become `c++` or `c#`. */
const begun = (typed: string): SignedName | undefined => {
  const names = /[a-z]/.test(typed) ? known.filter((name) => name.startsWith(typed) && name !== typed) : []
  if (names.length === 0) return undefined
  const differs = /[+.]/.test(typed)
  return { literal: differs ? typed : undefined, words: names.map(normalizeTag), differs }
}

/** Returns how links write the name with signs that a wanted term is, or is the beginning of; undefined for other terms. */
export const signedName = ({ kind, negated, text }: Term): SignedName | undefined => {
  if (negated || kind === "part" || kind === "name" || kind === "either") return undefined
  const typed = text.toLowerCase()
  const name = kind === "prefix" ? begun(typed) : undefined
  if (name !== undefined) return name
  const spelled = normalizeTag(typed)
  if (/\s/.test(typed) || spelled === "" || spelled === normalizeTag(typed.replace(/[+#.]+/g, " ")))
    return undefined
  const differs = /[+#]$|^\./.test(typed)
  return { literal: differs ? typed : undefined, words: [spelled], differs }
}
