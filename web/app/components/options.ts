import { normalizeCategory } from "../../../src/shared/Category.ts"
import { folded, oneLine } from "../../../src/shared/Text.ts"

/** An existing category or collection, and its number of links. */
export interface Choice {
  readonly name: string
  readonly count: number
}

export type Option =
  | ({ readonly kind: "known" } & Choice)
  | { readonly kind: "none" }
  | { readonly kind: "create"; readonly name: string }

/** Maximum number of existing names offered. */
const MAX_KNOWN = 60

const strictKey = (text: string) => oneLine(text.normalize("NFKC")).toLowerCase()
/** Ignores accents too, because users often leave them out. */
const looseKey = (text: string) => oneLine(folded(text))

/** How well a name matches the typed text: 0 if it begins with it, 1 if one of its words does, 2 if it contains it; otherwise undefined. */
const rankOf = (name: string, typed: string): 0 | 1 | 2 | undefined => {
  const at = name.indexOf(typed)
  if (at <= 0) return at === 0 ? 0 : undefined
  return name.includes(` ${typed}`) ? 1 : 2
}

/** Normalizes a category as the service does; empty if nothing is left. */
export const asCategory = (text: string): string => normalizeCategory(text) ?? ""

/** Normalizes a collection's name as the service does. */
export const asCollection = oneLine

/**
 * Prepares `choices`, sorted by preference, for filtering. The returned function gives the options for a typed text: first
 * the existing names, best matches first, then a new name, normalized by `normalize`; `none` is what the choice of none is called.
 */
export const optionsOf = (
  choices: ReadonlyArray<Choice>,
  normalize: (text: string) => string
): ((typed: string, none?: string) => ReadonlyArray<Option>) => {
  const names = choices.map((choice) => ({ choice, loose: looseKey(choice.name) }))
  const exact = new Set(choices.map(({ name }) => strictKey(name)))
  return (typed, none) => {
    const wanted = looseKey(typed)
    const ranked: Record<0 | 1 | 2, Array<Option>> = { 0: [], 1: [], 2: [] }
    for (const { choice, loose } of names) {
      const rank = rankOf(loose, wanted)
      if (rank !== undefined && ranked[rank].length < MAX_KNOWN)
        ranked[rank].push({ kind: "known", ...choice })
    }
    const known = [...ranked[0], ...ranked[1], ...ranked[2]].slice(0, MAX_KNOWN)
    const made = normalize(typed)
    const isKnown = made === "" || exact.has(strictKey(made)) || exact.has(strictKey(typed))
    return [
      ...(none !== undefined && folded(none).startsWith(wanted) ? [{ kind: "none" } as const] : []),
      ...known,
      ...(isKnown ? [] : [{ kind: "create", name: made } as const])
    ]
  }
}
