/**
 * Measures the floor under which the chat shows no link that was found by meaning alone (`CHAT_FLOOR`). Small talk should
 * find nothing. The paraphrased queries of `test/bench/finding` share no word with their links, as in a search that finds
 * by meaning alone; a result counts as sensible if it is from the same section of the same list as a right one. Texts
 * with a word that the library contains are left out, because a search by words answers them.
 * `bun test/bench/embedding/smallTalk.ts [links of a library]`; `ENCODER` is the encoder's file, if it is to be measured.
 */
import { stopWords } from "../../../src/domain/English.ts"
import { embeddingText } from "../../../src/domain/Enrichment.ts"
import { wordsOf } from "../../../src/shared/Text.ts"
import { linkQueries } from "../finding/labelled.ts"
import { table } from "../harness.ts"
import { realLinks } from "../realLinks.ts"
import { measuredEmbedder } from "./Embedders.ts"
import { cosine } from "./Links.ts"
import smallTalk from "./smallTalk.json" with { type: "json" }

const FLOORS = [0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 1]
const SHOWN = 5
/** Links of each library; libraries are drawn so that together they contain every link. */
const SIZE = Number(process.argv[2] ?? 300)

const { searchThreshold, vectorsOf } = await measuredEmbedder()
const stemOf = (word: string) => word.toLowerCase().replace(/(?:ing|ed|es|s)$/, "")
const topic = (text: string) =>
  wordsOf(text.toLowerCase())
    .filter((word) => !stopWords.has(word))
    .map(stemOf)
const described = realLinks().map(({ description, list, section, title, url }) => {
  const text = embeddingText({ title, description, tags: [], summary: "", note: "" })
  return { url, about: `${list} ${section}`, text, words: new Set(topic(text)) }
})
const embedded = await vectorsOf(described.map(({ text }) => text))
const links = described.flatMap((link, at) =>
  embedded.slice(at, at + 1).map((vector) => ({ ...link, vector }))
)
const aboutOf = new Map(links.map(({ about, url }) => [url, about]))
const queries = linkQueries()
  .filter(({ kind }) => kind === "paraphrased")
  .map(({ expected, query }) => ({
    query,
    about: new Set(expected.flatMap((url) => aboutOf.get(url) ?? []))
  }))

const count = Math.floor(links.length / SIZE)
const libraries = Array.from({ length: count }, (_, at) => links.filter((__, index) => index % count === at))

/** The nearest links of a text in a library, with their similarity as a share of the threshold; none if words match. */
const byMeaning = (text: string, vector: Float32Array, library: typeof links) => {
  const words = topic(text)
  if (words.length === 0 || library.some((link) => words.some((word) => link.words.has(word))))
    return undefined
  return library
    .map(({ about, vector: other }) => ({ about, share: cosine(vector, other) / searchThreshold }))
    .toSorted((a, b) => b.share - a.share)
    .slice(0, SHOWN)
}

const rows = async (
  texts: ReadonlyArray<{ readonly query: string; readonly about: ReadonlySet<string> }>
) => {
  const vectors = await vectorsOf(
    texts.map(({ query }) => query),
    "searches"
  )
  return texts.flatMap(({ about, query }, at) =>
    libraries.flatMap((library) => {
      const found = byMeaning(query, vectors[at] ?? new Float32Array(0), library)
      return found === undefined ? [] : [{ about, found }]
    })
  )
}

const talk = await rows(smallTalk.map((query) => ({ query, about: new Set<string>() })))
const asked = await rows(queries)
const sensible = asked.flatMap(({ about, found }) => found.find((one) => about.has(one.about))?.share ?? [])
const shownAt = (all: typeof talk, floor: number) =>
  all.filter(({ found }) => (found[0]?.share ?? 0) >= floor).length
const percent = (part: number, of: number) => `${((100 * part) / of).toFixed(1)} %`

console.log(
  `${libraries.length} libraries of ${SIZE} links; ${talk.length} searches by meaning alone of small talk, ${asked.length} of paraphrased queries, ${sensible.length} of which have a sensible link among the nearest ${SHOWN}`
)
table(
  FLOORS.map((floor) => ({
    floor: String(floor),
    "small talk answered": percent(shownAt(talk, floor), talk.length),
    "queries answered": percent(shownAt(asked, floor), asked.length),
    "sensible links lost": percent(sensible.filter((share) => share < floor).length, sensible.length)
  }))
)

// The thread of the encoder would keep the process running.
process.exit()
