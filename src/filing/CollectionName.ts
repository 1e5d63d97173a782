import { UNSORTED } from "../domain/Category.ts"
import { firstCharacters } from "../domain/Label.ts"
import { withoutPrivateTags } from "../domain/Tags.ts"
import { type Described, describedText } from "./Described.ts"
import { GroupWords } from "./GroupWords.ts"
import { isTelling, stem, titleCase, wordsIn } from "./NameWords.ts"

const MAX_NAME = 60
/** The share of a group that must have a category, or a tag, in common for it to give its name. */
const CATEGORY_SHARE = 0.6
const TAG_SHARE = 0.5
/** A category or a tag names a group only if this share of its links is in it: the name of all is nobody's. */
const OWN_SHARE = 0.25

const count = (counts: Map<string, number>, value: string) => counts.set(value, (counts.get(value) ?? 0) + 1)

/** Private tags name nothing, because the names of collections are public. */
const publicly = (described: Described): Described => ({
  ...described,
  tags: withoutPrivateTags(described.tags)
})

/** Names groups of links by what they share and the rest of the library does not. */
export class CollectionNamer {
  #links = 0
  readonly #words = new Map<string, number>()
  readonly #tags = new Map<string, number>()
  readonly #categories = new Map<string, number>()

  /** Counts a link of the library. */
  add(described: Described): void {
    const link = publicly(described)
    this.#links++
    const stems = new Set<string>()
    for (const form of wordsIn(describedText(link))) {
      const stemmed = stem(form)
      if (isTelling(form, stemmed)) stems.add(stemmed)
    }
    for (const stemmed of stems) count(this.#words, stemmed)
    for (const tag of new Set(link.tags)) count(this.#tags, tag)
    count(this.#categories, link.category)
  }

  /**
   * A name for the group of links, at most 60 characters, that none of `taken` has (whatever their case): the category most of its
   * links share, else a tag, else its most telling words by class-based TF-IDF (Grootendorst 2022).
   */
  name(group: ReadonlyArray<Described>, taken: ReadonlyArray<string>): string {
    const links = group.map(publicly)
    const words = new GroupWords(links, {
      links: this.#links,
      of: (stemmed) => this.#words.get(stemmed) ?? 1
    })
    const category = this.#shared(links, this.#categories, CATEGORY_SHARE, (link) =>
      link.category === UNSORTED ? [] : [link.category]
    )
    const tag = this.#shared(links, this.#tags, TAG_SHARE, (link) => link.tags)
    const written = (value: string) => words.asWritten(value)
    const names = [
      ...category.own.map(written),
      ...tag.own.map(written),
      ...words.names(),
      ...category.broad.map(written),
      ...tag.broad.map(written)
    ]
    return freeName(names.length === 0 ? ["Links"] : names, words.telling(), taken)
  }

  /** The values that enough of the links have, the most telling first: those that are the group's own, and the others. */
  #shared(
    links: ReadonlyArray<Described>,
    spread: ReadonlyMap<string, number>,
    share: number,
    valuesOf: (link: Described) => ReadonlyArray<string>
  ): { readonly own: ReadonlyArray<string>; readonly broad: ReadonlyArray<string> } {
    const counts = new Map<string, number>()
    for (const link of links) for (const value of new Set(valuesOf(link))) count(counts, value)
    const everywhere = (value: string) => spread.get(value) ?? 1
    const shared = [...counts]
      .filter(([, many]) => many >= share * links.length)
      .map(([value, many]) => ({
        value,
        weight: many * Math.log(1 + this.#links / everywhere(value)),
        isOwn: many >= OWN_SHARE * everywhere(value)
      }))
      .sort((a, b) => b.weight - a.weight || (a.value < b.value ? -1 : 1))
    const those = (isOwn: boolean) => shared.filter((one) => one.isOwn === isOwn).map(({ value }) => value)
    return { own: those(true), broad: those(false) }
  }
}

/** Names groups of these links, by their numbers. */
export const collectionNamer = (links: Iterable<Described & { readonly id: number }>) => {
  const namer = new CollectionNamer()
  const byId = new Map<number, Described>()
  for (const link of links) {
    namer.add(link)
    byId.set(link.id, link)
  }
  return {
    name: (group: ReadonlyArray<number>, taken: ReadonlyArray<string>): string =>
      namer.name(
        group.flatMap((id) => byId.get(id) ?? []),
        taken
      )
  }
}

const fitting = (name: string): string => {
  if (name.length <= MAX_NAME) return name
  const whole = name.slice(0, MAX_NAME + 1).replace(/\s+\S*$/u, "")
  return whole.length <= MAX_NAME ? whole : firstCharacters(name, MAX_NAME)
}

/** The first of the names that is not taken, else the first with a telling word added to it, else with a number. */
const freeName = (
  names: ReadonlyArray<string>,
  words: ReadonlyArray<string>,
  taken: ReadonlyArray<string>
): string => {
  const used = new Set(taken.map((name) => name.toLowerCase()))
  const [first = "Links"] = names
  const apart = words.filter((one) => !first.toLowerCase().includes(one.toLowerCase()))
  const candidates = [...names, ...apart.map((one) => `${first}: ${titleCase(one)}`)].map(fitting)
  const free = candidates.find((name) => name !== "" && !used.has(name.toLowerCase()))
  if (free !== undefined) return free
  for (let number = 2; ; number++) {
    const numbered = `${firstCharacters(first, MAX_NAME - 8).trimEnd()} ${number}`
    if (!used.has(numbered.toLowerCase())) return numbered
  }
}
