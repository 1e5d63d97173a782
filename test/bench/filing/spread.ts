import { isTelling, stem, wordsIn } from "../../../src/organize/Words.ts"
import { readLinks, sectionOf, textOf, withoutBadges } from "../embedding/Links.ts"

/**
 * Lists words that say little about a link's topic: `bun test/bench/filing/spread.ts FOLDER/links.jsonl`. For each word of
 * at least 20 links it compares two of these links with any two links: how many times more often they are from one
 * section. The words of a topic often reach ten; those below six are listed, each with its ratio and number of links.
 */

const LEAST = 20
const MOST_RATIO = 6

const [file] = process.argv.slice(2)
if (file === undefined) throw new Error("Name the file with the links.")
const links = withoutBadges(await readLinks(file))

const sections = new Map<string, number>()
const words = new Map<string, Map<string, number>>()
const add = (counts: Map<string, number>, key: string) => counts.set(key, (counts.get(key) ?? 0) + 1)
for (const link of links) {
  const section = sectionOf(link)
  add(sections, section)
  const forms = wordsIn(textOf(link)).filter((form) => isTelling(form, stem(form)))
  for (const stemmed of new Set(forms.map(stem))) {
    const counts = words.get(stemmed) ?? new Map<string, number>()
    words.set(stemmed, counts)
    add(counts, section)
  }
}

/** The number of links, and the share of their pairs that are from one section. */
const pairsOf = (counts: ReadonlyMap<string, number>) => {
  const all = [...counts.values()]
  const total = all.reduce((sum, count) => sum + count, 0)
  const together = all.reduce((sum, count) => sum + count * (count - 1), 0)
  return { total, share: together / (total * (total - 1)) }
}

const any = pairsOf(sections)
const spread = [...words]
  .map(([word, counts]) => ({ word, ...pairsOf(counts) }))
  .filter(({ share, total }) => total >= LEAST && share < MOST_RATIO * any.share)
  .sort((a, b) => a.share - b.share)
for (const { share, total, word } of spread)
  console.log(`${(share / any.share).toFixed(1).padStart(4)} ${String(total).padStart(5)}  ${word}`)
