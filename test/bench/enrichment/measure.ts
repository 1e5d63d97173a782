import { mean, median, memoryOf, table, timed } from "../harness.ts"
import { type Answer, fields } from "./Answer.ts"
import { hasSiteInTitle, isRight, rightOf, scoreOf, titlesWithSite } from "./Fields.ts"
import { linkbower } from "./Linkbower.ts"
import { hasPages, readPages } from "./Pages.ts"

/** The values of an option that may be given more than once. */
const option = (name: string): ReadonlyArray<string> =>
  process.argv.flatMap((one, at) => (one === name ? [process.argv[at + 1] ?? ""] : []))

/**
 * Measures what is read from recorded pages: `bun run bench enrichment`, or `bun test/bench/enrichment/measure.ts`.
 *
 * `--misses FIELD` lists the pages where a field is wrong, `--misses suffix` the titles that hold the site's name.
 * `--half 0` or `--half 1` reads every second page, so that a rule made with one half is checked on the other.
 */
export const enrichment = async (): Promise<void> => {
  if (!hasPages()) return console.log("Nothing was measured: shared/data/pages is not beside the checkout.")
  const [half = ""] = option("--half")
  const pages = readPages().filter(({ id }) => half === "" || Bun.hash.crc32(id) % 2 === Number(half))
  const rights = new Map(pages.map((page) => [page.id, rightOf(page)]))
  const library = linkbower()
  const answers = new Map<string, Answer>()
  const milliseconds: Array<number> = []
  for (const page of pages.slice(0, 10)) await library.prepare(page)()
  for (const page of pages) {
    const { took, value } = await timed(library.prepare(page))
    answers.set(page.id, value)
    milliseconds.push(took)
  }

  table(
    fields.map((field) => {
      const { asked, right } = scoreOf(answers, rights, field)
      return { field, pages: asked, "right, %": (100 * right) / asked }
    })
  )
  const { held, titles } = titlesWithSite(answers, rights)
  console.log(
    `${pages.length} pages, ${held} of ${titles} titles hold their site's name; a page takes ${median(milliseconds).toFixed(1)} ms (median; mean ${mean(milliseconds).toFixed(1)}); at most ${memoryOf(process.pid, "VmHWM").toFixed(0)} MB`
  )

  for (const name of option("--misses")) {
    console.log(`\nMisses, ${name}:`)
    for (const [id, right] of rights) {
      const answer = answers.get(id)
      const field = fields.find((one) => one === name)
      if (answer === undefined) continue
      if (field === undefined) {
        if (hasSiteInTitle(answer, right))
          console.log(`${id}\t${answer.title}\t${JSON.stringify(right.sites)}`)
      } else if (right.values[field].length > 0 && !isRight(field, answer[field], right))
        console.log(
          `${id}\tsaid ${JSON.stringify(answer[field])}\tright ${JSON.stringify(right.values[field].map((one) => one.slice(0, 200)))}`
        )
    }
  }
}

if (import.meta.main) {
  await enrichment()
  process.exit()
}
