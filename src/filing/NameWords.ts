/** Words too frequent, or too vague of any page, to tell what a group of links is about. */
const stopWords: ReadonlySet<string> = new Set(
  `a about above across after again against all allow along already also although always am among an and another any
  anything app application around as at available back based basic be became because become been before behind being
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
  com don end framework implementation library package
  agpl apache apache2 bsd clause gpl license licence lgpl mit copyright
  cost day hour limit limited minute month monthly paid plan price pricing tier trial unlimited week`.split(
    /\s+/
  )
)

/** Words are of letters and digits, with the signs that are part of names: `C++`, `C#`, `Node.js`. */
const word = /[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}]|[.'’](?=[\p{L}\p{N}])|[+#])*/gu

/** Scripts that are written without spaces. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u
const segments = new Intl.Segmenter("zh", { granularity: "word" })

/** More of a text than this adds no word that matters, in UTF-16 units. */
const MOST_READ = 600

/** What ends a run of words: two words on both sides of it are no phrase. */
const breaks = /[^\p{L}\p{M}\p{N}+#.'’ -]+|\.(?![\p{L}\p{N}])| - /gu

/** The words of a text as they are written there, by the runs that punctuation leaves. */
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

/** The words of a text as they are written there. */
export const wordsIn = (text: string): ReadonlyArray<string> => runsIn(text).flat()

/** What the forms of a word have in common: lower case, without an English plural or a possessive. */
export const stem = (form: string): string => {
  const lower = form.toLowerCase().replace(/['’]s?$/, "")
  if (lower.length < 4 || !lower.endsWith("s") || /(?:ss|us|is)$/.test(lower)) return lower
  if (lower.length > 4 && lower.endsWith("ies")) return `${lower.slice(0, -3)}y`
  return /(?:ch|sh|x|ss|zz)es$/.test(lower) ? lower.slice(0, -2) : lower.slice(0, -1)
}

/** Whether a word could say what a group is about: neither common nor a number nor a single Latin letter (but `C` and `R`). */
export const isTelling = (form: string, stemmed: string): boolean =>
  !stopWords.has(stemmed) &&
  !stopWords.has(form.toLowerCase()) &&
  /\p{L}/u.test(form) &&
  (stemmed.length > 1 || /^(?:[CR]|\p{Lo})$/u.test(form))

/** `recipe-management` as people write a name: capitals at the beginnings; what has capitals of its own keeps them. */
export const titleCase = (text: string): string =>
  text
    .split(/[\s-]+/)
    .filter((part) => part !== "")
    .map((part) => (/\p{Lu}/u.test(part) ? part : part.replace(/^./u, (first) => first.toUpperCase())))
    .join(" ")
