import { corpusLeftOut, pairsLeftOut, without } from "./LeftOut.ts"

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

/**
 * Returns a test for texts to exclude from training: the descriptions of links that the embedder is measured on.
 */
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
