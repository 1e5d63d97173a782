import { withoutPrivateTags } from "../shared/Tags.ts"

/** The descriptive fields of a link. */
export interface LinkDescription {
  readonly title: string
  readonly description: string
  readonly summary: string
  readonly tags: ReadonlyArray<string>
  readonly category: string
}

/** Returns a link's descriptive text: its title, its tags as words, and its summary or else the page's description. */
export const describedText = ({ description, summary, tags, title }: LinkDescription): string =>
  `${title}\n${tags.join(" ").replaceAll("-", " ")}\n${summary || description}`

/** Words too frequent or too vague to describe a group of links. */
const stopWords: ReadonlySet<string> = new Set(
  `a about above across after again against all allow along already also although always am among an and another any
  anything app application are around as at available back based basic be became because become been before behind being
  below best better between beyond both build building built but by can cannot com could create created creating
  custom did different do doe does doing done down during each easily easy either enable enough etc even ever every
  everything example fast feature few first for free friendly from full fully further general get give given go good
  great had has have having he help her here high him his home homepage how however html http https i if in include
  including into intro introduction is it item its itself just keep kind know large last latest less let like
  lightweight list little look lot made main make making many may me might minimal modern more most much multiple must
  my need new no nor not nothing now of off official offer on once one online only onto open or org other our out over
  own page part per perform platform please powerful project provide provided put quick quickly rather read real really
  s same second see set several she should show similar simple simply since single site small so software some
  something source still such support supported t take than thank that the their them then there these they thing
  this those three through time to together too tool toward try two under until up upon us use used useful user using
  various version very via want was way we web website well were what when where whether which while who whole whose
  why will with within without work working would write written www year yet you your
  com don end four five six seven eight nine ten framework implementation library package
  agpl apache apache2 bsd cc0 clause eupl gpl isc license licence lgpl mit mpl publicdomain unlicense wtfpl copyright
  cost day hour limit limited minute month monthly paid plan price pricing tier trial unlimited week`.split(
    /\s+/
  )
)

/** Matches a word: letters and digits, with the signs that are part of names: `C++`, `C#`, `Node.js`. */
const word = /[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}]|[.'’](?=[\p{L}\p{N}])|[+#])*/gu

/** Scripts written without spaces. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u
const segments = new Intl.Segmenter("zh", { granularity: "word" })

/** Maximum length of text read, in UTF-16 units: more of a text adds no useful word. */
const MOST_READ = 600

/** Ends a run of words: the words on either side of it do not form a phrase. */
const breaks = /[^\p{L}\p{M}\p{N}+#.'’ -]+|\.(?![\p{L}\p{N}])| - /gu

/** Returns a text's words as written, in the runs between punctuation. */
export const runsIn = (text: string): ReadonlyArray<ReadonlyArray<string>> =>
  text
    .slice(0, MOST_READ)
    .split(breaks)
    .map((run) => {
      const words = run.match(word) ?? []
      return unspaced.test(run)
        ? words.flatMap((one) => Array.from(segments.segment(one), (part) => part.segment))
        : words
    })

/** Returns a text's words as written. */
export const wordsIn = (text: string): ReadonlyArray<string> => runsIn(text).flat()

/** Stems a word: lower case, without an English plural or possessive ending. */
export const stem = (form: string): string => {
  const lower = form.toLowerCase().replace(/['’]s?$/, "")
  if (lower.length < 4 || !lower.endsWith("s") || /(?:ss|us|is)$/.test(lower)) return lower
  if (lower.length > 4 && lower.endsWith("ies")) return `${lower.slice(0, -3)}y`
  return /(?:ch|sh|x|ss|zz)es$/.test(lower) ? lower.slice(0, -2) : lower.slice(0, -1)
}

/** A number with a unit or an ending, such as `10k` or `2nd`; `3D` is a word. */
const quantity = /^\d+(?!d$)\p{L}{1,2}$/iu

/**
 * Whether a word can describe a group: not a stop word, a number, a quantity or a single Latin letter (except `C` and
 * `R`).
 */
export const isTelling = (form: string, stemmed: string): boolean =>
  !stopWords.has(stemmed) &&
  !stopWords.has(form.toLowerCase()) &&
  /\p{L}/u.test(form) &&
  !quantity.test(form) &&
  (stemmed.length > 1 || /^(?:[CR]|\p{Lo})$/u.test(form))

/** Drops private tags, because the names of collections are public. */
export const publicly = (described: LinkDescription): LinkDescription => ({
  ...described,
  tags: withoutPrivateTags(described.tags)
})
