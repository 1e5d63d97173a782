/**
 * The speed claims, each as a ratio of contestants measured side by side in this run.
 * `bun run bench [webhook] [list] [save] [pipeline]`
 */
import { list } from "./list.ts"
import { pipeline } from "./pipeline.ts"
import { save } from "./save.ts"
import { webhook } from "./webhook.ts"

const benches = { webhook, list, save, pipeline }

const wanted = process.argv.slice(2)
for (const [name, run] of Object.entries(benches))
  if (wanted.length === 0 || wanted.includes(name)) await run()
