import { checkouts, HERE, mean, median, percentile, runOver, shown, table } from "../harness.ts"
import { bm25 } from "./bm25.ts"
import { type Answers, type GivenLink, type Task, ways } from "./engine.ts"
import {
  BEYOND_WORDS,
  type Half,
  halfOf,
  halves,
  knownLinks,
  type Labelled,
  linkQueries,
  pageQuestions,
  pages
} from "./labelled.ts"

/** How many real links are beside the recorded pages. */
const BESIDE = 2_000
/** How far below the best column the hybrid may be. */
const TOLERANCE = 0.02
const HYBRID = "hybrid"

const listOf = (name: string): ReadonlyArray<string> | undefined =>
  Bun.env[name]?.split(",").map((one) => one.trim())
const kinds = listOf("KINDS")
const named = listOf("COLUMNS")
const isWanted = (name: string) => named === undefined || named.includes(name)

/** What one contestant found: for each query the addresses, best first. */
interface Column {
  readonly name: string
  readonly addresses: ReadonlyArray<ReadonlyArray<string>>
  /** The processor time of each search, where it was measured. */
  readonly milliseconds?: ReadonlyArray<number>
  /** The addresses that stand for another address in the results. */
  readonly merged: Readonly<Record<string, string>>
}

/** A query with its place in the columns. */
interface Asked extends Labelled {
  readonly at: number
  readonly half: Half
}

/** The place of the first right answer, from 0; -1 if there is none. */
const placeOf = ({ addresses, merged }: Column, { at, expected }: Asked): number => {
  const right = new Set(expected.map((url) => merged[url] ?? url))
  return (addresses[at] ?? []).findIndex((url) => right.has(url))
}

/** The first results, which are seen without scrolling. */
const SEEN = 4

/**
 * The mean reciprocal rank among the first ten, the half of its 95% interval, and the shares of queries answered first,
 * within the first four, and within ten.
 */
const scoreOf = (column: Column, asked: ReadonlyArray<Asked>): ReadonlyArray<number> => {
  const places = asked.map((one) => placeOf(column, one))
  const ranks = places.map((place) => (place < 0 ? 0 : 1 / (place + 1)))
  const mrr = mean(ranks)
  const deviation = Math.sqrt(mean(ranks.map((rank) => (rank - mrr) ** 2)))
  const within = (most: number) => mean(places.map((place) => Number(place >= 0 && place < most)))
  return [mrr, (1.96 * deviation) / Math.sqrt(ranks.length), within(1), within(SEEN), within(10)]
}
const cell = ([mrr = 0, interval = 0, ...within]: ReadonlyArray<number>) =>
  `${shown(mrr)} ±${shown(interval, 2)} ${within.map((share) => shown(share, 2)).join(" ")}`

/** Prints a line for each kind, and says where the hybrid is below the best column. */
const printScores = (title: string, columns: ReadonlyArray<Column>, asked: ReadonlyArray<Asked>) => {
  const scored = [...Map.groupBy(asked, ({ kind }) => kind)].map(([kind, of]) => ({
    kind,
    count: of.length,
    scores: columns.map((column) => scoreOf(column, of))
  }))
  const cells = (scores: ReadonlyArray<ReadonlyArray<number>>) =>
    Object.fromEntries(columns.map(({ name }, at) => [name, cell(scores[at] ?? [])]))
  const rows = scored.map(({ count, kind, scores }) => {
    const best = Math.max(...scores.map(([mrr = 0]) => mrr))
    const ours = scores[columns.findIndex(({ name }) => name === HYBRID)]?.[0] ?? best
    const above = columns.flatMap(({ name }, at) => (scores[at]?.[0] === best ? [name] : []))
    const mark = best - ours > TOLERANCE ? `${shown(best - ours, 2)} below ${above.join(", ")}` : ""
    return { kind, queries: count, ...cells(scores), "": mark }
  })
  const counted = scored.filter(({ kind }) => !BEYOND_WORDS.has(kind))
  const macro = columns.map((_, at) =>
    [0, 1, 2, 3, 4].map((part) => mean(counted.map(({ scores }) => scores[at]?.[part] ?? 0)))
  )
  console.log(`\n${title}: MRR@10 with 95% interval, right at 1, within 4, within 10`)
  table(counted.length > 1 ? [...rows, { kind: "macro", ...cells(macro) }] : rows)
}

/** Lists the queries of the half to tune with that the hybrid does not answer first, and their places in each column. */
const printFailures = (
  columns: ReadonlyArray<Column>,
  asked: ReadonlyArray<Asked>,
  titles: ReadonlyMap<string, string>
) => {
  const hybrid = columns.find(({ name }) => name === HYBRID)
  if (hybrid === undefined) return
  const titlesOf = (urls: ReadonlyArray<string>) => urls.map((url) => titles.get(url) ?? url).join(" | ")
  for (const one of asked) {
    if (one.half !== "tune" || placeOf(hybrid, one) === 0) continue
    const places = columns.map((column) => `${column.name} ${placeOf(column, one) + 1 || "none"}`)
    console.log(`\n${one.kind}: ${one.query}\n  wanted  ${titlesOf(one.expected)}`)
    console.log(`  found   ${titlesOf((hybrid.addresses[one.at] ?? []).slice(0, 5))}`)
    console.log(`  place   ${places.join(", ")}`)
  }
}

/** Asks every contestant, and prints how well and how fast they answer. */
const measure = async (what: string, links: ReadonlyArray<GivenLink>, labelled: ReadonlyArray<Labelled>) => {
  const asked = labelled.map((one, at): Asked => ({ ...one, at, half: halfOf(one.query) }))
  if (asked.length === 0) return
  const queries = asked.map(({ query }) => query)
  const columns: Array<Column> = []
  const ask = async (prefix: string, root: string, task: Partial<Task> = {}) => {
    const all: Task = { links, queries, ways: ways.filter(isWanted), endpoint: false, ...task }
    const { found, merged } = await runOver<Task, Answers>(root, "finding/engine.ts", all)
    for (const way of ways)
      if (found[way] !== undefined) columns.push({ ...found[way], name: prefix + way, merged })
  }
  for (const [name, root] of checkouts) await ask(root === HERE ? "" : `${name}: `, root)
  if (isWanted("BM25")) columns.push({ name: "BM25", addresses: queries.map(bm25(links)), merged: {} })
  if (Bun.env["EMBEDDINGS_URL"] !== undefined)
    await ask("endpoint: ", HERE, { ways: ["meaning", "hybrid"], endpoint: true })
  const encoder = Bun.env["ENCODER"]
  if (encoder !== undefined) await ask("encoder: ", HERE, { encoder })

  console.log(`\n${asked.length} ${what} of ${links.length} links`)
  for (const half of halves) {
    const own = asked.filter((one) => one.half === half)
    if (own.length > 0) printScores(half, columns, own)
  }
  console.log("\nprocessor time of a search, in ms")
  table(
    columns.flatMap(({ milliseconds, name }) =>
      milliseconds === undefined
        ? []
        : [{ search: name, median: median(milliseconds), "95th percentile": percentile(milliseconds, 0.95) }]
    )
  )
  if (Bun.env["SHOW"] !== undefined)
    printFailures(columns, asked, new Map(links.map(({ title, url }) => [url, title])))
}

const someLinks = (queries: ReadonlyArray<Labelled>) => {
  const known = knownLinks()
  const right = new Set(queries.flatMap(({ expected }) => expected))
  const others = known.filter(({ url }) => !right.has(url))
  const step = others.length / Math.min(others.length, Number(Bun.env["LINKS"] ?? others.length))
  const kept = new Set(others.filter((_, at) => Math.floor(at / step) !== Math.floor((at - 1) / step)))
  return known.filter((link) => right.has(link.url) || kept.has(link))
}

const measureQuestions = async () => {
  const read = await pages()
  const known = knownLinks()
  const beside = known.filter((_, at) => at % Math.floor(known.length / BESIDE) === 0).slice(0, BESIDE)
  // The pages are spread over the library, so that none is found for being the newest.
  const every = Math.floor(beside.length / read.length)
  const links = beside.flatMap((link, at): ReadonlyArray<GivenLink> => {
    const page = at % every === 0 ? read[at / every] : undefined
    return page === undefined ? [link] : [page, link]
  })
  const addresses = new Map(read.map(({ id, url }) => [id, url]))
  const questions = pageQuestions().map((one) => ({
    ...one,
    expected: one.expected.flatMap((id) => addresses.get(id) ?? [])
  }))
  await measure(`questions over the texts of ${read.length} pages`, links, questions)
}

/**
 * Measures the search on the labelled set (`labelled.ts`), by words, by words and those near to them in meaning, by
 * meaning and by all, beside BM25; then on questions over the texts of recorded pages.
 *
 * The set has about 60 queries of each kind. Most (`generated.jsonl`) were drawn from the links with a fixed seed: a query
 * counts only if at most four links answer it literally, and all that do are right answers. The questions, the links
 * described again in other words, the paraphrases (words that the link does not contain: synonyms, German, French,
 * Spanish) and the questions over pages were written by hand, from a random sample of the links and from passages at the
 * beginning, in the middle and at the end of pages. The searches in ten other languages and the everyday questions were
 * written for some 85 needs, each with all links that meet it. All of it was made before a ranking was seen, and has not
 * been changed since. A hash puts each query into one of two halves: tune with `tune` alone, and make claims from `held`.
 *
 * | variable | meaning |
 * |---|---|
 * | `PART` | `queries` or `questions`: only that part |
 * | `KINDS`, `COLUMNS` | only these kinds and columns, separated by commas: `COLUMNS=words,widened,meaning,hybrid,BM25` |
 * | `SHOW=1` | lists the queries of the half `tune` that are not answered first, and their place in each column |
 * | `BEFORE` | another checkout, whose search is measured as well |
 * | `ENCODER` | the encoder's file: the search with it is measured as well |
 * | `LINKS` | only the right answers and about this many other links |
 * | `EMBEDDINGS_URL` and its kin | the program's settings: an embeddings endpoint that is measured as well |
 */
export const finding = async () => {
  const part = Bun.env["PART"]
  const queries = linkQueries().filter(({ kind }) => kinds === undefined || kinds.includes(kind))
  if (part !== "questions") await measure("queries", someLinks(queries), queries)
  if (part !== "queries") await measureQuestions()
}
