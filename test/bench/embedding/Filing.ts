import { seeded } from "../training/Random.ts"
import { cosine, vectorAt } from "./Cosine.ts"
import { draw } from "./Draw.ts"
import { type ListedLink, sectionOf, sectionsOf } from "./Links.ts"

const COLLECTIONS = 30
const FILED = 15
const INCOMING = 5
const STRANGERS = 75
const NEAREST = 3

/** A library to file into: the links of each collection and the incoming links, by index. */
export interface Library {
  readonly collections: ReadonlyArray<ReadonlyArray<number>>
  readonly incoming: ReadonlyArray<{ readonly link: number; readonly home: number | undefined }>
}

/**
 * The best collection of an incoming link by the mean of its three best cosines; `belongs` is false for a link of no
 * collection.
 */
export interface Filed {
  readonly score: number
  readonly right: boolean
  readonly belongs: boolean
}

/**
 * Libraries of 30 sections with 15 links each; 5 more links of each section and 75 links of other sections are incoming.
 */
export const librariesOf = (
  links: ReadonlyArray<ListedLink>,
  count: number,
  seed: number
): ReadonlyArray<Library> => {
  const random = seeded(seed)
  const large = sectionsOf(links, FILED + INCOMING)
  return Array.from({ length: count }, () => {
    const drawn = draw(large, COLLECTIONS, random).map((section) => draw(section, FILED + INCOMING, random))
    const here = new Set(drawn.flatMap(([first = 0]) => links.slice(first, first + 1).map(sectionOf)))
    const elsewhere = [...links.keys()].filter((at) =>
      links.slice(at, at + 1).some((link) => !here.has(sectionOf(link)))
    )
    return {
      collections: drawn.map((section) => section.slice(0, FILED)),
      incoming: [
        ...drawn.flatMap((section, home) => section.slice(FILED).map((link) => ({ link, home }))),
        ...draw(elsewhere, STRANGERS, random).map((link) => ({ link, home: undefined }))
      ]
    }
  })
}

const scoreOf = (
  vector: Float32Array,
  collection: ReadonlyArray<number>,
  vectors: ReadonlyArray<Float32Array>
) => {
  const cosines = collection.map((at) => cosine(vector, vectorAt(vectors, at))).sort((a, b) => b - a)
  return cosines.slice(0, NEAREST).reduce((sum, value) => sum + value, 0) / NEAREST
}

/** Files every incoming link of a library into its best collection. */
export const file = (library: Library, vectors: ReadonlyArray<Float32Array>): ReadonlyArray<Filed> =>
  library.incoming.map(({ home, link }) => {
    const vector = vectorAt(vectors, link)
    const scores = library.collections.map((collection) => scoreOf(vector, collection, vectors))
    const score = Math.max(...scores)
    return { score, right: home !== undefined && scores[home] === score, belongs: home !== undefined }
  })

/** The share of correctly filed links among those that belong to a collection. */
export const accuracy = (filed: ReadonlyArray<Filed>): number => {
  const belonging = filed.filter(({ belongs }) => belongs)
  return belonging.filter(({ right }) => right).length / belonging.length
}
