import { readFileSync } from "node:fs"
import { join } from "node:path"
import { DATA } from "../../support/data.ts"
import { shown } from "../harness.ts"
import type { RealLink } from "../realLinks.ts"
import { seeded } from "../training/LinearAlgebra.ts"

/** The held lists, and those on which rules were tuned. */
export const SETS = ["links-validation.jsonl", "links.jsonl"] as const

/** The links of public lists in a file, one JSON object a line; by default in the folder beside the checkout. */
export const readLinks = (name: string, folder = DATA): ReadonlyArray<RealLink> =>
  readFileSync(join(folder, name), "utf8")
    .split("\n")
    .flatMap((line): ReadonlyArray<RealLink> => (line.trim() === "" ? [] : [JSON.parse(line)]))

/** A title on more links of one list than this is a badge ("App Store") and describes none of them. */
const MOST_ALIKE = 20

/** The links whose title is not a badge. */
export const withoutBadges = (links: ReadonlyArray<RealLink>): ReadonlyArray<RealLink> => {
  const name = ({ list, title }: RealLink) => `${list}\n${title.trim()}`
  const groups = Map.groupBy(links, name)
  return links.filter((link) => (groups.get(name(link))?.length ?? 0) <= MOST_ALIKE)
}

/** The embedded text of a link, and the unique name of its section. */
export const textOf = ({ description, title }: RealLink): string => `${title}\n${description}`
export const sectionOf = ({ list, section }: RealLink): string => `${list}\n${section}`

/** The cosine of two unit vectors. */
export const cosine = (a: Float32Array, b: Float32Array): number => {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0)
  return sum
}

/** Up to `count` different items in random order. */
const draw = <A>(items: ReadonlyArray<A>, count: number, random: () => number): Array<A> => {
  const rest = [...items]
  const drawn: Array<A> = []
  while (drawn.length < count && rest.length > 0)
    drawn.push(...rest.splice(Math.floor(random() * rest.length), 1))
  return drawn
}

const COLLECTIONS = 30
const FILED = 15
const INCOMING = 5
const STRANGERS = 75
const SEED = 20

/** A library to file into: the links of each collection and the incoming links, by index. */
export interface Library {
  readonly collections: ReadonlyArray<ReadonlyArray<number>>
  readonly incoming: ReadonlyArray<{ readonly link: number; readonly home: number | undefined }>
}

/**
 * Libraries of 30 sections with 15 links each; 5 more links of each section and 75 links of other sections are incoming.
 */
export const librariesOf = (links: ReadonlyArray<RealLink>, count: number): ReadonlyArray<Library> => {
  const random = seeded(SEED)
  const sections = links.map(sectionOf)
  const large = [...Map.groupBy(links.keys(), (at) => sections[at] ?? "").values()].filter(
    (section) => section.length >= FILED + INCOMING
  )
  return Array.from({ length: count }, () => {
    const drawn = draw(large, COLLECTIONS, random).map((section) => draw(section, FILED + INCOMING, random))
    const here = new Set(drawn.map(([first = 0]) => sections[first]))
    const elsewhere = [...links.keys()].filter((at) => !here.has(sections[at]))
    return {
      collections: drawn.map((section) => section.slice(0, FILED)),
      incoming: [
        ...drawn.flatMap((section, home) => section.slice(FILED).map((link) => ({ link, home }))),
        ...draw(elsewhere, STRANGERS, random).map((link) => ({ link, home: undefined }))
      ]
    }
  })
}

/** The best collection of an incoming link; `belongs` is false for a link of no collection. */
export interface Filed {
  readonly score: number
  readonly right: boolean
  readonly belongs: boolean
}

/**
 * The results of filing at or above a score: the share of correct links among filed ones (a link of no collection is never
 * correct), and the shares of filed links among those that belong to a collection and those of none.
 */
export const atThreshold = (filed: ReadonlyArray<Filed>, threshold: number) => {
  const kept = filed.filter(({ score }) => score >= threshold)
  const belonging = filed.filter(({ belongs }) => belongs).length
  return {
    precision: kept.filter(({ right }) => right).length / kept.length,
    coverage: kept.filter(({ belongs }) => belongs).length / belonging,
    strangers: kept.filter(({ belongs }) => !belongs).length / (filed.length - belonging)
  }
}

/** Those results in one line. */
export const filingLine = (filed: ReadonlyArray<Filed>, threshold: number): string => {
  const { coverage, precision, strangers } = atThreshold(filed, threshold)
  return `precision ${shown(precision)}, coverage ${shown(coverage)}, strangers ${shown(strangers)}`
}

/** The lowest threshold with at least this precision; infinite if there is none. */
export const lowestThreshold = (filed: ReadonlyArray<Filed>, precision: number): number => {
  let right = 0
  let threshold = Number.POSITIVE_INFINITY
  filed
    .toSorted((a, b) => b.score - a.score)
    .forEach((one, at) => {
      if (one.right) right++
      if (right / (at + 1) >= precision) threshold = one.score
    })
  return threshold
}
