import { answers } from "./checkout.ts"
import { type Answers, type GivenLink, ways } from "./engine.ts"
import { knownLinks } from "./links.ts"
import { pages } from "./pages.ts"
import { peers } from "./peers.ts"
import { halfOf, halves, type Labelled, linkQueries, pageQuestions } from "./queries.ts"
import { type Asked, type Column, printFailures, printScores, printTimes } from "./table.ts"

/** How many real links are beside the recorded pages. */
const BESIDE = 2_000

const listOf = (name: string): ReadonlyArray<string> | undefined =>
  Bun.env[name]?.split(",").map((one) => one.trim())
const kinds = listOf("KINDS")
const named = listOf("COLUMNS")
const isWanted = (name: string) => named === undefined || named.includes(name)

const columnsOf = ({ found, merged }: Answers, prefix: string): ReadonlyArray<Column> =>
  ways.flatMap((way) => {
    const of = found[way]
    return of === undefined ? [] : [{ ...of, name: prefix + way, merged }]
  })

/** Asks every contestant, and prints how well and how fast they answer. */
const measure = async (
  what: string,
  links: ReadonlyArray<GivenLink>,
  labelled: ReadonlyArray<Labelled>,
  others: typeof peers
) => {
  const asked = labelled.map((one, at): Asked => ({ ...one, at, half: halfOf(one.query) }))
  if (asked.length === 0) return
  const queries = asked.map(({ query }) => query)
  const task = { links, queries, ways: ways.filter(isWanted), endpoint: false }
  const columns: Array<Column> = [...columnsOf(await answers(task), "")]
  for (const [name, make] of others)
    if (isWanted(name)) {
      const search = make(links)
      columns.push({ name, addresses: queries.map(search), merged: {} })
    }
  if (Bun.env["EMBEDDINGS_URL"] !== undefined)
    columns.push(
      ...columnsOf(await answers({ ...task, ways: ["meaning", "hybrid"], endpoint: true }), "endpoint: ")
    )
  const before = Bun.env["BEFORE"]
  if (before !== undefined) columns.push(...columnsOf(await answers(task, before), "before: "))

  console.log(`\n${asked.length} ${what} of ${links.length} links`)
  for (const half of halves)
    printScores(
      half,
      columns,
      asked.filter((one) => one.half === half)
    )
  printTimes(columns)
  if (Bun.env["SHOW"] !== undefined)
    printFailures(columns, asked, new Map(links.map(({ title, url }) => [url, title])))
}

const measureQueries = () =>
  measure(
    "queries",
    knownLinks().map(({ description, tags, title, url }) => ({
      url,
      title,
      description,
      tags,
      text: "",
      article: ""
    })),
    linkQueries().filter(({ kind }) => kinds === undefined || kinds.includes(kind)),
    peers
  )

const measureQuestions = async () => {
  const read = await pages()
  const known = knownLinks()
  const beside = known
    .filter((_, at) => at % Math.floor(known.length / BESIDE) === 0)
    .slice(0, BESIDE)
    .map(({ description, tags, title, url }) => ({ url, title, description, tags, text: "", article: "" }))
  // The pages are spread over the library, so that none is found for being the newest.
  const every = Math.floor(beside.length / read.length)
  const links = beside.flatMap((link, at): ReadonlyArray<GivenLink> => {
    const page = at % every === 0 ? read[at / every] : undefined
    return page === undefined ? [link] : [page, link]
  })
  const addresses = new Map(read.map(({ id, url }) => [id, url]))
  await measure(
    "questions over the texts of 189 pages",
    links,
    pageQuestions().map((one) => ({
      ...one,
      expected: one.expected.flatMap((id) => addresses.get(id) ?? [])
    })),
    peers.filter(([name]) => name === "BM25")
  )
}

/**
 * Measures the search on the labelled set (`queries.ts`), by words, by meaning and by both, beside BM25, LIKE and
 * MiniSearch; then on questions over the texts of recorded pages.
 *
 * The set has about 60 queries of each kind. Most were drawn from the links by `generate.ts`. The questions, the links
 * described again in other words, the paraphrases (words that the link does not contain: synonyms, German, French,
 * Spanish) and the questions over pages were written by hand, from a random sample of the links and from passages at the
 * beginning, in the middle and at the end of pages. All of it was made before a ranking was seen, and has not been
 * changed since. A hash puts each query into one of two halves: tune with `tune` alone, and make claims from `held`.
 *
 * | variable | meaning |
 * |---|---|
 * | `PART` | `queries` or `questions`: only that part |
 * | `KINDS`, `COLUMNS` | only these kinds and columns, separated by commas: `COLUMNS=words,meaning,hybrid,BM25` |
 * | `SHOW=1` | lists the queries of the half `tune` that are not answered first, and their place in each column |
 * | `BEFORE` | another checkout, whose search is measured as well |
 * | `EMBEDDINGS_URL` and its kin | the program's settings: an embeddings endpoint that is measured as well |
 */
export const finding = async () => {
  const part = Bun.env["PART"]
  if (part !== "questions") await measureQueries()
  if (part !== "queries") await measureQuestions()
}
