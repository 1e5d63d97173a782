import { rightOf } from "./Fields.ts"
import { expectedOf, hasPages, readPages, type TestPage } from "./Pages.ts"
import { hasPeers, installCommand, peers } from "./Peers.ts"
import {
  expectedTexts,
  fieldNamed,
  fieldsTable,
  misses,
  structureMisses,
  structureTable,
  suffixedTitles,
  textMisses,
  textTable,
  withText
} from "./Tables.ts"
import { type Reading, readAll } from "./Workers.ts"

const READABILITY = "Readability on jsdom"
/** The shortest text of Readability that stands in for an expected one, in characters. */
const SHORTEST = 500

/** The expected texts; where the set has none, those of Readability on jsdom, with the name of what they are. */
const expectation = (pages: ReadonlyArray<TestPage>, readings: ReadonlyArray<Reading>) => {
  const html = pages.flatMap(({ id }) => {
    const article = expectedOf(id)
    return article === undefined ? [] : [[id, article] as const]
  })
  const articles = new Map(html)
  if (html.length > 0) return { source: "expected.html", articles, texts: expectedTexts(articles) }
  const reading = readings.find(({ name }) => name === READABILITY)
  const texts = [...(reading?.answers ?? [])].flatMap(([id, { text }]) =>
    text !== null && text.length >= SHORTEST ? [[id, text] as const] : []
  )
  return { source: READABILITY, articles, texts: new Map(texts) }
}

/** The values of an option that may be given more than once. */
const option = (name: string): ReadonlyArray<string> =>
  process.argv.flatMap((one, at) => (one === name ? [process.argv[at + 1] ?? ""] : []))

/**
 * Compares what Linkbower reads from recorded pages with what other libraries read: `bun run bench enrichment`.
 *
 * `PEERS` names the folder where the others are installed; without it only Linkbower is measured. `EXPECTED` names a
 * folder of expected texts, `<set>/<page>/expected.html`, for pages that have none beside them. `--misses <field>` lists
 * the pages where Linkbower, or the library that `--of` names, is wrong. `--misses text` lists the texts, the worst first,
 * `--misses structure` the parts of articles that another library keeps better, and `--misses suffix` the titles that
 * hold the site's name. `--peers text` compares with the libraries that extract text alone. `--half 0` or `--half 1` reads
 * every second page, so that a rule made with one half is checked on the other.
 * `--only <part of an id>` reads only the pages whose id contains it.
 */
export const enrichment = async (): Promise<void> => {
  if (!hasPages()) return console.log("Nothing was measured: shared/data/pages is not beside the checkout.")
  const [only = ""] = option("--only")
  const [half = ""] = option("--half")
  const pages = readPages().filter(
    ({ id }) => id.includes(only) && (half === "" || Bun.hash.crc32(id) % 2 === Number(half))
  )
  if (!hasPeers())
    console.log(
      `Only Linkbower is measured. To compare it, set PEERS to a folder and install:\n${installCommand}\n`
    )
  const rivals = option("--peers").includes("text") ? ["defuddle", READABILITY] : peers.keys()
  const readings = await readAll(["Linkbower", ...(hasPeers() ? rivals : [])], pages)
  const rights = new Map(pages.map((page) => [page.id, rightOf(page)]))
  const titles = new Map(
    pages.map(({ id, tags }) => [
      id,
      [tags.title, tags.ogTitle, tags.twitterTitle, tags.h1].flatMap((one) => one ?? [])
    ])
  )
  const { articles, source, texts } = expectation(pages, readings)

  console.log(`${pages.length} pages, each library in a process of its own, taking turns.\n`)
  console.log(fieldsTable(readings, rights))
  if (source === READABILITY)
    console.log(
      `\nNo expected.html was found (EXPECTED names a folder of them); ` +
        `${texts.size === 0 ? "the text is not compared." : `the text is compared with that of ${READABILITY}, a proxy.`}`
    )
  if (texts.size > 0) console.log(`\n${textTable(withText(readings), texts, source)}`)
  if (articles.size > 0) console.log(`\n${structureTable(readings, articles, titles)}`)
  for (const { failures, name } of readings)
    for (const [failure, ids] of Map.groupBy(failures.keys(), (id) => failures.get(id)))
      console.log(`\n${name} failed on ${ids.length} pages (${ids.slice(0, 3).join(", ")}): ${failure}`)

  const [subject = "Linkbower"] = option("--of")
  for (const name of option("--misses")) {
    const field = fieldNamed(name)
    const lines =
      field !== undefined
        ? misses(readings, subject, rights, field)
        : name === "suffix"
          ? suffixedTitles(
              readings.find((reading) => reading.name === subject),
              rights
            )
          : name === "structure"
            ? structureMisses(readings, articles, titles)
            : textMisses(readings, texts)
    console.log(`\nMisses, ${name}: ${lines.length}\n${lines.join("\n")}`)
  }
}

if (import.meta.main) {
  await enrichment()
  process.exit()
}
