import { singular, stopWords } from "../domain/English.ts"
import { lazily } from "../shared/Lazily.ts"
import { withoutPrivateTags } from "../shared/Tags.ts"

export interface LinkDescription {
  readonly title: string
  readonly description: string
  readonly summary: string
  readonly tags: ReadonlyArray<string>
  readonly category: string
}

/** Title, tags as words, and the summary or else the page's description. */
export const describedText = ({ description, summary, tags, title }: LinkDescription): string =>
  `${title}\n${tags.join(" ").replaceAll("-", " ")}\n${summary || description}`

const commonWords: ReadonlySet<string> = new Set([
  ...stopWords,
  ...`across allow along already although always among another anything app application around available back
  based basic became become behind best better beyond build building built cannot com create created
  creating custom different easily easy either enable enough even ever everything example fast feature few
  first free friendly full fully general get give given go good great help high home homepage however html
  http https include including intro introduction item itself keep kind know large last latest less let like
  lightweight list little look lot made main make making many minimal modern much multiple need new nothing
  now official offer one online onto open org page part perform platform please powerful project provide
  provided put quick quickly rather read real really second see set several show similar simple simply since
  single site small software something source still support supported take thank thing three time together
  tool toward try two until upon useful user various version want way web website well whether whole within
  without work working write written www year yet com end four five six seven eight nine ten framework
  implementation library package agpl apache apache2 bsd cc0 clause eupl gpl isc license licence lgpl mit mpl
  publicdomain unlicense wtfpl copyright cost day hour limit limited minute month monthly paid plan price
  pricing tier trial unlimited week`.split(/\s+/)
])

/** Matches a word: letters and digits, with the signs that are part of names: `C++`, `C#`, `Node.js`. */
const word = /[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}]|[.'’](?=[\p{L}\p{N}])|[+#])*/gu

const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u
const segments = lazily(() => new Intl.Segmenter("zh", { granularity: "word" }))

/** In UTF-16 units: more of a text adds no useful word. */
const MOST_READ = 600

/** Ends a run of words: the words on either side of it do not form a phrase. */
const breaks = /[^\p{L}\p{M}\p{N}+#.'’ -]+|\.(?![\p{L}\p{N}])| - /gu

export const runsIn = (text: string): ReadonlyArray<ReadonlyArray<string>> =>
  text
    .slice(0, MOST_READ)
    .split(breaks)
    .map((run) => {
      const words = run.match(word) ?? []
      return unspaced.test(run)
        ? words.flatMap((one) => Array.from(segments().segment(one), (part) => part.segment))
        : words
    })

export const wordsIn = (text: string): ReadonlyArray<string> => runsIn(text).flat()

/** In lower case, without an English plural or possessive ending. */
export const stem = (form: string): string => {
  const lower = form.toLowerCase().replace(/['’]s?$/, "")
  // "sizes", which `singular` shortens to "siz".
  return /[^z]zes$/.test(lower) ? lower.slice(0, -1) : singular(lower)
}

/** A number with a unit or an ending, such as `10k` or `2nd`; `3D` is a word. */
const quantity = /^\d+(?!d$)\p{L}{1,2}$/iu

export const isTelling = (form: string, stemmed: string): boolean =>
  !commonWords.has(stemmed) &&
  !commonWords.has(form.toLowerCase()) &&
  /\p{L}/u.test(form) &&
  !quantity.test(form) &&
  (stemmed.length > 1 || /^(?:[CR]|\p{Lo})$/u.test(form))

/** The names of collections are public. */
export const publicly = (described: LinkDescription): LinkDescription => ({
  ...described,
  tags: withoutPrivateTags(described.tags)
})
