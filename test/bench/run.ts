/**
 * Measures the speed claims, each as a ratio of contestants measured side by side.
 * `bun run bench [door] [webhook] [list] [save] [deletion] [changes] [pages] [pipeline] [search] [public] [finding] [duplicates] [organize] [footprint] [floods] [dashboard] [import] [crowd] [signIn] [enrichment] [refresh] [things] [week] [soak] [firstHour]`
 *
 * Benches of single parts are separate programs: `vectors/scan.ts`, `vectors/pairs.ts`, `embedding/measure.ts`,
 * `filing/filing.ts`, `filing/clusters.ts`, `filing/speed.ts`, `filing/cost.ts`.
 */
import { changes } from "./changes.ts"
import { crowd } from "./crowd.ts"
import { dashboard } from "./dashboard.ts"
import { deletion } from "./deletion.ts"
import { door } from "./door.ts"
import { duplicates } from "./duplicates/measure.ts"
import { enrichment } from "./enrichment/measure.ts"
import { refreshing } from "./enrichment/refresh.ts"
import { finding } from "./finding/measure.ts"
import { firstHour } from "./firstHour.ts"
import { floods } from "./floods.ts"
import { footprint } from "./footprint.ts"
import { importing } from "./import.ts"
import { list } from "./list.ts"
import { organize } from "./organize.ts"
import { pages } from "./pages.ts"
import { pipeline } from "./pipeline.ts"
import { publicSearch } from "./public.ts"
import { save } from "./save.ts"
import { search } from "./search.ts"
import { signIn } from "./signIn.ts"
import { soak } from "./soak.ts"
import { things } from "./things.ts"
import { webhook } from "./webhook.ts"
import { week } from "./week.ts"

const benches = {
  door,
  webhook,
  list,
  save,
  deletion,
  changes,
  pages,
  pipeline,
  search,
  public: publicSearch,
  finding,
  duplicates,
  organize,
  footprint,
  floods,
  dashboard,
  import: importing,
  crowd,
  signIn,
  enrichment,
  refresh: refreshing,
  things,
  week,
  soak,
  firstHour
}

const wanted = process.argv.slice(2)
for (const [name, run] of Object.entries(benches))
  if (wanted.length === 0 || wanted.includes(name)) await run()

// Resources of an aborted stream would keep the process running.
process.exit()
