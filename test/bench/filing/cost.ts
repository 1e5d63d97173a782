import { heapStats } from "bun:jsc"
import { SIMILARITY_THRESHOLD } from "../../../src/config/Configuration.ts"
import { builtIn } from "../../../src/enrich/embedding/BuiltIn.ts"
import { clusters } from "../../../src/organize/Clusters.ts"
import { CollectionNamer, TakenNames } from "../../../src/organize/CollectionName.ts"
import { LibraryWords } from "../../../src/organize/LibraryWords.ts"
import { groupingThreshold } from "../../../src/organize/Likeness.ts"
import { mixedVectors } from "../../../src/search/SimilarLinks.ts"
import { makeLinks } from "../realLinks.ts"
import { comparedOf, profileOf, similarLinksOf } from "./compared.ts"

/**
 * Shows where the time of a plan goes, in seconds of processor time and as multiples of the search for neighbours by the
 * vectors alone: `bun test/bench/filing/cost.ts [links]`.
 */

const size = Number(process.argv[2] ?? 30_000)
const NEIGHBOURS = 32

const links = makeLinks(size).map(({ description, title }, i) => ({
  id: i + 1,
  title,
  description,
  vector: builtIn.embed(`${title}\n${description}`)
}))
const threshold = SIMILARITY_THRESHOLD
const compared = comparedOf(links, threshold)
const { matrix, words } = compared
words.similarity(1, 2)

let scan = 0
const show = (label: string, seconds: number) =>
  console.log(`${label}: ${seconds.toFixed(2)} s, ${(seconds / scan).toFixed(2)} of the search by vectors`)
const seconds = (since: NodeJS.CpuUsage) => {
  const { system, user } = process.cpuUsage(since)
  return (system + user) / 1e6
}

let begun = process.cpuUsage()
for (const _ of matrix.compareAll(NEIGHBOURS, threshold - 0.08));
scan = seconds(begun)
console.log(`${size} links`)
show("neighbours by the vectors alone", scan)

begun = process.cpuUsage()
Bun.gc(true)
const held = () => heapStats().heapSize + heapStats().extraMemorySize
const before = held()
const again = new LibraryWords()
for (const link of links) again.add(link.id, profileOf(link))
again.similarity(1, 2)
show("reading the words", seconds(begun))
Bun.gc(true)
console.log(`  their memory: ${((held() - before) / 1e6).toFixed(0)} MB`)

begun = process.cpuUsage()
const near = await similarLinksOf(
  compared,
  links.map(({ id }) => id)
)
show(`neighbours of ${again.links} links by the likeness`, seconds(begun))

begun = process.cpuUsage()
let [longest, last] = [0, performance.now()]
const work = clusters({
  ids: links.map(({ id }) => id),
  ...mixedVectors(compared),
  neighboursOf: (id) => near.of(id),
  threshold: groupingThreshold(threshold)
})
let step = work.next()
for (; !step.done; step = work.next()) {
  longest = Math.max(longest, performance.now() - last)
  last = performance.now()
}
show(`${step.value.length} groups, the longest step ${longest.toFixed(0)} ms`, seconds(begun))

begun = process.cpuUsage()
const namer = new CollectionNamer(words)
for (const link of links) namer.add(profileOf(link))
const taken = new TakenNames()
const byId = new Map(links.map((link) => [link.id, link]))
for (const group of step.value) namer.name(group.flatMap((id) => byId.get(id) ?? []).map(profileOf), taken)
show("their names", seconds(begun))
