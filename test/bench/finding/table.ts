import { median, percentile } from "../measure.ts"
import { type Half, type Labelled, PARAPHRASED } from "./queries.ts"

/** What one contestant found: for each query the addresses, best first. */
export interface Column {
  readonly name: string
  readonly addresses: ReadonlyArray<ReadonlyArray<string>>
  /** The processor time of each search, where it was measured. */
  readonly milliseconds?: ReadonlyArray<number>
  /** The addresses that stand for another address in the results. */
  readonly merged: Readonly<Record<string, string>>
}

/** A query with its place in the columns. */
export interface Asked extends Labelled {
  readonly at: number
  readonly half: Half
}

/** The mean reciprocal rank among the first ten, and the shares of queries answered first and within the first five. */
interface Score {
  readonly mrr: number
  readonly first: number
  readonly five: number
}

/** How far below the best column the hybrid may be. */
const TOLERANCE = 0.02
const HYBRID = "hybrid"

/** The place of the first right answer, from 0; -1 if there is none. */
export const placeOf = ({ addresses, merged }: Column, { at, expected }: Asked): number => {
  const right = new Set(expected.map((url) => merged[url] ?? url))
  return (addresses[at] ?? []).findIndex((url) => right.has(url))
}

const mean = (values: ReadonlyArray<number>) => values.reduce((sum, value) => sum + value, 0) / values.length

const scoreOf = (column: Column, asked: ReadonlyArray<Asked>): Score => {
  const places = asked.map((one) => placeOf(column, one))
  return {
    mrr: mean(places.map((place) => (place < 0 ? 0 : 1 / (place + 1)))),
    first: mean(places.map((place) => Number(place === 0))),
    five: mean(places.map((place) => Number(place >= 0 && place < 5)))
  }
}

const average = (scores: ReadonlyArray<Score>): Score => ({
  mrr: mean(scores.map(({ mrr }) => mrr)),
  first: mean(scores.map(({ first }) => first)),
  five: mean(scores.map(({ five }) => five))
})

/** A share without its leading zero, with so many digits. */
const share = (value: number, digits: number) =>
  value
    .toFixed(digits)
    .replace(/^0/, "")
    .slice(0, digits + 1)
const cell = ({ first, five, mrr }: Score) => `${share(mrr, 3)} ${share(first, 2)} ${share(five, 2)}`

/** Prints a line for each kind, and says where the hybrid is below the best column. */
export const printScores = (title: string, columns: ReadonlyArray<Column>, asked: ReadonlyArray<Asked>) => {
  const width = Math.max(12, ...columns.map(({ name }) => name.length)) + 2
  const line = (name: string, count: string, cells: ReadonlyArray<string>) =>
    `${name.padEnd(14)}${count.padStart(4)}  ${cells.map((one) => one.padEnd(width)).join("")}`.trimEnd()
  console.log(`\n${title}: MRR@10, right at 1, right within 5`)
  const names = columns.map(({ name }) => name)
  console.log(line("", "", names))
  const scored = [...Map.groupBy(asked, ({ kind }) => kind)].map(([kind, of]) => ({
    kind,
    count: String(of.length),
    scores: columns.map((column) => scoreOf(column, of))
  }))
  for (const { count, kind, scores } of scored) {
    const best = Math.max(...scores.map(({ mrr }) => mrr))
    const ours = scores[names.indexOf(HYBRID)]?.mrr ?? best
    const above = names.filter((_, at) => scores[at]?.mrr === best)
    const mark = best - ours > TOLERANCE ? `◄ ${share(best - ours, 2)} below ${above.join(", ")}` : ""
    console.log(line(kind, count, [...scores.map(cell), mark]))
  }
  const counted = scored.filter(({ kind }) => kind !== PARAPHRASED)
  if (counted.length > 1)
    console.log(
      line(
        "macro",
        "",
        names.map((_, at) => cell(average(counted.flatMap(({ scores }) => scores[at] ?? []))))
      )
    )
}

/** Prints the processor time of a search in the columns where it was measured. */
export const printTimes = (columns: ReadonlyArray<Column>) => {
  console.log("\nprocessor time of a search, in ms: median, 95th percentile")
  for (const { milliseconds, name } of columns)
    if (milliseconds !== undefined) {
      const times = [median(milliseconds), percentile(milliseconds, 0.95)]
      console.log(`${name.padEnd(18)}${times.map((time) => time.toFixed(1).padStart(8)).join("")}`)
    }
}

/** Lists the queries of the half to tune with that the hybrid does not answer first, and their places in each column. */
export const printFailures = (
  columns: ReadonlyArray<Column>,
  asked: ReadonlyArray<Asked>,
  titles: ReadonlyMap<string, string>
) => {
  const hybrid = columns.find(({ name }) => name === HYBRID)
  if (hybrid === undefined) return
  const named = (urls: ReadonlyArray<string>) => urls.map((url) => titles.get(url) ?? url).join(" | ")
  for (const one of asked) {
    if (one.half !== "tune" || placeOf(hybrid, one) === 0) continue
    const places = columns.map((column) => {
      const place = placeOf(column, one)
      return `${column.name} ${place < 0 ? "none" : place + 1}`
    })
    console.log(`\n${one.kind}: ${one.query}\n  wanted  ${named(one.expected)}`)
    console.log(`  found   ${named((hybrid.addresses[one.at] ?? []).slice(0, 5))}`)
    console.log(`  place   ${places.join(", ")}`)
  }
}
