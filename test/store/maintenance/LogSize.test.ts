import { afterAll, describe, expect, test } from "bun:test"
import { mkdtempSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { SqlClient } from "@effect/sql"
import { Effect, Fiber, Layer, Ref, Schedule, Stream } from "effect"
import { ExportLinks } from "../../../src/library/ExportLinks.ts"
import { databaseSideFiles } from "../../../src/store/DataFolder.ts"
import { LinkList } from "../../../src/store/links/LinkList.ts"
import { snapshotOf } from "../../../src/store/maintenance/Snapshot.ts"
import { stores } from "../../support/library.ts"
import { makeLibrary } from "../../support/libraryFile.ts"

const root = mkdtempSync(join(tmpdir(), "linkbower-log-"))
afterAll(() => rmSync(root, { recursive: true, force: true }))

/** In bytes. */
const MOST = 64_000_000
const LINKS = 500

/** Somebody who takes a piece and then long none, and has not come to the end when the writing is done. */
const slowly = <A>(pieces: Stream.Stream<A>, taken: Ref.Ref<number>) =>
  Stream.runForEach(pieces, () =>
    Effect.zipRight(
      Ref.update(taken, (n) => n + 1),
      Effect.sleep("2 seconds")
    )
  )

const readers: Record<
  string,
  (file: string, taken: Ref.Ref<number>) => Effect.Effect<unknown, unknown, ExportLinks | LinkList>
> = {
  "an export as JSON": (_, taken) =>
    Effect.flatMap(ExportLinks, (exports) => slowly(exports.write("json"), taken)),
  "an export as HTML": (_, taken) =>
    Effect.flatMap(ExportLinks, (exports) => slowly(exports.write("html"), taken)),
  "a list of all links": (_, taken) =>
    Effect.flatMap(LinkList, (list) => slowly(list.all({ terms: [], filters: [], sort: "newest" }), taken)),
  "one copy after the other": (file, taken) =>
    snapshotOf(file, `${file}.copy`, { replace: true }).pipe(
      Effect.zipRight(Ref.update(taken, (n) => n + 1)),
      Effect.repeat(Schedule.spaced("50 millis"))
    )
}

describe("the database's log", () => {
  for (const [name, read] of Object.entries(readers))
    test(`stays small while ${name} is taken slowly and 150 MB are written`, async () => {
      const file = join(mkdtempSync(join(root, "library-")), "library.db")
      await makeLibrary(file, LINKS)
      const program = Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const taken = yield* Ref.make(0)
        const reader = yield* Effect.fork(read(file, taken))
        yield* Effect.repeat(Ref.get(taken), { until: (n) => n > 0, schedule: Schedule.spaced("5 millis") })
        // Its own table, because an index of the words would take most of the time.
        yield* sql`CREATE TABLE written (id INTEGER PRIMARY KEY, bytes BLOB)`
        let largest = 0
        for (let n = 0; n < 300; n++) {
          yield* sql`INSERT OR REPLACE INTO written (id, bytes) VALUES (${n % 4}, randomblob(500000))`
          largest = Math.max(largest, statSync(databaseSideFiles(file).log).size)
          yield* Effect.sleep("1 millis")
        }
        expect(yield* Fiber.poll(reader)).toMatchObject({ _tag: "None" })
        yield* Fiber.interrupt(reader)
        return largest
      })
      const services = Layer.provideMerge(ExportLinks.layer, stores(file))
      const largest = await Effect.runPromise(Effect.scoped(Effect.provide(program, services)))
      console.log(`${name}: at most ${(largest / 1e6).toFixed(1)} MB`)
      expect(largest).toBeGreaterThan(0)
      expect(largest).toBeLessThan(MOST)
    }, 60_000)
})
