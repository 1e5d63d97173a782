import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { SqlClient } from "@effect/sql"
import { Effect, Layer, ManagedRuntime } from "effect"
import { EditCollections } from "../../src/library/EditCollections.ts"
import { EditLinks } from "../../src/library/EditLinks.ts"
import { EditNames } from "../../src/library/EditNames.ts"
import { NearTwins } from "../../src/library/NearTwins.ts"
import { LinkList } from "../../src/store/links/LinkList.ts"
import { offlineAt } from "../support/libraryOf.ts"
import { fill } from "./library.ts"
import { ms, report } from "./measure.ts"

const SIZE = 20_000
/** Links of each tag and collection that is changed. */
const EACH = 5_000
/** The pause between checks of the event loop, and the hold of it that requests do not notice, in milliseconds. */
const PAUSE = 2
const MOST_HELD = 100

/** Durations and holds of the event loop while a tag or a collection of 5,000 of 20,000 links is changed and undone. */
export const things = async () => {
  const folder = mkdtempSync(join(tmpdir(), "linkbower-bench-"))
  const runtime = ManagedRuntime.make(
    Layer.merge(offlineAt(join(folder, "library.db")), Layer.setTracerEnabled(false))
  )

  /** Runs the work, and reports how long it took, of which so much computing, and held the event loop at most. */
  const measured = async <A>(what: string, work: () => Promise<A>): Promise<A> => {
    let hold = 0
    let isOver = false
    const watch = async () => {
      while (!isOver) {
        const start = performance.now()
        await Bun.sleep(PAUSE)
        hold = Math.max(hold, performance.now() - start - PAUSE)
      }
    }
    const watching = watch()
    const start = performance.now()
    const before = process.cpuUsage()
    const value = await work()
    const took = performance.now() - start
    const { system, user } = process.cpuUsage(before)
    isOver = true
    await watching
    const figures = `took ${ms(took)}, ${ms((system + user) / 1000)} of processor time; loop held ${ms(hold)}`
    report(`${what}: longest hold / ${ms(MOST_HELD)}`, hold / MOST_HELD, { most: 1 }, figures)
    return value
  }

  /** Measures a change and its undo. */
  const andUndo = async <E>(
    what: string,
    change: Effect.Effect<
      { readonly undo: string; readonly changed: number },
      E,
      ManagedRuntime.ManagedRuntime.Context<typeof runtime>
    >
  ) => {
    const { changed, undo } = await measured(what, () => runtime.runPromise(change))
    if (changed < EACH) throw new Error(`${what} changed ${changed} links`)
    await measured(`undo: ${what}`, () =>
      runtime.runPromise(Effect.flatMap(EditLinks, (edits) => edits.undo(undo)))
    )
  }

  try {
    await runtime.runPromise(fill(0, SIZE))
    await runtime.runPromise(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`INSERT INTO collections (name, created_at) VALUES ('A', ''), ('B', '')`
        yield* sql`UPDATE links SET tags = json_array('one', iif(id % 4 = 0, 'js', 'javascript'), 'two'),
          collection_id = 1 + (id % 4 = 0) WHERE id % 4 < 2`
      })
    )
    const names = Effect.flatMap(EditNames, (edits) => edits.edit("tag", "js", { name: "ecmascript" }))
    await andUndo("rename a tag of 5,000", names)
    const merge = Effect.flatMap(EditNames, (edits) => edits.edit("tag", "js", { into: "javascript" }))
    await andUndo("merge two tags of 5,000", merge)
    const into = Effect.flatMap(EditCollections, (edits) => edits.merge(2, 1))
    await andUndo("merge two collections of 5,000", into)
    const share = Effect.flatMap(EditCollections, (edits) => edits.edit(1, { shareable: true }))
    await andUndo("share a collection of 5,000", share)
    const remove = Effect.flatMap(EditCollections, (edits) => edits.remove(1))
    await andUndo("delete a collection of 5,000", remove)
    const page = Effect.flatMap(LinkList, (list) =>
      list.page({ terms: [], filters: [], collection: 1, sort: "newest", limit: 50 })
    )
    await measured("a page of a collection of 5,000", () => runtime.runPromise(page))
    const words = ["web", "music", "garden", "travel", "photo", "paper", "science", "cloud", "food", "game"]
    const labels = Array.from({ length: 2_000 }, (_, i) => `${words[i % 10]}-${words[(i * 7) % 9]}-${i}`)
    const compared = labels.map((name) => ({ name, label: name }))
    const twins = Effect.flatMap(NearTwins, (near) => near.among(compared))
    await measured("twins among 2,000 names", () => runtime.runPromise(twins))
    const others = Effect.flatMap(NearTwins, (near) => near.among(compared.slice(1)))
    await measured("twins among names compared before", () => runtime.runPromise(others))
  } finally {
    await runtime.dispose()
    rmSync(folder, { recursive: true, force: true })
  }
}
