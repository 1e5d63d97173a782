import { UNSORTED } from "../shared/Category.ts"
import { ownName, stepsOf } from "../shared/CollectionPath.ts"
import { MAX_PROPOSED_NAME } from "../shared/Limits.ts"
import { withoutPrivateTags } from "../shared/Tags.ts"
import { firstCharacters } from "../shared/Text.ts"
import { add, GroupWords, titleCase } from "./GroupWords.ts"
import type { LibraryWords } from "./LibraryWords.ts"
import { type LinkDescription, publicly, stem, wordsIn } from "./Words.ts"

/** Share of a group that must have a category, or a tag, in common for it to name the group. */
const CATEGORY_SHARE = 0.6
const TAG_SHARE = 0.5
/** Minimum share of a category's or tag's links that must be in the group for it to rank above names made of words. */
const OWN_SHARE = 0.25

export class CollectionNamer {
  readonly #words: Pick<LibraryWords, "links" | "of">
  readonly #tags = new Map<string, number>()
  readonly #categories = new Map<string, number>()

  constructor(words: Pick<LibraryWords, "links" | "of">) {
    this.#words = words
  }

  add(described: Pick<LinkDescription, "tags" | "category">): void {
    for (const tag of new Set(withoutPrivateTags(described.tags))) add(this.#tags, tag, 1)
    add(this.#categories, described.category, 1)
  }

  /**
   * At most 60 characters: the shared category, else a tag, else distinctive words (class-based TF-IDF, Grootendorst
   * 2022).
   */
  name(group: ReadonlyArray<LinkDescription>, taken: TakenNames): string {
    const links = group.map(publicly)
    const words = new GroupWords(links, this.#words)
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
    return taken.take(names, words.telling())
  }

  #shared(
    links: ReadonlyArray<LinkDescription>,
    spread: ReadonlyMap<string, number>,
    share: number,
    valuesOf: (link: LinkDescription) => ReadonlyArray<string>
  ): { readonly own: ReadonlyArray<string>; readonly broad: ReadonlyArray<string> } {
    const counts = new Map<string, number>()
    for (const link of links) for (const value of new Set(valuesOf(link))) add(counts, value, 1)
    const everywhere = (value: string) => spread.get(value) ?? 1
    const shared = [...counts]
      .filter(([, many]) => many >= share * links.length)
      .map(([value, many]) => ({
        value,
        weight: many * Math.log(1 + this.#words.links / everywhere(value)),
        isOwn: many >= OWN_SHARE * everywhere(value)
      }))
      .sort((a, b) => b.weight - a.weight || (a.value < b.value ? -1 : 1))
    const valuesWhere = (isOwn: boolean) =>
      shared.filter((one) => one.isOwn === isOwn).map(({ value }) => value)
    return { own: valuesWhere(true), broad: valuesWhere(false) }
  }
}

const inWholeWords = (name: string): string => {
  if (name.length <= MAX_PROPOSED_NAME) return name
  const whole = name.slice(0, MAX_PROPOSED_NAME + 1).replace(/\s+\S*$/u, "")
  return whole.length <= MAX_PROPOSED_NAME ? whole : firstCharacters(name, MAX_PROPOSED_NAME)
}

/** Names of two collections should not differ in case, word order, plurals and punctuation alone. */
const keyOf = (name: string): string => wordsIn(name).map(stem).sort().join(" ") || name.toLowerCase()

/** Names in use, nested collections included; a new collection gets another one. */
export class TakenNames {
  readonly #keys = new Set<string>()

  constructor(paths: Iterable<string> = []) {
    for (const path of paths) {
      this.#keys.add(keyOf(path))
      this.#keys.add(keyOf(ownName(path)))
    }
  }

  /** Takes the first free name, else one with an added word or a number; at most 60 characters, and never a path. */
  take(names: ReadonlyArray<string>, words: ReadonlyArray<string> = []): string {
    const name = this.#free(names, words)
    this.#keys.add(keyOf(name))
    return name
  }

  #free(names: ReadonlyArray<string>, words: ReadonlyArray<string>): string {
    const flat = names.map((name) => stepsOf(name).join(" ").trim()).filter((name) => name !== "")
    const usable = flat.length === 0 ? ["Links"] : flat
    const [first = "Links"] = usable
    const apart = words.filter((one) => !first.toLowerCase().includes(one.toLowerCase()))
    const candidates = [...usable, ...apart.map((one) => `${first}: ${titleCase(one)}`)].map(inWholeWords)
    const free = candidates.find((name) => name !== "" && !this.#keys.has(keyOf(name)))
    if (free !== undefined) return free
    for (let number = 2; ; number++) {
      const numbered = `${firstCharacters(first, MAX_PROPOSED_NAME - 8).trimEnd()} ${number}`
      if (!this.#keys.has(keyOf(numbered))) return numbered
    }
  }
}
