/**
 * Measures filing into collections: `bun test/bench/filing/filing.ts [FOLDER] [libraries]`. The folder contains links.jsonl,
 * on whose lists the rule was tuned, and links-validation.jsonl, the held lists. In libraries of 30 sections with 15 filed
 * links each, 150 links that belong to them and 75 that do not are filed as a save does, by the vectors, and as `organize`
 * does, by the likeness. `ENCODER` is the encoder's file: the vectors are those with it.
 */
import { Effect } from "effect"
import { LibraryWords } from "../../../src/organize/LibraryWords.ts"
import { clarityOf, FILED_FROM, rankCollections, SURE_FROM } from "../../../src/organize/Vote.ts"
import { makeMatrix } from "../../../src/search/kernel/Matrix.ts"
import { quantize } from "../../../src/search/Quantize.ts"
import { compareVectors, findSimilarLinks } from "../../../src/search/SimilarLinks.ts"
import { measuredEmbedder } from "../embedding/Embedders.ts"
import {
  cosine,
  type Filed,
  filingLine,
  type Library,
  librariesOf,
  lowestThreshold,
  readLinks,
  SETS,
  textOf,
  withoutBadges
} from "../embedding/Links.ts"
import { shown } from "../harness.ts"
import type { RealLink } from "../realLinks.ts"

const [folder, libraries = "20"] = process.argv.slice(2)
const { dimensions, threshold, vectorsOf } = await measuredEmbedder()

/** The nearest links that vote when a link is saved. */
const VOTERS = 64

/** The links most like each of these, as `organize` finds them. */
const similarLinks = (
  links: ReadonlyArray<RealLink & { readonly id: number; readonly vector: Float32Array }>
) => {
  const matrix = makeMatrix(dimensions)
  const words = new LibraryWords()
  for (const { description, id, title, vector } of links) {
    const { codes, scale } = quantize(vector)
    matrix.set(id, codes, scale)
    words.add(id, { title, description, summary: "", tags: [], category: "unsorted" })
  }
  const compared = { matrix, words, embedder: { threshold, dimensions } }
  const ids = links.map(({ id }) => id)
  return Effect.runPromise(
    Effect.flatMap(
      compareVectors(compared, ids, () => Effect.void),
      (byVector) => findSimilarLinks(compared, ids, byVector, () => Effect.void)
    )
  )
}

/** The incoming links of a library, filed by the vectors and by the likeness. */
const filedBothWays = async (links: ReadonlyArray<RealLink>, { collections, incoming }: Library) => {
  const none = new Float32Array(dimensions)
  const drawn = [...collections.flat(), ...incoming.map(({ link }) => link)].flatMap((id) =>
    links.slice(id, id + 1).map((link) => ({ ...link, id }))
  )
  const embedded = await vectorsOf(drawn.map(textOf))
  const described = drawn.map((link, at) => ({ ...link, vector: embedded[at] ?? none }))
  const vectors = new Map(described.map(({ id, vector }) => [id, vector]))
  const vectorOf = (id: number) => vectors.get(id) ?? none
  const collectionOf = new Map(collections.flatMap((ids, at) => ids.map((id) => [id, at])))
  const like = await similarLinks(described)
  return incoming.map(({ home, link }) => {
    const near = [...collectionOf]
      .map(([id, collection]) => ({ id, collection, similarity: cosine(vectorOf(link), vectorOf(id)) }))
      .sort((a, b) => b.similarity - a.similarity)
    const alike = like.of(link).map((one) => ({ ...one, collection: collectionOf.get(one.id) ?? null }))
    const verdict = (voters: typeof alike): Filed => {
      const [best, rival] = rankCollections(voters)
      const belongs = home !== undefined
      if (best === undefined) return { score: -9, right: false, belongs }
      const score = clarityOf(best.score, rival?.score ?? -1, threshold)
      return { score, right: best.collection === home, belongs }
    }
    return { save: verdict(near.slice(0, VOTERS)), organize: verdict(alike) }
  })
}

for (const file of SETS.toReversed()) {
  const links = withoutBadges(readLinks(file, folder))
  const both: Array<Readonly<Record<"save" | "organize", Filed>>> = []
  for (const library of librariesOf(links, Number(libraries)))
    both.push(...(await filedBothWays(links, library)))
  console.log(`\n${file}: ${libraries} libraries`)
  for (const way of ["save", "organize"] as const) {
    const filed = both.map((one) => one[way])
    console.log(`  ${way}, as shipped: ${filingLine(filed, FILED_FROM)}`)
    console.log(`    ticked at first: ${filingLine(filed, SURE_FROM)}`)
    for (const precision of [0.75, 0.85]) {
      const least = lowestThreshold(filed, precision)
      console.log(`    at precision ${shown(precision)} (${least.toFixed(3)}): ${filingLine(filed, least)}`)
    }
  }
}

// The thread of the encoder would keep the process running.
process.exit()
