import { statSync } from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import { LinkStore } from "../../src/store/links/LinkStore.ts"
import { PageStore } from "../../src/store/pages/PageStore.ts"
import { Transaction } from "../../src/store/Transaction.ts"
import { found, newLink } from "../support/links.ts"
import { pageToKeep } from "../support/pages.ts"
import { hasPages } from "./enrichment/Pages.ts"
import { pages as recordedPages } from "./finding/labelled.ts"
import { newFolder, sizeOf } from "./harness.ts"
import { openStores } from "./requests.ts"

const BATCH = 250

/** The bytes that 10,000 kept pages take, beside those of their links with the text for searching. */
export const pages = async () => {
  if (!hasPages()) return console.log("Nothing was measured: shared/data/pages is not beside the checkout.")
  const size = sizeOf(10_000)
  const recorded = (await recordedPages()).filter(({ article }) => article !== "")
  const megabytes: Array<number> = []
  for (const isKept of [false, true]) {
    const file = join(newFolder(), "library.db")
    const runtime = openStores(file)
    const save = Effect.fnUntraced(function* (n: number) {
      const links = yield* LinkStore
      const { article = "", ...page } = recorded[n % recorded.length] ?? {}
      const { link } = yield* links.upsert(newLink(`${n}`))
      yield* links.finish(link.id, found(page))
      if (isKept)
        yield* (yield* PageStore).keep(link.id, pageToKeep("", { html: `${article}<p>Page ${n}</p>` }))
    })
    for (let from = 0; from < size; from += BATCH) {
      const numbers = Array.from({ length: Math.min(BATCH, size - from) }, (_, at) => from + at)
      await runtime.runPromise(
        Effect.flatMap(Transaction, (transaction) =>
          transaction(Effect.forEach(numbers, save, { discard: true }))
        )
      )
    }
    await runtime.dispose()
    megabytes.push(statSync(file).size / 1e6)
  }
  const [without = 0, kept = 0] = megabytes
  console.log(
    `${size} links take ${without.toFixed(0)} MB, their pages ${(kept - without).toFixed(0)} MB more`
  )
}
