import { normalizeTag } from "../shared/Tags.ts"
import type { LibraryWords } from "./LibraryWords.ts"
import { describedText, isTelling, type LinkDescription, runsIn, stem, wordsIn } from "./Words.ts"

/** Writes `recipe-management` as a title, each part capitalized; parts with capitals stay as they are. */
export const titleCase = (text: string): string =>
  text
    .split(/[\s-]+/)
    .filter((part) => part !== "")
    .map((part) => (/\p{Lu}/u.test(part) ? part : part.replace(/^./u, (first) => first.toUpperCase())))
    .join(" ")

/** A word late in a description counts as a share of a link; these numbers matched the true names most often. */
const BEGINNING = [1, 10] as const
const LATER = 0.5
/** Exponent above 1, so that a word in most links outranks a rarer one in a few; matched the true names most often. */
const OFTEN = 1.3
const ALONE = 0.6
const IN_TWO = 0.3
/** A word names a group by itself only if at least this share of the links with the word is in the group. */
const OWN = 0.15
const LEAST = 2
/** Minimum share of a word's links that contain a phrase for the phrase to replace it, and to replace a vague word. */
const TOGETHER = 0.5
const TOGETHER_VAGUE = 0.25
/** How much a phrase counts whose last word mostly precedes another one: it may be a part of a longer one. */
const UNFINISHED = 0.6
const TOP_WORDS = 12
const ROOT = 4
/** A word describes others if at least this share of its occurrences precede another word. */
const DESCRIBING = 0.75
const MAYBE_DESCRIBING = 0.4
const DESCRIBING_LEAST = 3

/**
 * Words that need another one, as in `game engine`: nouns for a form, a part, a role or a quality of anything, and
 * words whose links are about everything (`bun test/bench/filing/spread.ts`). Languages, platforms and words that are a
 * topic elsewhere are left out.
 */
const vagueWords: ReadonlySet<string> = new Set(
  `access account activity add admin advanced alternative analysis architecture area aspect auto automate automated
  automatic automatically backend beautiful binary binding boilerplate capability case category change class
  client code collaborative collection common community company compatible complete complex compliant component
  comprehensive concept concurrent configurable control convert core cross customer customizable data deploy
  designed desktop detect detection dev developer development device directly download driven drop dynamic editing
  efficient element engine enterprise entity experience export extensible extension faster featured field file
  filtering find flexible focus focused fork format frontend function functionality generate generating generation
  generator grade group handle handler help helper highly host hosted human included info information
  infrastructure input inspired install instance instant integrate integration interactive interface intuitive
  item kit layer level line live local location low manage management manager managing mechanism metadata method
  micro minimalist mode model module multi name native node non number object offering operation optimized option
  optional organization output page parsing part path pattern people performance person personal place platform
  pluggable plugin popular port powered practice preview private problem process processing product production
  program project provider providing public publish pure quality ready realtime record reference remote
  replacement repo report resource result rich robust role rule run running runtime safe sample scalable script
  section secure self send series server service session set setting setup share side size solution space speed
  stack standard state step structure stuff style subject suite support supporting sync syntax system technique
  technology term text thing tiny tip toolkit top topic track tracking traffic turn type unified unit update usage
  user utility value version view word world zero`.split(/\s+/)
)

/** Endings of words that describe others: `hosted`, `renewable`. */
const describingEnding = /^\p{L}{3,}(?:ed|able|ible|ful|less|ous)$/u
/** Endings of words that describe others, and of nouns: `native` and `archive`, `federal` and `journal`. */
const maybeDescribingEnding = /^\p{L}{2,}(?:al|ive|ic|ent|ant|ary)$/u
/** Endings of words that end no phrase: `compatible`, `locally`. */
const unfinishedEnding = /(?:ible|ful|less|ous|[^bi]ly)$/u
/** A spelling with a capital after the first letter, as in `GTFS` and `SQLite`, probably deliberate. */
const carefulSpelling = /^.+\p{Lu}/u
const CAREFUL = 0.2

const handles = /(?<![\p{L}\p{N}])@[\p{L}\p{N}_.-]+/gu
/** The owner of a repository at the beginning of a title, before the repository's name. */
const owner = /^(?:GitHub - )?[\p{L}\p{N}_.-]+\/(?=[\p{L}\p{N}_.-]+(?:$|:|\s))/u
const hostAlone = /^[\p{Ll}\p{N}-]+(?:\.[\p{Ll}\p{N}-]+)+$/u

const withoutHandles = (link: LinkDescription): LinkDescription => ({
  ...link,
  title: hostAlone.test(link.title) ? "" : link.title.replace(owner, "").replace(handles, " "),
  description: link.description.replace(handles, " "),
  summary: link.summary.replace(handles, " ")
})

const topicWords = ({ description, summary, tags, title }: LinkDescription): ReadonlySet<string> =>
  new Set(
    [
      ...wordsIn(`${title}\n${tags.join(" ").replaceAll("-", " ")}`),
      ...wordsIn(summary || description).slice(...BEGINNING)
    ].map(stem)
  )

export const add = <K>(counts: Map<K, number>, key: K, by: number) =>
  counts.set(key, (counts.get(key) ?? 0) + by)

interface GroupWord {
  readonly stemmed: string
  readonly many: number
}

export class GroupWords {
  readonly #size: number
  readonly #library: Pick<LibraryWords, "links" | "of">
  readonly #telling: ReadonlyArray<GroupWord>
  readonly #forms = new Map<string, Map<string, number>>()
  readonly #pairs = new Map<string, number>()
  readonly #occurrences = new Map<string, number>()
  readonly #before = new Map<string, number>()

  constructor(links: ReadonlyArray<LinkDescription>, library: Pick<LibraryWords, "links" | "of">) {
    this.#size = links.length
    this.#library = library
    const counts = new Map<string, number>()
    const shares = new Map<string, number>()
    for (const link of links.map(withoutHandles)) {
      const { pairs, stems } = this.#read(describedText(link))
      // A title all in capitals does not show how a word is usually spelled.
      if (/\p{Ll}/u.test(link.title)) for (const form of wordsIn(link.title)) this.#write(stem(form), form, 2)
      const topic = topicWords(link)
      for (const stemmed of stems) {
        add(counts, stemmed, 1)
        add(shares, stemmed, topic.has(stemmed) ? 1 : LATER)
      }
      for (const pair of pairs) add(this.#pairs, pair, 1)
    }
    const ranked = Array.from(counts, ([stemmed, many]) => ({
      stemmed,
      many,
      weight:
        (shares.get(stemmed) ?? 0) ** OFTEN * Math.log(1 + library.links / Math.max(1, library.of(stemmed)))
    })).sort((a, b) => b.weight - a.weight || (a.stemmed < b.stemmed ? -1 : 1))
    const common = ranked.filter(({ many }) => many >= Math.min(LEAST, links.length))
    this.#telling = (common.length === 0 ? ranked : common).slice(0, TOP_WORDS)
  }

  telling(): ReadonlyArray<string> {
    return [...new Set([...this.#clear(), ...this.#telling])].map(({ stemmed }) => this.#form(stemmed))
  }

  /** Best first: a phrase with the first word, the first word that says enough alone, or two or three words. */
  names(): ReadonlyArray<string> {
    const [first] = this.#telling
    if (first === undefined) return []
    const [lead = first, ...others] = this.#clear()
    const [second, third] = others.filter(({ stemmed }) => !isKin(stemmed, lead.stemmed))
    const [one = "", two, three] = [lead, second, third].flatMap((word) =>
      word ? [this.#title(word.stemmed)] : []
    )
    const phrase = this.#phrase(first) ?? (lead === first ? undefined : this.#phrase(lead))
    const pair = two === undefined ? [] : [`${one} & ${two}`]
    const all = three === undefined ? [] : [`${one}, ${two} & ${three}`]
    const share = lead.many / this.#size
    const words =
      share >= ALONE && this.#isOwn(lead)
        ? [one, ...pair, ...all]
        : share >= IN_TWO
          ? [...pair, ...all]
          : [...all, ...pair]
    return [...(phrase === undefined ? [] : [phrase]), ...words, one]
  }

  /** Spells a label as the links do: `Node.js` for `nodejs`, `Recipe Management` for `recipe-management`. */
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

  #read(text: string): { readonly stems: ReadonlySet<string>; readonly pairs: ReadonlySet<string> } {
    const stems = new Set<string>()
    const pairs = new Set<string>()
    for (const run of runsIn(text)) {
      let before = ""
      for (const form of run) {
        const stemmed = stem(form)
        const telling = isTelling(form, stemmed)
        if (telling) {
          stems.add(stemmed)
          this.#write(stemmed, form, 1)
          add(this.#occurrences, stemmed, 1)
          if (before !== "" && before !== stemmed) {
            pairs.add(`${before} ${stemmed}`)
            add(this.#before, before, 1)
          }
        }
        before = telling ? stemmed : ""
      }
    }
    return { stems, pairs }
  }

  #isOwn({ many, stemmed }: GroupWord): boolean {
    return many >= OWN * this.#library.of(stemmed)
  }

  #clear(): ReadonlyArray<GroupWord> {
    return this.#telling.filter((word) => !this.#isVague(word))
  }

  #isVague({ stemmed }: GroupWord): boolean {
    return (
      vagueWords.has(stemmed) ||
      describingEnding.test(stemmed) ||
      this.#describes(stemmed, maybeDescribingEnding.test(stemmed) ? MAYBE_DESCRIBING : DESCRIBING)
    )
  }

  #describes(stemmed: string, share: number): boolean {
    const times = this.#occurrences.get(stemmed) ?? 0
    return times >= DESCRIBING_LEAST && (this.#before.get(stemmed) ?? 0) >= share * times
  }

  /** Returns the most frequent two-word phrase that includes the word, if enough of the word's links contain it. */
  #phrase(word: GroupWord): string | undefined {
    const needsMore = this.#isVague(word) || !this.#isOwn(word)
    const least = Math.max(LEAST, (needsMore ? TOGETHER_VAGUE : TOGETHER) * word.many)
    const [best] = [...this.#pairs]
      .filter(([pair, together]) => together >= least && pair.split(" ").includes(word.stemmed))
      .flatMap(([pair, together]): ReadonlyArray<readonly [pair: string, weight: number]> => {
        const [, last = ""] = pair.split(" ")
        if (unfinishedEnding.test(last)) return []
        return [[pair, this.#describes(last, DESCRIBING) ? UNFINISHED * together : together]]
      })
      .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    return best?.[0]
      .split(" ")
      .map((part) => this.#title(part))
      .join(" ")
  }

  #title(stemmed: string): string {
    return titleCase(this.#form(stemmed))
  }

  #form(stemmed: string): string {
    const ways = [...(this.#forms.get(stemmed) ?? [])].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    const least = CAREFUL * ways.reduce((sum, [, times]) => sum + times, 0)
    const careful = ways.find(([form, times]) => times >= least && carefulSpelling.test(form))
    return careful?.[0] ?? ways[0]?.[0] ?? stemmed
  }

  #cased(part: string): string {
    const [best] = [...(this.#forms.get(stem(part)) ?? [])]
      .filter(([form]) => form.toLowerCase() === part)
      .sort((a, b) => b[1] - a[1])
    return titleCase(best?.[0] ?? part)
  }

  #write(stemmed: string, form: string, by: number): void {
    const ways = this.#forms.get(stemmed) ?? new Map<string, number>()
    add(ways, form.replace(/['’]s?$/, ""), by)
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
