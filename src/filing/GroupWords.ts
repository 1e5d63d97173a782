import { normalizeTag } from "../domain/Tags.ts"
import { type Described, describedText } from "./Described.ts"
import { isTelling, runsIn, stem, titleCase, wordsIn } from "./NameWords.ts"

/** In how many links of the library a word stands, and how many links there are. */
export interface Spread {
  readonly links: number
  readonly of: (stemmed: string) => number
}

/** More than 1, so that a word of most of a group comes before a rarer one of a few: it met the true names most often. */
const OFTEN = 1.3
/** A word of this share of a group names it alone, and one of the lesser share with one other. */
const ALONE = 0.6
const IN_TWO = 0.3
/** How many links must have a word, and two words in a row as a share of the first one's. */
const LEAST = 2
const TOGETHER = 0.4
const TOP_WORDS = 12
/** Words that begin with the same letters, so many of them, are taken for one root. */
const ROOT = 4

const add = <K>(counts: Map<K, number>, key: K, by: number) => counts.set(key, (counts.get(key) ?? 0) + by)

/** The words of a group of links: which tell it from the rest of the library, and how they are written. */
export class GroupWords {
  readonly #size: number
  /** The stems, the most telling first, with the links that have each. */
  readonly #telling: ReadonlyArray<readonly [stemmed: string, links: number]>
  /** How often a stem is written in each way. */
  readonly #forms = new Map<string, Map<string, number>>()
  readonly #pairs = new Map<string, number>()

  constructor(links: ReadonlyArray<Described>, spread: Spread) {
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
      // A title in capitals alone says nothing of how a word is written.
      if (/\p{Ll}/u.test(link.title)) for (const form of wordsIn(link.title)) this.#write(stem(form), form, 2)
      for (const stemmed of stems) add(counts, stemmed, 1)
      for (const pair of pairs) add(this.#pairs, pair, 1)
    }
    const least = Math.min(LEAST, links.length)
    const weight = ([stemmed, many]: readonly [string, number]) =>
      many ** OFTEN * Math.log(1 + spread.links / spread.of(stemmed))
    const ranked = [...counts].sort((a, b) => weight(b) - weight(a) || (a[0] < b[0] ? -1 : 1))
    const common = ranked.filter(([, many]) => many >= least)
    this.#telling = (common.length === 0 ? ranked : common).slice(0, TOP_WORDS)
  }

  /** The most telling words, as they are written. */
  telling(): ReadonlyArray<string> {
    return this.#telling.map(([stemmed]) => this.#form(stemmed))
  }

  /** Names made of the most telling words, the best first. */
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

  /** A tag or a category as the group's links write it: `nodejs` is `Node.js` and `recipe-management` `Recipe Management`. */
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

  /** Two words in a row that stand for the first word as often as not. */
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

  /** The way a stem is written most often. */
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

/** Whether two words are of one root, as `log` and `logging`: together they say no more than either. */
const isKin = (a: string, b: string): boolean => {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a]
  return (
    short.length > 2 &&
    (long.startsWith(short.slice(0, ROOT)) || (short.length >= ROOT && long.includes(short)))
  )
}
