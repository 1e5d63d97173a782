/**
 * Lists words that say little about a link's topic: `bun test/bench/filing/spread.ts [FOLDER]`, over its links.jsonl. For
 * each word of at least 20 links it compares two of these links with any two links: how many times more often they are from
 * one section. The words of a topic often reach ten; those below six are listed, each with its ratio and number of links.
 */
import { isTelling, stem, wordsIn } from "../../../src/organize/Words.ts"
import { readLinks, sectionOf, textOf, withoutBadges } from "../embedding/Links.ts"

const LEAST = 20
const MOST_RATIO = 6

const links = withoutBadges(readLinks("links.jsonl", process.argv[2]))

/** The number of links of each section. */
type Sections = Map<string, number>
const any: Sections = new Map()
const words = new Map<string, Sections>()
const add = (counts: Sections, key: string) => counts.set(key, (counts.get(key) ?? 0) + 1)
for (const link of links) {
  const section = sectionOf(link)
  add(any, section)
  const forms = wordsIn(textOf(link)).filter((form) => isTelling(form, stem(form)))
  for (const stemmed of new Set(forms.map(stem))) {
    const counts = words.get(stemmed) ?? new Map<string, number>()
    words.set(stemmed, counts)
    add(counts, section)
  }
}

/** The number of links, and the share of their pairs that are from one section. */
const pairsOf = (counts: Sections) => {
  const all = [...counts.values()]
  const total = all.reduce((sum, count) => sum + count, 0)
  const together = all.reduce((sum, count) => sum + count * (count - 1), 0)
  return { total, share: together / (total * (total - 1)) }
}

const usual = pairsOf(any).share
const spread = [...words]
  .map(([word, counts]) => ({ word, ...pairsOf(counts) }))
  .filter(({ share, total }) => total >= LEAST && share < MOST_RATIO * usual)
  .sort((a, b) => a.share - b.share)
for (const { share, total, word } of spread)
  console.log(`${(share / usual).toFixed(1).padStart(4)} ${String(total).padStart(5)}  ${word}`)
