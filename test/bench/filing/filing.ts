import { SIMILARITY_THRESHOLD } from "../../../src/config/Configuration.ts"
import { builtIn } from "../../../src/enrich/embedding/BuiltIn.ts"
import { clarityOf, FILED_FROM, rankCollections, SURE_FROM } from "../../../src/organize/Vote.ts"
import { type Filed, librariesOf } from "../embedding/Filing.ts"
import { type ListedLink, readLinks, textOf, withoutBadges } from "../embedding/Links.ts"
import { shown } from "../embedding/Report.ts"
import { atThreshold, lowestThreshold } from "../embedding/Threshold.ts"
import { comparedOf, similarLinksOf } from "./compared.ts"
import { dot } from "./neighbours.ts"

/**
 * Measures filing into collections: `bun test/bench/filing/filing.ts FOLDER [libraries]`. The folder contains links.jsonl,
 * on whose lists the rule was tuned, and links-validation.jsonl, the held lists. In libraries of 30 sections with 15 filed
 * links each, 150 links that belong to them and 75 that do not are filed by the vectors alone, as before, and by the
 * likeness that `organize` uses.
 */

const [folder, libraries = "20"] = process.argv.slice(2)
if (folder === undefined) throw new Error("Name the folder that holds links.jsonl.")
const SEED = 20

interface Ways {
  /** The best similarity by the vectors, at or above the threshold. */
  readonly before: ReadonlyArray<Filed>
  /** The clarity by the vectors: what a save uses. */
  readonly saved: ReadonlyArray<Filed>
  /** The clarity by the likeness. */
  readonly now: ReadonlyArray<Filed>
}

const filedBothWays = async (
  links: ReadonlyArray<ListedLink>,
  { collections, incoming }: ReturnType<typeof librariesOf>[number]
): Promise<Ways> => {
  const described = [...collections.flat(), ...incoming.map(({ link }) => link)].flatMap((id) => {
    const link = links[id]
    return link === undefined ? [] : [{ ...link, id, vector: builtIn.embed(textOf(link)) }]
  })
  const vectors = new Map(described.map(({ id, vector }) => [id, vector]))
  const collectionOf = new Map(collections.flatMap((ids, at) => ids.map((id) => [id, at])))
  const like = await similarLinksOf(
    comparedOf(described, SIMILARITY_THRESHOLD),
    described.map(({ id }) => id)
  )
  const each = incoming.map(({ home, link }) => {
    const none = new Float32Array(builtIn.dimensions)
    const own = vectors.get(link) ?? none
    const near = [...collectionOf]
      .map(([id, collection]) => ({ id, collection, similarity: dot(own, vectors.get(id) ?? none) }))
      .sort((a, b) => b.similarity - a.similarity)
    const alike = like.of(link).map((one) => ({ ...one, collection: collectionOf.get(one.id) ?? null }))
    const verdict = (voters: typeof alike, clear: boolean): Filed => {
      const [best, rival] = rankCollections(voters)
      const belongs = home !== undefined
      if (best === undefined) return { score: -9, right: false, belongs }
      const score = clear ? clarityOf(best.score, rival?.score ?? -1, SIMILARITY_THRESHOLD) : best.score
      return { score, right: best.collection === home, belongs }
    }
    return {
      before: verdict(near, false),
      saved: verdict(near.slice(0, 64), true),
      now: verdict(alike, true)
    }
  })
  return {
    before: each.map(({ before }) => before),
    saved: each.map(({ saved }) => saved),
    now: each.map(({ now }) => now)
  }
}

const line = (filed: ReadonlyArray<Filed>, threshold: number): string => {
  const { coverage, precision, strangers } = atThreshold(filed, threshold)
  return `precision ${shown(precision)}, coverage ${shown(coverage)}, strangers ${shown(strangers)}`
}

/** The threshold at which this share of the links that belong somewhere is filed. */
const covering = (filed: ReadonlyArray<Filed>, share: number): number => {
  const scores = filed.filter(({ belongs }) => belongs).map(({ score }) => score)
  return scores.sort((a, b) => b - a)[Math.floor(share * scores.length)] ?? 0
}

for (const file of ["links.jsonl", "links-validation.jsonl"]) {
  const links = withoutBadges(await readLinks(`${folder}/${file}`))
  const ways: Array<Ways> = []
  for (const library of librariesOf(links, Number(libraries), SEED))
    ways.push(await filedBothWays(links, library))
  console.log(`\n${file}: ${ways.length} libraries`)
  for (const way of ["before", "saved", "now"] as const) {
    const filed = ways.flatMap((one) => one[way])
    const [from, sure] = way === "before" ? [SIMILARITY_THRESHOLD, undefined] : [FILED_FROM, SURE_FROM]
    console.log(`  ${way}, as shipped: ${line(filed, from)}`)
    if (sure !== undefined) console.log(`    ticked at first: ${line(filed, sure)}`)
    for (const precision of [0.75, 0.85]) {
      const threshold = lowestThreshold(filed, precision)
      console.log(`    at precision ${shown(precision)} (${threshold.toFixed(3)}): ${line(filed, threshold)}`)
    }
    for (const coverage of [0.4, 0.55])
      console.log(`    at coverage ${shown(coverage)}: ${line(filed, covering(filed, coverage))}`)
  }
}
