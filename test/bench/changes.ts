import { join } from "node:path"
import { SqlClient } from "@effect/sql"
import { Effect, Layer, ManagedRuntime } from "effect"
import { LinkId } from "../../src/domain/Link.ts"
import { EditCollections } from "../../src/library/EditCollections.ts"
import { EditLinks } from "../../src/library/EditLinks.ts"
import { EditNames } from "../../src/library/EditNames.ts"
import { InboxStore } from "../../src/store/inbox/InboxStore.ts"
import { offlineAt } from "../support/libraryOf.ts"
import { meanwhile, newFolder, percentile, sizeOf, table } from "./harness.ts"
import { fill } from "./requests.ts"

/** The pause between arrivals, and between looks at the event loop, in milliseconds. */
const PAUSE = 4

/**
 * Changes of all of 20,000 links, and of tags and collections of a quarter of them, each undone: their duration and
 * processor time, how long an arrival waits meanwhile (99th percentile), and how long the event loop is held at most.
 */
export const changes = async () => {
  const size = sizeOf(20_000)
  const runtime = ManagedRuntime.make(
    Layer.merge(offlineAt(join(newFolder(), "library.db")), Layer.setTracerEnabled(false))
  )
  type Services = ManagedRuntime.ManagedRuntime.Context<typeof runtime>
  const run = <A, E>(work: Effect.Effect<A, E, Services>) => runtime.runPromise(work)
  let key = 0
  const arrive = Effect.flatMap(InboxStore, (inbox) =>
    inbox.keep({ source: "chat", key: String(key++), payload: "{}" })
  )
  const requests = { arrival: () => run(arrive), turn: () => Bun.sleep(PAUSE) }
  const rows: Array<Record<string, string | number>> = []
  const measured = async <A, E>(what: string, work: Effect.Effect<A, E, Services>): Promise<A> => {
    const before = process.cpuUsage()
    const { of, took, value } = await meanwhile(requests, () => run(work), PAUSE)
    const { system, user } = process.cpuUsage(before)
    rows.push({
      change: what,
      "took ms": took,
      "processor ms": (system + user) / 1_000,
      "an arrival waits ms": percentile(of("arrival").times, 0.99),
      "loop held ms": Math.max(0, ...of("turn").times) - PAUSE
    })
    return value
  }
  const andUndo = async <E>(what: string, work: Effect.Effect<{ readonly undo: string }, E, Services>) => {
    const { undo } = await measured(what, work)
    await measured(
      `undo: ${what}`,
      Effect.flatMap(EditLinks, (edits) => edits.undo(undo))
    )
  }

  await run(fill(0, size))
  await measured("nothing", Effect.sleep("1 second"))
  const ids = Array.from({ length: size }, (_, n) => LinkId.make(n + 1))
  const change = (edit: Parameters<EditLinks["Type"]["change"]>[1]) =>
    Effect.flatMap(EditLinks, (edits) => edits.change(ids, edit))
  await andUndo("favorite of all", change({ favorite: true }))
  await andUndo("category of all", change({ category: "x" }))
  await andUndo("a tag on all", change({ tagging: { add: ["new"], remove: [] } }))
  await andUndo("share all", change({ shareable: true }))

  await run(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`INSERT INTO collections (name, created_at) VALUES ('A', ''), ('B', '')`
      yield* sql`UPDATE links SET tags = json_array('one', iif(id % 4 = 0, 'js', 'javascript'), 'two'),
        collection_id = 1 + (id % 4 = 0) WHERE id % 4 < 2`
    })
  )
  const names = (to: { readonly name: string } | { readonly into: string }) =>
    Effect.flatMap(EditNames, (edits) => edits.edit("tag", "js", to))
  const collections = <A, E>(edit: (edits: EditCollections["Type"]) => Effect.Effect<A, E>) =>
    Effect.flatMap(EditCollections, edit)
  await andUndo("rename a tag of a quarter", names({ name: "ecmascript" }))
  await andUndo("merge two tags of a quarter", names({ into: "javascript" }))
  await andUndo(
    "merge two collections",
    collections((edits) => edits.merge(2, 1))
  )
  await andUndo(
    "share a collection",
    collections((edits) => edits.edit(1, { shareable: true }))
  )
  await andUndo(
    "delete a collection",
    collections((edits) => edits.remove(1))
  )
  await measured(
    "delete all",
    Effect.flatMap(EditLinks, (edits) => edits.remove(ids))
  )
  table(rows)
  await runtime.dispose()
}
