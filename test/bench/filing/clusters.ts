import { SIMILARITY_THRESHOLD } from "../../../src/config/Configuration.ts"
import type { Neighbour } from "../../../src/domain/Enrichment.ts"
import { builtIn } from "../../../src/enrich/embedding/BuiltIn.ts"
import { clusters } from "../../../src/organize/Clusters.ts"
import { CollectionNamer, TakenNames } from "../../../src/organize/CollectionName.ts"
import { groupingThreshold } from "../../../src/organize/Likeness.ts"
import { groupScore, isSureInGroup, rankCollections } from "../../../src/organize/Vote.ts"
import { mixedVectors } from "../../../src/search/SimilarLinks.ts"
import { comparedOf, profileOf, similarLinksOf } from "./compared.ts"
import { type Library, listedLinks, sampledLibrary, wholeLibrary } from "./libraries.ts"
import { type Agreement, agreement, mostly } from "./measures.ts"
import { shareMet } from "./namesMet.ts"
import { nearestOthers } from "./neighbours.ts"

/**
 * Measures grouping and naming on curated lists: `bun test/bench/filing/clusters.ts FOLDER [names]`. The folder contains
 * links.jsonl and links-validation.jsonl with one {url, title, description, list, section} per line. Uses libraries of 25
 * sections and 150 links of none, and one of 10,000 links of all sections, by the vectors alone and by the likeness that
 * `organize` uses. `names` lists the names of that many groups of the held lists, for a person to judge.
 */

const LIBRARIES = 8
/** Neighbours per link by the vectors alone. */
const NEIGHBOURS = 15
const [folder, listed = "0"] = process.argv.slice(2)
if (folder === undefined) throw new Error("Name the folder that holds links.jsonl.")

interface Outcome extends Agreement {
  readonly milliseconds: number
  /** The longest time between two yields. */
  readonly longest: number
  readonly named: number
  /** Share of the grouped links that are ticked at first, and of those that share their group's majority section. */
  readonly ticked: number
  readonly tickedRight: number
  /** The names, each with the section and the titles that it stands for. */
  readonly names: ReadonlyArray<string>
}

interface Graph {
  readonly vectorOf: (id: number) => Float32Array
  readonly neighboursOf: (id: number) => ReadonlyArray<Neighbour>
  readonly offset?: number
  readonly threshold: number
}

const byVectors = ({ links }: Library): Graph => {
  const near = nearestOthers(links, NEIGHBOURS, SIMILARITY_THRESHOLD)
  const byId = new Map(links.map((link) => [link.id, link]))
  return {
    threshold: SIMILARITY_THRESHOLD,
    vectorOf: (id) => byId.get(id)?.vector ?? new Float32Array(builtIn.dimensions),
    neighboursOf: (id) => near.get(id) ?? []
  }
}

const byLikeness = async ({ links }: Library): Promise<Graph> => {
  const compared = comparedOf(links, SIMILARITY_THRESHOLD)
  const near = await similarLinksOf(
    compared,
    links.map(({ id }) => id)
  )
  const threshold = groupingThreshold(SIMILARITY_THRESHOLD)
  return { ...mixedVectors(compared), threshold, neighboursOf: (id) => near.of(id) }
}

const grouped = ({ links, truth }: Library, graph: Graph): Outcome => {
  const begun = performance.now()
  let longest = 0
  let last = begun
  const work = clusters({ ids: links.map(({ id }) => id), ...graph })
  let step = work.next()
  for (; !step.done; step = work.next()) {
    longest = Math.max(longest, performance.now() - last)
    last = performance.now()
  }
  const milliseconds = performance.now() - begun
  const groups = step.value
  const { words } = comparedOf(links, SIMILARITY_THRESHOLD)
  const namer = new CollectionNamer(words)
  for (const link of links) namer.add(profileOf(link))
  const byId = new Map(links.map((link) => [link.id, link]))
  const taken = new TakenNames()
  const named = groups.map((group) =>
    namer.name(group.flatMap((id) => byId.get(id) ?? []).map(profileOf), taken)
  )
  const groupOf = new Map(groups.flatMap((group, at) => group.map((id) => [id, at])))
  let [ticked, right] = [0, 0]
  groups.forEach((group, at) => {
    const [section] = mostly(group, truth)
    for (const id of group) {
      const near = graph.neighboursOf(id).map((one) => ({ ...one, collection: groupOf.get(one.id) ?? null }))
      const inside = groupScore(near.flatMap((one) => (one.collection === at ? [one.similarity] : [])))
      const [rival] = rankCollections(near.filter((one) => one.collection !== at))
      if (!isSureInGroup(inside, rival?.score ?? -1, SIMILARITY_THRESHOLD)) continue
      ticked++
      if (section >= 0 && truth.get(id) === section) right++
    }
  })
  const sectionOf = (id: number) => byId.get(id)?.section ?? ""
  return {
    ...agreement(groups, truth),
    milliseconds,
    longest,
    named: shareMet(groups, named, { truth, sectionOf }),
    ticked: ticked / Math.max(1, groups.flat().length),
    tickedRight: right / Math.max(1, ticked),
    names: groups.map((group, at) => {
      const [section, count] = mostly(group, truth)
      const member = group.find((id) => truth.get(id) === section)
      const titles = group.slice(0, 5).map((id) => byId.get(id)?.title ?? "")
      return [
        named[at],
        `${count} of ${group.length}: ${section < 0 ? "none" : sectionOf(member ?? 0)}`,
        titles.join(", ")
      ].join(" | ")
    })
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
      `names met ${share((one) => one.named)}, ticked ${share((one) => one.ticked)}, ` +
      `right of them ${share((one) => one.tickedRight)}, ${mean((one) => one.milliseconds).toFixed(0)} ms, ` +
      `longest step ${Math.max(...outcomes.map((one) => one.longest)).toFixed(1)} ms`
  )
}

const both = async (libraries: ReadonlyArray<Library>): Promise<ReadonlyArray<Outcome>> => {
  const now: Array<Outcome> = []
  show(
    "  vectors",
    libraries.map((library) => grouped(library, byVectors(library)))
  )
  for (const library of libraries) now.push(grouped(library, await byLikeness(library)))
  show("  likeness", now)
  return now
}

for (const file of ["links.jsonl", "links-validation.jsonl"]) {
  const links = await listedLinks(folder, [file])
  console.log(`\n${file}: ${LIBRARIES} libraries of 25 sections and 150 strangers`)
  const outcomes = await both(
    Array.from({ length: LIBRARIES }, (_, i) => sampledLibrary(links, 77 * (i + 1)))
  )
  const isHeld = file === "links-validation.jsonl"
  const names = outcomes.flatMap((outcome) => outcome.names).slice(0, isHeld ? Number(listed) : 0)
  for (const name of names) console.log(`    ${name}`)
}

if (listed === "0") {
  const all = await listedLinks(folder, ["links-validation.jsonl", "links.jsonl"])
  console.log("\n10,000 links of all sections, no stranger among them")
  await both([wholeLibrary(all, 10_000)])
}
