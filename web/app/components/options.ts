import { normalizeCategory } from "../../../src/shared/Category.ts"
import { folded } from "../../../src/shared/Text.ts"

/** A name that links can be given, and how many have it. */
export interface Choice {
  readonly name: string
  readonly count: number
}

/** A line to pick. */
export type Option =
  | ({ readonly kind: "known" } & Choice)
  | { readonly kind: "none" }
  | { readonly kind: "create"; readonly name: string }

/** How many known names are offered at once. */
const MOST = 60

const spaced = (text: string) => text.replace(/\s+/g, " ").trim()
const exactly = (text: string) => spaced(text.normalize("NFKC")).toLowerCase()
/** Without accents too: what somebody types who cannot, or does not care to, type them. */
const loosely = (text: string) => spaced(folded(text))

/** How well a name suits what is typed: 0 begins with it, 1 has a word that does, 2 holds it; nothing where it does not. */
const rankOf = (name: string, typed: string): 0 | 1 | 2 | undefined => {
  const at = name.indexOf(typed)
  if (at <= 0) return at === 0 ? 0 : undefined
  return name.includes(` ${typed}`) ? 1 : 2
}

/** A category as the service will write it; empty if nothing is left. */
export const asCategory = (text: string): string => normalizeCategory(text) ?? ""

/** A collection's name as the service will write it. */
export const asCollection = spaced

/**
 * Prepares `choices` (the busiest first) for picking; the result gives the lines for what is typed: known names, the
 * better matches first, then the one to make a new name. `become` is what a new name will be.
 */
export const optionsOf = (
  choices: ReadonlyArray<Choice>,
  become: (text: string) => string
): ((typed: string, none: boolean) => ReadonlyArray<Option>) => {
  const names = choices.map((choice) => ({ choice, loose: loosely(choice.name) }))
  const exact = new Set(choices.map(({ name }) => exactly(name)))
  return (typed, none) => {
    const wanted = loosely(typed)
    const ranked: Record<0 | 1 | 2, Array<Option>> = { 0: [], 1: [], 2: [] }
    for (const { choice, loose } of names) {
      const rank = rankOf(loose, wanted)
      if (rank !== undefined && ranked[rank].length < MOST) ranked[rank].push({ kind: "known", ...choice })
    }
    const known = [...ranked[0], ...ranked[1], ...ranked[2]].slice(0, MOST)
    const made = become(typed)
    const isKnown = made === "" || exact.has(exactly(made)) || exact.has(exactly(typed))
    return [
      ...(none && "no collection".startsWith(wanted) ? [{ kind: "none" } as const] : []),
      ...known,
      ...(isKnown ? [] : [{ kind: "create", name: made } as const])
    ]
  }
}
