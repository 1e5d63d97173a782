/**
 * Measures how well the built-in embedder groups, files and finds links of public lists outside its training data.
 * `bun test/bench/embedding/measure.ts [folder of links-validation.jsonl and links.jsonl] [word table]`
 */
import { existsSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { embed, loadTable } from "../../../src/enrich/embedding/BuiltIn.ts"
import { parseWordTable } from "../../../src/enrich/embedding/WordTable.ts"
import { DATA } from "../../support/data.ts"
import { HERE, mean, shown, timed } from "../harness.ts"
import type { RealLink } from "../realLinks.ts"
import {
  atThreshold,
  cosine,
  type Filed,
  type Library,
  librariesOf,
  lowestThreshold,
  readLinks,
  SETS,
  sectionOf,
  textOf,
  withoutBadges
} from "./Links.ts"

const [folder = DATA, tablePath] = process.argv.slice(2)
const tables =
  tablePath === undefined
    ? ["words.bin", "otherWords.bin"].map((name) => join(HERE, "src/enrich/embedding", name))
    : [tablePath]

const PRECISION = 0.75
const LIBRARIES = 40
const SPEED_UNITS = 300
const SPEED_TEXTS = 3_000

type Vectors = ReadonlyArray<Float32Array>
type Embed = (text: string) => Float32Array
const NONE = new Float32Array(0)

/** Part of a vector, normalized; zeros stay zeros. */
const unit = (part: Float32Array): Float32Array => {
  const length = Math.hypot(...part)
  return length === 0 ? part : part.map((value) => value / length)
}

/** Hashed words, each half of the built-in embedder, and the whole embedder. */
const contestants = (): Readonly<Record<string, Embed>> => {
  const table = tablePath === undefined ? loadTable() : parseWordTable(readFileSync(tablePath))
  const hashed = (hashedDimensions: number) => (text: string) =>
    unit(embed({ ...table, hashedDimensions }, text).subarray(table.dimensions))
  return {
    "hash 384": hashed(384),
    [`hash half, ${table.hashedDimensions}`]: hashed(table.hashedDimensions),
    [`table half, ${table.dimensions}`]: (text) => unit(embed(table, text).subarray(0, table.dimensions)),
    "built in": (text) => embed(table, text)
  }
}

const NEIGHBOURS = 5
const LEAST_IN_SECTION = 5

/**
 * The share of links, among those that `asks` selects, whose section wins a similarity-weighted vote of their five nearest
 * links of the same list. Omits sections of fewer than five links.
 */
const neighboursRight = (
  links: ReadonlyArray<RealLink>,
  vectors: Vectors,
  asks: (link: RealLink) => boolean = () => true
): number => {
  const sections = Map.groupBy(links, sectionOf)
  const entries = links
    .map((link, at) => ({ link, section: sectionOf(link), vector: vectors[at] ?? NONE }))
    .filter(({ section }) => (sections.get(section)?.length ?? 0) >= LEAST_IN_SECTION)
  let [right, asked] = [0, 0]
  for (const list of Map.groupBy(entries, ({ link }) => link.list).values()) {
    if (new Set(list.map(({ section }) => section)).size < 2) continue
    for (const entry of list) {
      if (!asks(entry.link)) continue
      const nearest = list
        .filter((other) => other !== entry)
        .map(({ section, vector }) => ({ section, similarity: cosine(entry.vector, vector) }))
        .sort((a, b) => b.similarity - a.similarity)
        .slice(0, NEIGHBOURS)
      const votes = new Map<string, number>()
      for (const { section, similarity } of nearest)
        votes.set(section, (votes.get(section) ?? 0) + Math.max(similarity, 0))
      const [elected] = [...votes].reduce((best, one) => (one[1] > best[1] ? one : best), ["", -1])
      asked++
      if (elected === entry.section) right++
    }
  }
  return right / asked
}

const NEAREST = 3

/** Files every incoming link of a library into the collection with the best mean of its three best cosines. */
const file = ({ collections, incoming }: Library, vectors: Vectors): ReadonlyArray<Filed> =>
  incoming.map(({ home, link }) => {
    const scores = collections.map((collection) => {
      const cosines = collection.map((at) => cosine(vectors[link] ?? NONE, vectors[at] ?? NONE))
      return mean(cosines.sort((a, b) => b - a).slice(0, NEAREST))
    })
    const score = Math.max(...scores)
    return { score, right: home !== undefined && scores[home] === score, belongs: home !== undefined }
  })

/** The share of correctly filed links among those that belong to a collection. */
const accuracy = (filed: ReadonlyArray<Filed>): number =>
  mean(filed.filter(({ belongs }) => belongs).map(({ right }) => Number(right)))

const DEEPEST = 10

/** A description used as a query, and the link of another list that it should find. */
interface Question {
  readonly text: string
  readonly asker: number
  readonly answer: number
}

const addressOf = ({ url }: RealLink): string =>
  url
    .toLowerCase()
    .replace(/^https?:\/\/(?:www\.)?/, "")
    .replace(/\/$/, "")

const wordsOf = (text: string): ReadonlyArray<string> => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []

/** The description without the words of both titles, so that only its meaning can match. */
const untitled = (description: string, titles: string): string => {
  const named = new Set(wordsOf(titles))
  return description
    .split(/\s+/)
    .filter((word) => !wordsOf(word).some((part) => named.has(part)))
    .join(" ")
}

/** All pairs of links with the same address and different descriptions in two lists; each is a query for the other. */
const questionsOf = (links: ReadonlyArray<RealLink>): ReadonlyArray<Question> =>
  [...Map.groupBy(links.entries(), ([, link]) => addressOf(link)).values()].flatMap((same) =>
    same.flatMap(([asker, link]) =>
      same
        .filter(([, other]) => other.list !== link.list && other.description !== link.description)
        .slice(0, 1)
        .map(([answer, other]) => ({
          text: untitled(link.description, `${link.title} ${other.title}`),
          asker,
          answer
        }))
    )
  )

/** The mean of 1 / log2(1 + rank) of the answers, 0 below the tenth place (nDCG@10 with one right answer). */
const foundGain = (questions: ReadonlyArray<Question>, embed: Embed, vectors: Vectors): number =>
  mean(
    questions.map(({ answer, asker, text }) => {
      const question = embed(text)
      const wanted = cosine(question, vectors[answer] ?? NONE)
      const isAbove = (vector: Float32Array, other: number) =>
        other !== asker && cosine(question, vector) > wanted
      const above = vectors.filter(isAbove).length
      return above < DEEPEST ? 1 / Math.log2(above + 2) : 0
    })
  )

/** The mean over libraries and half the width of its 95% interval. */
const interval = (values: ReadonlyArray<number>): string => {
  const middle = mean(values)
  const squares = values.reduce((sum, value) => sum + (value - middle) ** 2, 0)
  const variance = squares / Math.max(values.length - 1, 1)
  return `${shown(middle)} ± ${shown(1.96 * Math.sqrt(variance / values.length))}`
}

/** The filing shares at a threshold with their intervals over libraries. */
const thresholdLine = (libraries: ReadonlyArray<ReadonlyArray<Filed>>, threshold: number): string => {
  const each = libraries.map((filed) => atThreshold(filed, threshold))
  const share = (pick: (one: (typeof each)[number]) => number) =>
    interval(each.map(pick).filter(Number.isFinite))
  return [
    `T ${shown(threshold)}`,
    `precision ${share(({ precision }) => precision)}`,
    `coverage ${share(({ coverage }) => coverage)}`,
    `strangers filed ${share(({ strangers }) => strangers)}`
  ].join("  ")
}

const textsPerSecond = async (embed: Embed, links: ReadonlyArray<RealLink>) => {
  const all = links.map(textOf).join(" ")
  const texts = Array.from({ length: SPEED_TEXTS }, (_, at) => {
    const start = (at * SPEED_UNITS) % (all.length - SPEED_UNITS)
    return all.slice(start, start + SPEED_UNITS)
  })
  const embedAll = () => texts.map(embed)
  embedAll()
  return (texts.length / (await timed(embedAll)).took) * 1000
}

const OUTSIDE_LATIN = /[^\p{sc=Latin}\P{L}]/u

const measureAll = async () => {
  const sets = SETS.map((name) => readLinks(name, folder))
  const links = sets.flatMap(withoutBadges)
  const questions = questionsOf(links)
  console.log(
    `Tables: ${tables.map((path) => `${(statSync(path).size / 1e6).toFixed(2)} MB`).join(", ")}. Retrieval asks ${questions.length} questions.`
  )
  for (const [name, embed] of Object.entries(contestants())) {
    const vectorsOf = (some: ReadonlyArray<RealLink>) => some.map((link) => embed(textOf(link)))
    console.log(`\n${name}\n  retrieval nDCG@10 ${shown(foundGain(questions, embed, vectorsOf(links)))}`)
    console.log(
      `  ${Math.round(await textsPerSecond(embed, links))} texts of ${SPEED_UNITS} letters a second`
    )
    const filed = sets.map((set) => {
      const own = withoutBadges(set)
      const vectors = vectorsOf(own)
      return librariesOf(own, LIBRARIES).map((library) => file(library, vectors))
    })
    sets.forEach((set, at) => {
      const own = withoutBadges(set)
      const vectors = vectorsOf(own)
      const outside = neighboursRight(own, vectors, (link) => OUTSIDE_LATIN.test(textOf(link)))
      const libraries = filed[at] ?? []
      const threshold = lowestThreshold(libraries.flat(), PRECISION)
      console.log(
        `  ${SETS[at]}: neighbours ${shown(neighboursRight(own, vectors))} (badges too ${shown(neighboursRight(set, vectorsOf(set)))}, outside Latin ${shown(outside)})  filing ${interval(libraries.map(accuracy))}`
      )
      console.log(`    chosen here: ${thresholdLine(libraries, threshold)}`)
      filed.forEach((other, there) => {
        if (there !== at) console.log(`    carried to ${SETS[there]}: ${thresholdLine(other, threshold)}`)
      })
    })
  }
}

if (SETS.every((name) => existsSync(join(folder, name)))) await measureAll()
else console.log(`Nothing was measured: ${SETS.join(" and ")} are not both in ${folder}.`)
