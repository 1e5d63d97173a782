import type { Contestant } from "./Contestants.ts"
import { accuracy, type Filed, file, librariesOf } from "./Filing.ts"
import { type ListedLink, textOf, withoutBadges } from "./Links.ts"
import { neighboursRight } from "./Neighbours.ts"
import { atThreshold } from "./Threshold.ts"

const LIBRARIES = 40
const SEED = 20

/** The measurements of one embedder on one set of links. */
export interface Measured {
  /** The share of correct neighbours over all links, badges included. */
  readonly everyLink: number
  readonly neighbours: number
  readonly outsideLatin: number
  readonly libraries: ReadonlyArray<ReadonlyArray<Filed>>
}

const OUTSIDE_LATIN = /[^\p{sc=Latin}\P{L}]/u

/** Measures an embedder on one set of links. */
export const measured = ({ embed }: Contestant, all: ReadonlyArray<ListedLink>): Measured => {
  const links = withoutBadges(all)
  const vectorsOf = (some: ReadonlyArray<ListedLink>) => some.map((link) => embed(textOf(link)))
  const vectors = vectorsOf(links)
  return {
    everyLink: neighboursRight(all, vectorsOf(all)),
    neighbours: neighboursRight(links, vectors),
    outsideLatin: neighboursRight(links, vectors, (link) => OUTSIDE_LATIN.test(textOf(link))),
    libraries: librariesOf(links, LIBRARIES, SEED).map((library) => file(library, vectors))
  }
}

/** A share with three decimals and no leading zero. */
export const shown = (value: number): string => value.toFixed(3).replace(/^0/, "")

/** The mean over libraries and half the width of its 95% interval. */
export const interval = (values: ReadonlyArray<number>): string => {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const variance =
    values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / Math.max(values.length - 1, 1)
  return `${shown(mean)} ± ${shown(1.96 * Math.sqrt(variance / values.length))}`
}

/** The filing shares at a threshold with their intervals over libraries. */
export const thresholdLine = ({ libraries }: Measured, threshold: number): string => {
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

/** The first three measures in one line. */
export const measureLine = ({ everyLink, libraries, neighbours, outsideLatin }: Measured): string =>
  [
    `neighbours ${shown(neighbours)} (badges too ${shown(everyLink)}, outside Latin ${shown(outsideLatin)})`,
    `filing ${interval(libraries.map(accuracy))}`
  ].join("  ")
