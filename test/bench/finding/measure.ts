import { median, percentile } from "../measure.ts"
import { answers } from "./checkout.ts"
import { type Answers, type GivenLink, type Way, ways } from "./engine.ts"
import { knownLinks } from "./links.ts"
import { peers } from "./peers.ts"
import { type Half, halfOf, halves, type Labelled, queries } from "./queries.ts"

/** How far below the best column the hybrid may be. */
const TOLERANCE = 0.02
const COLUMN = "hybrid"

/** What one contestant found: for each query the addresses, best first. */
interface Column {
  readonly name: string
  readonly addresses: ReadonlyArray<ReadonlyArray<string>>
  readonly milliseconds?: ReadonlyArray<number>
  readonly merged: Readonly<Record<string, string>>
}

/** A query and its place in the columns. */
interface Asked extends Labelled {
  readonly at: number
  readonly half: Half
}

/** The mean reciprocal rank among the first ten, and the shares of queries answered first and within the first five. */
interface Score {
  readonly mrr: number
  readonly first: number
  readonly five: number
}

const listOf = (name: string): ReadonlyArray<string> | undefined =>
  Bun.env[name]?.split(",").map((one) => one.trim())

/** The place of the first right answer, from 0; -1 if there is none. */
const placeOf = ({ addresses, merged }: Column, { at, expected }: Asked): number => {
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
const printHalf = (half: Half, columns: ReadonlyArray<Column>, asked: ReadonlyArray<Asked>) => {
  const kinds = [...Map.groupBy(asked, ({ kind }) => kind)]
  const width = Math.max(12, ...columns.map(({ name }) => name.length)) + 2
  const line = (name: string, count: string, cells: ReadonlyArray<string>) =>
    `${name.padEnd(14)}${count.padStart(4)}  ${cells.map((one) => one.padEnd(width)).join("")}`
  console.log(`\n${half}: MRR@10, right at 1, right within 5`)
  console.log(
    line(
      "",
      "",
      columns.map(({ name }) => name)
    )
  )
  const scored = kinds.map(([kind, of]) => ({
    kind,
    of,
    scores: columns.map((column) => scoreOf(column, of))
  }))
  for (const { kind, of, scores } of scored) {
    const best = Math.max(...scores.map(({ mrr }) => mrr))
    const ours = scores[columns.findIndex(({ name }) => name === COLUMN)]?.mrr ?? best
    const above = columns.filter((_, at) => (scores[at]?.mrr ?? 0) === best).map(({ name }) => name)
    const mark = best - ours > TOLERANCE ? `◄ ${share(best - ours, 2)} below ${above.join(", ")}` : ""
    console.log(line(kind, String(of.length), [...scores.map(cell), mark]).trimEnd())
  }
  const macro = columns.map((_, at) => average(scored.flatMap(({ scores }) => scores[at] ?? [])))
  console.log(line("macro", "", macro.map(cell)))
}

/** Lists the queries of the half to tune with that the hybrid does not answer within the first five. */
const printFailures = (
  columns: ReadonlyArray<Column>,
  asked: ReadonlyArray<Asked>,
  links: ReadonlyArray<GivenLink>
) => {
  const column = columns.find(({ name }) => name === COLUMN)
  const titles = new Map(links.map(({ title, url }) => [url, title]))
  for (const one of asked) {
    if (column === undefined || one.half !== "tune") continue
    const place = placeOf(column, one)
    if (place >= 0 && place < 5) continue
    const named = (urls: ReadonlyArray<string>) => urls.map((url) => titles.get(url)).join(" | ")
    console.log(`\n${one.kind}: ${one.query}\n  wanted  ${named(one.expected)}`)
    console.log(
      `  found   ${named((column.addresses[one.at] ?? []).slice(0, 5))}${place < 0 ? "" : ` (at ${place + 1})`}`
    )
  }
}

/** The columns of a checkout's answers. */
const columnsOf = ({ found, merged }: Answers, before: string): ReadonlyArray<Column> =>
  ways.flatMap((way) => {
    const of = found[way]
    return of === undefined ? [] : [{ ...of, name: before + way, merged }]
  })

/**
 * Measures the search on the labelled set (`queries.ts`), by words, by meaning and by both, beside BM25, LIKE and
 * MiniSearch.
 *
 * The set has about 60 queries of each kind. Most were drawn by `generate.ts`; the questions and the links described
 * again in other words were written by hand from a random sample of the links. All of it was made before a ranking was
 * seen. A hash puts each query into one of two halves: tune with `tune` alone, and make claims from `held`.
 *
 * | variable | meaning |
 * |---|---|
 * | `BEFORE` | another checkout, whose search is measured as well |
 * | `KINDS`, `COLUMNS` | only these kinds and columns, separated by commas: `COLUMNS=words,meaning,hybrid,BM25` |
 * | `SHOW=1` | lists the queries of the half `tune` that are not answered within the first five |
 */
export const finding = async () => {
  const kinds = listOf("KINDS")
  const named = listOf("COLUMNS")
  const isWanted = (name: string) => named === undefined || named.includes(name)
  const asked = queries()
    .filter(({ kind }) => kinds === undefined || kinds.includes(kind))
    .map((one, at): Asked => ({ ...one, at, half: halfOf(one.query) }))
  const links = knownLinks().map(
    ({ description, tags, title, url }): GivenLink => ({ url, title, description, tags, text: "" })
  )
  const texts = asked.map(({ query }) => query)
  const task = { links, queries: texts, ways: ways.filter((way: Way) => isWanted(way)) }
  const columns: Array<Column> = [...columnsOf(await answers(task), "")]
  for (const [name, make] of peers) {
    if (!isWanted(name)) continue
    const search = make(links)
    columns.push({ name, addresses: texts.map(search), merged: {} })
  }
  const before = Bun.env["BEFORE"]
  if (before !== undefined) columns.push(...columnsOf(await answers(task, before), "before: "))

  console.log(`${asked.length} queries of ${links.length} links`)
  for (const half of halves)
    printHalf(
      half,
      columns,
      asked.filter((one) => one.half === half)
    )
  console.log("\nprocessor time of a search, in ms: median, 95th percentile")
  for (const { milliseconds, name } of columns)
    if (milliseconds !== undefined)
      console.log(
        `${name.padEnd(18)}${median(milliseconds).toFixed(1).padStart(8)}${percentile(milliseconds, 0.95).toFixed(1).padStart(8)}`
      )
  if (Bun.env["SHOW"] !== undefined) printFailures(columns, asked, links)
}
