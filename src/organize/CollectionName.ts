import { UNSORTED } from "../shared/Category.ts"
import { normalizeTag, withoutPrivateTags } from "../shared/Tags.ts"
import { firstCharacters } from "../shared/Text.ts"
import { LibraryWords } from "./LibraryWords.ts"
import { describedText, isTelling, type LinkDescription, publicly, runsIn, stem, wordsIn } from "./Words.ts"

/** Writes `recipe-management` as a title, each part capitalized; parts with capitals stay as they are. */
const titleCase = (text: string): string =>
  text
    .split(/[\s-]+/)
    .filter((part) => part !== "")
    .map((part) => (/\p{Lu}/u.test(part) ? part : part.replace(/^./u, (first) => first.toUpperCase())))
    .join(" ")

/** Exponent above 1, so that a word in most links outranks a rarer one in a few; matched the true names most often. */
const OFTEN = 1.3
/** Minimum share of a group's links with a word for the word to name the group alone, or together with one other. */
const ALONE = 0.6
const IN_TWO = 0.3
/** Minimum number of links with a word or phrase, and minimum share of a word's links that contain the phrase. */
const LEAST = 2
const TOGETHER = 0.4
const TOP_WORDS = 12
/** Words that share this many initial letters count as one root. */
const ROOT = 4

const add = <K>(counts: Map<K, number>, key: K, by: number) => counts.set(key, (counts.get(key) ?? 0) + by)

/** The words of a group of links: those that distinguish it from the rest of the library, and their spellings. */
class GroupWords {
  readonly #size: number
  /** The stems, most distinctive first, with the number of links that contain each. */
  readonly #telling: ReadonlyArray<readonly [stemmed: string, links: number]>
  /** How often each spelling of a stem occurs. */
  readonly #forms = new Map<string, Map<string, number>>()
  readonly #pairs = new Map<string, number>()

  constructor(links: ReadonlyArray<LinkDescription>, spread: Pick<LibraryWords, "links" | "of">) {
    this.#size = links.length
    const counts = new Map<string, number>()
    for (const link of links) {
      const stems = new Set<string>()
      const pairs = new Set<string>()
      for (const run of runsIn(describedText(link))) {
        let before = ""
        for (const form of run) {
          const stemmed = stem(form)
          const telling = isTelling(form, stemmed)
          if (telling) {
            stems.add(stemmed)
            this.#write(stemmed, form, 1)
            if (before !== "" && before !== stemmed) pairs.add(`${before} ${stemmed}`)
          }
          before = telling ? stemmed : ""
        }
      }
      // A title all in capitals does not show how a word is usually spelled.
      if (/\p{Ll}/u.test(link.title)) for (const form of wordsIn(link.title)) this.#write(stem(form), form, 2)
      for (const stemmed of stems) add(counts, stemmed, 1)
      for (const pair of pairs) add(this.#pairs, pair, 1)
    }
    const least = Math.min(LEAST, links.length)
    const weight = ([stemmed, many]: readonly [string, number]) =>
      many ** OFTEN * Math.log(1 + spread.links / Math.max(1, spread.of(stemmed)))
    const ranked = [...counts].sort((a, b) => weight(b) - weight(a) || (a[0] < b[0] ? -1 : 1))
    const common = ranked.filter(([, many]) => many >= least)
    this.#telling = (common.length === 0 ? ranked : common).slice(0, TOP_WORDS)
  }

  /** Returns the most distinctive words, in their usual spelling. */
  telling(): ReadonlyArray<string> {
    return this.#telling.map(([stemmed]) => this.#form(stemmed))
  }

  /** Returns names made of the most distinctive words, best first. */
  names(): ReadonlyArray<string> {
    const [first, ...others] = this.#telling
    if (first === undefined) return []
    const [second, third] = others.filter(([stemmed]) => !isKin(stemmed, first[0]))
    const [one = "", two, three] = [first, second, third].flatMap((word) =>
      word ? [this.#title(word[0])] : []
    )
    const phrase = this.#phrase(first)
    const pair = two === undefined ? [] : [`${one} & ${two}`]
    const all = three === undefined ? [] : [`${one}, ${two} & ${three}`]
    const share = first[1] / this.#size
    const words =
      share >= ALONE ? [one, ...pair, ...all] : share >= IN_TWO ? [...pair, ...all] : [...all, ...pair]
    return [...(phrase === undefined ? [] : [phrase]), ...words, one]
  }

  /**
   * Spells a tag or category as the group's links do: `Node.js` for `nodejs`, `Recipe Management` for
   * `recipe-management`.
   */
  asWritten(label: string): string {
    const wanted = normalizeTag(label)
    const [best] = [...this.#forms]
      .flatMap(([stemmed, ways]) => (stemmed[0] === wanted[0] ? [...ways] : []))
      .filter(([form]) => normalizeTag(form) === wanted)
      .sort((a, b) => b[1] - a[1])
    if (best !== undefined) return titleCase(best[0])
    return label
      .split(/[\s-]+/)
      .map((part) => (this.#forms.has(stem(part)) ? this.#cased(part) : titleCase(part)))
      .join(" ")
  }

  /** Returns the most frequent two-word phrase that includes the stem, if enough of the stem's links contain it. */
  #phrase([stemmed, many]: readonly [string, number]): string | undefined {
    const [best] = [...this.#pairs]
      .filter(
        ([pair, together]) =>
          together >= TOGETHER * many && together >= LEAST && pair.split(" ").includes(stemmed)
      )
      .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    return best?.[0]
      .split(" ")
      .map((part) => this.#title(part))
      .join(" ")
  }

  #title(stemmed: string): string {
    return titleCase(this.#form(stemmed))
  }

  /** Returns a stem's most frequent spelling. */
  #form(stemmed: string): string {
    const [best] = [...(this.#forms.get(stemmed) ?? [])].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    return best?.[0] ?? stemmed
  }

  #cased(part: string): string {
    const [best] = [...(this.#forms.get(stem(part)) ?? [])]
      .filter(([form]) => form.toLowerCase() === part)
      .sort((a, b) => b[1] - a[1])
    return titleCase(best?.[0] ?? part)
  }

  #write(stemmed: string, form: string, by: number): void {
    const ways = this.#forms.get(stemmed) ?? new Map<string, number>()
    add(ways, form, by)
    this.#forms.set(stemmed, ways)
  }
}

/** Whether two words share a root, like `log` and `logging`, so that both together say no more than either. */
const isKin = (a: string, b: string): boolean => {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a]
  return (
    short.length > 2 &&
    (long.startsWith(short.slice(0, ROOT)) || (short.length >= ROOT && long.includes(short)))
  )
}

const MAX_NAME = 60
/** Share of a group that must have a category, or a tag, in common for it to name the group. */
const CATEGORY_SHARE = 0.6
const TAG_SHARE = 0.5
/**
 * Minimum share of a category's or tag's links that must be in the group for it to rank above names made of words; a
 * more widespread one ranks below them.
 */
const OWN_SHARE = 0.25

const count = (counts: Map<string, number>, value: string) => counts.set(value, (counts.get(value) ?? 0) + 1)

/** Names groups of links by what distinguishes them from the rest of the library. */
export class CollectionNamer {
  readonly #words: Pick<LibraryWords, "links" | "of">
  readonly #tags = new Map<string, number>()
  readonly #categories = new Map<string, number>()

  /** `words` counts the words of the links that are added here. */
  constructor(words: Pick<LibraryWords, "links" | "of">) {
    this.#words = words
  }

  /** Adds a link of the library to the counts of its tags and categories. */
  add(described: Pick<LinkDescription, "tags" | "category">): void {
    for (const tag of new Set(withoutPrivateTags(described.tags))) count(this.#tags, tag)
    count(this.#categories, described.category)
  }

  /**
   * Returns a name for a group of links, at most 60 characters and not in `taken` (ignoring case): the category that
   * most of its links share, else a tag, else its most distinctive words by class-based TF-IDF (Grootendorst 2022).
   */
  name(group: ReadonlyArray<LinkDescription>, taken: ReadonlyArray<string>): string {
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
    return freeName(names.length === 0 ? ["Links"] : names, words.telling(), taken)
  }

  /**
   * Returns the values that at least `share` of the links have, most distinctive first: those specific to the group,
   * and the widespread ones.
   */
  #shared(
    links: ReadonlyArray<LinkDescription>,
    spread: ReadonlyMap<string, number>,
    share: number,
    valuesOf: (link: LinkDescription) => ReadonlyArray<string>
  ): { readonly own: ReadonlyArray<string>; readonly broad: ReadonlyArray<string> } {
    const counts = new Map<string, number>()
    for (const link of links) for (const value of new Set(valuesOf(link))) count(counts, value)
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

/** Creates a namer for groups of these links, given by id. */
export const collectionNamer = (links: Iterable<LinkDescription & { readonly id: number }>) => {
  const words = new LibraryWords()
  const namer = new CollectionNamer(words)
  const byId = new Map<number, LinkDescription>()
  for (const link of links) {
    words.add(link.id, link)
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

const inWholeWords = (name: string): string => {
  if (name.length <= MAX_NAME) return name
  const whole = name.slice(0, MAX_NAME + 1).replace(/\s+\S*$/u, "")
  return whole.length <= MAX_NAME ? whole : firstCharacters(name, MAX_NAME)
}

/** Returns the first name that is not taken, else the first with a distinctive word added, else with a number. */
const freeName = (
  names: ReadonlyArray<string>,
  words: ReadonlyArray<string>,
  taken: ReadonlyArray<string>
): string => {
  const used = new Set(taken.map((name) => name.toLowerCase()))
  const [first = "Links"] = names
  const apart = words.filter((one) => !first.toLowerCase().includes(one.toLowerCase()))
  const candidates = [...names, ...apart.map((one) => `${first}: ${titleCase(one)}`)].map(inWholeWords)
  const free = candidates.find((name) => name !== "" && !used.has(name.toLowerCase()))
  if (free !== undefined) return free
  for (let number = 2; ; number++) {
    const numbered = `${firstCharacters(first, MAX_NAME - 8).trimEnd()} ${number}`
    if (!used.has(numbered.toLowerCase())) return numbered
  }
}
