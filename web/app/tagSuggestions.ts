import { normalizeTag } from "../../src/shared/Tags.ts"

interface Counted {
  readonly name: string
  readonly count: number
}

/** A tag that a field offers; `isLikely` if it suits the link by its meaning. */
export interface TagSuggestion extends Counted {
  readonly isLikely: boolean
}

/** How many suggestions of each kind are offered. */
const MOST = { prefix: 6, inside: 3, likely: 4, busy: 6 }

/**
 * Returns the tags to offer for a typed text: those that begin with it, the busiest first, then those with a later word
 * that does, then the likely ones. Without a text: the likely ones, then the busiest.
 */
export const suggestTags = (
  typed: string,
  {
    all,
    has,
    likely
  }: {
    /** The tags in use, the busiest first. */
    readonly all: ReadonlyArray<Counted>
    /** The tags that the link has already. */
    readonly has: ReadonlyArray<string>
    readonly likely: ReadonlyArray<string>
  }
): ReadonlyArray<TagSuggestion> => {
  const isPrivate = typed.trimStart().startsWith(".")
  const wanted = normalizeTag(typed)
  const bare = (name: string) => (name.startsWith(".") ? name.slice(1) : name)
  const taken = new Set(has)
  const open = all.filter(({ name }) => !taken.has(name) && (!isPrivate || name.startsWith(".")))
  const counts = new Map(all.map(({ count, name }) => [name, count]))
  const suited = likely
    .filter((name) => !taken.has(name) && !isPrivate)
    .map((name) => ({ name, count: counts.get(name) ?? 0 }))
    .slice(0, MOST.likely)
  const begins = open.filter(({ name }) => bare(name).startsWith(wanted)).slice(0, MOST.prefix)
  const found =
    wanted === ""
      ? isPrivate
        ? begins
        : [...suited, ...open.slice(0, MOST.busy)]
      : [
          ...begins,
          ...open.filter(({ name }) => name.includes(`-${wanted}`)).slice(0, MOST.inside),
          ...suited
        ]
  const byMeaning = new Set(likely)
  return [...new Map(found.map((one) => [one.name, one])).values()].map((one) => ({
    ...one,
    isLikely: byMeaning.has(one.name)
  }))
}
