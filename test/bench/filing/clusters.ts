import { builtIn, thresholdFrom, unrelatedTexts } from "../../../src/enrich/embedding/BuiltIn.ts"
import { clusters } from "../../../src/organize/Clusters.ts"
import { collectionNamer } from "../../../src/organize/CollectionName.ts"
import { type Library, listedLinks, sampledLibrary, wholeLibrary } from "./libraries.ts"
import { type Agreement, agreement } from "./measures.ts"
import { namesMet } from "./namesMet.ts"
import { nearestOthers } from "./neighbours.ts"

/**
 * Measures grouping and naming on curated lists: `bun test/bench/filing/clusters.ts FOLDER`. The folder contains links.jsonl
 * and links-validation.jsonl with one {url, title, description, list, section} per line. Uses libraries of 25 sections and
 * 150 links of none at several thresholds, and one of 10,000 links of all sections.
 */

const LIBRARIES = 12
const NEIGHBOURS = 15
const folder = process.argv[2]
if (folder === undefined) throw new Error("Name the folder that holds links.jsonl.")

interface Outcome extends Agreement {
  readonly milliseconds: number
  /** The longest time between two yields. */
  readonly longest: number
  readonly named: number
}

const grouped = ({ links, truth }: Library, threshold: number): Outcome => {
  const near = nearestOthers(links, NEIGHBOURS, threshold)
  const byId = new Map(links.map((link) => [link.id, link]))
  const begun = performance.now()
  let longest = 0
  let last = begun
  const work = clusters({
    ids: links.map(({ id }) => id),
    vectorOf: (id) => byId.get(id)?.vector ?? new Float32Array(builtIn.dimensions),
    neighboursOf: (id) => near.get(id) ?? [],
    threshold
  })
  let step = work.next()
  for (; !step.done; step = work.next()) {
    longest = Math.max(longest, performance.now() - last)
    last = performance.now()
  }
  const milliseconds = performance.now() - begun
  const namer = collectionNamer(
    links.map((link) => ({ ...link, summary: "", tags: [], category: "unsorted" }))
  )
  return {
    ...agreement(step.value, truth),
    milliseconds,
    longest,
    named: namesMet(step.value, namer, { truth, sectionOf: (id) => byId.get(id)?.section ?? "" })
  }
}

const show = (label: string, outcomes: ReadonlyArray<Outcome>) => {
  const mean = (value: (one: Outcome) => number) =>
    outcomes.reduce((sum, one) => sum + value(one), 0) / outcomes.length
  const share = (value: (one: Outcome) => number) => mean(value).toFixed(3)
  console.log(
    `${label}: purity ${share((one) => one.purity)}, NMI ${share((one) => one.nmi)}, ` +
      `coverage ${share((one) => one.coverage)}, strangers ${share((one) => one.strangers)}, ` +
      `biggest ${share((one) => one.biggest)}, groups ${mean((one) => one.groups).toFixed(1)}, ` +
      `names met ${share((one) => one.named)}, ${mean((one) => one.milliseconds).toFixed(0)} ms, ` +
      `longest step ${Math.max(...outcomes.map((one) => one.longest)).toFixed(1)} ms`
  )
}

const calibrated = thresholdFrom(unrelatedTexts.map(builtIn.embed))
for (const file of ["links-validation.jsonl", "links.jsonl"]) {
  const links = await listedLinks(folder, [file])
  const libraries = Array.from({ length: LIBRARIES }, (_, i) => sampledLibrary(links, 77 * (i + 1)))
  console.log(`\n${file}: ${LIBRARIES} libraries of 25 sections and 150 strangers`)
  for (const threshold of [calibrated, 0.26, 0.29, 0.32, 0.35])
    show(
      `  at ${threshold.toFixed(3)}`,
      libraries.map((library) => grouped(library, threshold))
    )
}

const all = await listedLinks(folder, ["links-validation.jsonl", "links.jsonl"])
console.log("\n10,000 links of all sections, no stranger among them")
for (const threshold of [calibrated, 0.29])
  show(`  at ${threshold.toFixed(3)}`, [grouped(wholeLibrary(all, 10_000), threshold)])
