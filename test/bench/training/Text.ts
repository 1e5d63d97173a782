/** A heading and a paragraph under it, a title and its description, or a word and its gloss. */
export interface Pair {
  readonly heading: string
  readonly text: string
  /** Whether it is a list entry: the title and description of a link. */
  readonly isEntry: boolean
  readonly isGloss: boolean
}

const SHORTEST_KNOWN = 12

const letters = (text: string): string =>
  text
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu)
    ?.join(" ") ?? ""

/** Returns a test for texts to exclude from training: the descriptions of links that the embedder is measured on. */
export const known = async (files: ReadonlyArray<string>): Promise<(text: string) => boolean> => {
  const texts = new Set<string>()
  for (const file of files)
    for (const line of (await Bun.file(file).text()).split("\n")) {
      if (line.trim() === "") continue
      const { description = "", title = "" }: { description?: string; title?: string } = JSON.parse(line)
      for (const text of [description, `${title} ${description}`].map(letters))
        if (text.length >= SHORTEST_KNOWN) texts.add(text)
    }
  return (text) => texts.has(letters(text))
}

/** The pairs of `pairs.tsv.gz` without excluded texts. */
export const readPairs = async (
  folder: string,
  isKnown: (text: string) => boolean
): Promise<ReadonlyArray<Pair>> => {
  const file = await Bun.file(`${folder}/pairs.tsv.gz`).bytes()
  const lines = without(new TextDecoder().decode(Bun.gunzipSync(file)).split("\n"), pairsLeftOut)
  return lines.flatMap((line, at) => {
    const [heading = "", text = ""] = line.split("\t")
    if (text === "" || isKnown(text)) return []
    // A list entry follows the line with its section: "Section<tab>- Title - Description".
    const isEntry = (lines[at - 1] ?? "").split("\t")[1]?.startsWith(`- ${heading} - `) ?? false
    return [{ heading, text, isEntry, isGloss: heading.endsWith(",") }]
  })
}

/** The lines of `corpus.txt.xz` without excluded texts. Runs `xz`, because Bun cannot decompress it. */
export const readCorpus = (folder: string, isKnown: (text: string) => boolean): ReadonlyArray<string> => {
  const { exitCode, stdout } = Bun.spawnSync(["xz", "--decompress", "--stdout", `${folder}/corpus.txt.xz`])
  if (exitCode !== 0) throw new Error("xz could not unpack the corpus.")
  return without(new TextDecoder().decode(stdout).split("\n"), corpusLeftOut).filter((line) => !isKnown(line))
}

/** Ranges of lines: each from the first line that starts with `first` up to the next one that starts with `next`. */
const stretches = (text: string) =>
  text
    .trim()
    .split("\n")
    .map((line) => line.split(" ¦ "))
    .map(([source = "", first = "", next = ""]) => ({ source, first, next }))

/**
 * Sources in the text that must not be used for training. Three are lists that the embedder is measured on; the licenses of
 * two forbid it (PolyForm Noncommercial, AGPL). The text names no sources, so their first lines identify them.
 */
const pairsLeftOut = stretches(`
avelino/awesome-go ¦ Required links\tProvide the links below. Our CI ¦ Awesome Bash\tA curated list
bohdanbirdie/cloudstash ¦ Intent\t- [ ] This changes vision.md ¦ Contribution Guidelines\t- New categories, or improvements to the existing c
linkwarden/browser-extension ¦ Linkwarden Browser Extension Features\t ¦ Changesets\tChangesets are the release-intent ledger
sindresorhus/awesome-nodejs ¦ Contribution Guidelines\t- The submitted project should be more than 30 days ¦ normalize-url\tUseful when you need to display
vinta/awesome-python ¦ Audit the list\tAn Audit re-runs ¦ netscape-go - Parse and export bookmarks
`)

/** The same sources in the running text. */
const corpusLeftOut = stretches(`
avelino/awesome-go ¦ Provide the links below. Our CI ¦ A curated list of delightful Bash
bohdanbirdie/cloudstash ¦ This rolling PR promotes ¦ - Suggested tools should be tested and documented.
linkwarden/browser-extension ¦ The Official Browser Extension for Linkwarden. ¦ Changesets are the release-intent ledger
sindresorhus/awesome-nodejs ¦ - The submitted project should be more than 30 days ¦ Useful when you need to display, store
vinta/awesome-python ¦ Audit README.md sections against ¦ netscape-go provides a library to marshal
`)

/** The lines outside all ranges; throws if a range is missing, which means another text. */
const without = (lines: ReadonlyArray<string>, ranges: ReturnType<typeof stretches>) =>
  ranges.reduce((rest: ReadonlyArray<string>, { first, next, source }) => {
    const start = rest.findIndex((line) => line.startsWith(first))
    const end = rest.findIndex((line, at) => at > start && line.startsWith(next))
    if (start < 0 || end < 0) throw new Error(`The text of ${source} was not found, and must be left out.`)
    return [...rest.slice(0, start), ...rest.slice(end)]
  }, lines)

const LEAST_COUNT = 3
const LONG_NUMBER = /^\d{5,}$/

/** The trained words, most frequent first. */
interface Vocabulary {
  readonly words: ReadonlyArray<string>
  readonly counts: ReadonlyArray<number>
  readonly numberOf: ReadonlyMap<string, number>
}

const count = (texts: ReadonlyArray<ReadonlyArray<string>>): Map<string, number> => {
  const counts = new Map<string, number>()
  for (const text of texts) for (const word of text) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}

/** The words that occur three times in either set of texts, with their counts in the first set that contains them. */
export const vocabularyOf = (
  corpus: ReadonlyArray<ReadonlyArray<string>>,
  pairs: ReadonlyArray<ReadonlyArray<string>>
): Vocabulary => {
  const inCorpus = count(corpus)
  const inPairs = count(pairs)
  const kept = [...new Set([...inCorpus.keys(), ...inPairs.keys()])]
    .map((word) => ({ word, corpus: inCorpus.get(word) ?? 0, pairs: inPairs.get(word) ?? 0 }))
    .filter(({ corpus, pairs, word }) => Math.max(corpus, pairs) >= LEAST_COUNT && !LONG_NUMBER.test(word))
    .map(({ corpus, pairs, word }) => ({ word, count: corpus === 0 ? pairs : corpus }))
    .sort((a, b) => b.count - a.count || (a.word < b.word ? -1 : 1))
  const words = kept.map(({ word }) => word)
  return {
    words,
    counts: kept.map((one) => one.count),
    numberOf: new Map(words.map((word, number) => [word, number]))
  }
}

/** The numbers of a text's known words, at most `limit` of them. */
export const numbersOf = (
  { numberOf }: Vocabulary,
  words: ReadonlyArray<string>,
  limit = Number.POSITIVE_INFINITY
): Int32Array => {
  const found: Array<number> = []
  for (const word of words) {
    if (found.length >= limit) break
    const number = numberOf.get(word)
    if (number !== undefined) found.push(number)
  }
  return Int32Array.from(found)
}

/**
 * Smooth inverse frequency (Arora, Liang and Ma 2017): a / (a + p), where p is the word's frequency in the corpus and a is
 * 0.003.
 */
export const smoothInverseFrequencies = ({ counts }: Vocabulary, a = 0.003): Float32Array => {
  const total = counts.reduce((sum, one) => sum + one, 0)
  return Float32Array.from(counts, (one) => a / (a + one / total))
}
