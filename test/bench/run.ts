/**
 * Measures the speed claims, each as a ratio of contestants measured side by side.
 *
 * `bun run bench` runs all, `bun run bench NAME …` some, `bun run bench --list` lists them. `BENCH_LINKS`
 * and `BENCH_ROUNDS` are the most links of a library and rounds of a measurement, `BENCH_LIBRARIES` names a folder that
 * keeps the libraries for later runs, and `BEFORE` another checkout to compare with (footprint, finding, duplicates).
 *
 * Benches of single parts are programs of their own: `embedding/measure.ts`, `embedding/shares.ts`,
 * `embedding/smallTalk.ts`, `filing/filing.ts`, `filing/spread.ts`; `training/train.ts` makes the embedder's table.
 */
import { changes } from "./changes.ts"
import { dashboard } from "./dashboard.ts"
import { duplicates } from "./duplicates/measure.ts"
import { enrichment } from "./enrichment/measure.ts"
import { finding } from "./finding/measure.ts"
import { firstHour } from "./firstHour.ts"
import { footprint } from "./footprint.ts"
import { organize } from "./organize.ts"
import { pages } from "./pages.ts"
import { list, save, webhook } from "./requests.ts"
import { publicSearch, search } from "./search.ts"

const benches: Readonly<Record<string, readonly [what: string, run: () => Promise<void>]>> = {
  webhook: ["acknowledging a message, against a sync of the disk", webhook],
  save: ["saving a link, against a sync of the disk", save],
  list: ["a page of the list and the whole list, against a bare server", list],
  search: ["the owner's search, against a scan", search],
  public: ["strangers' searches, and an attack with them", publicSearch],
  changes: ["changes of thousands of links, tags and collections", changes],
  pages: ["what kept pages cost", pages],
  organize: ["organize and duplicates over whole libraries", organize],
  footprint: ["start and memory", footprint],
  dashboard: ["the dashboard in a browser", dashboard],
  finding: ["whether the search finds the right link", finding],
  duplicates: ["recall and precision of duplicates", duplicates],
  enrichment: ["what is read from recorded pages", enrichment],
  firstHour: ["from nothing to the first link in the dashboard", firstHour]
}

const given = process.argv.slice(2)
const options = given.findIndex((one) => one.startsWith("-"))
const names = options < 0 ? given : given.slice(0, options)
const unknown = names.filter((name) => !(name in benches))
if (given.includes("--list") || unknown.length > 0) {
  if (unknown.length > 0) console.log(`There is no ${unknown.join(" and no ")}. The benches:`)
  for (const [name, [what]] of Object.entries(benches)) console.log(`${name.padEnd(12)} ${what}`)
  process.exit(unknown.length > 0 ? 1 : 0)
}
for (const [name, [, run]] of Object.entries(benches))
  if (names.length === 0 || names.includes(name)) await run()

// Resources of an aborted stream would keep the process running.
process.exit()
