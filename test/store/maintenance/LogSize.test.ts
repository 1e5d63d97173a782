import { afterAll, expect, test } from "bun:test"
import { mkdtempSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { SqlClient } from "@effect/sql"
import { Effect, Fiber, Layer, Ref, Schedule, Stream } from "effect"
import { ExportLinks } from "../../../src/library/ExportLinks.ts"
import { databaseSideFiles } from "../../../src/store/DataFolder.ts"
import { LinkList } from "../../../src/store/links/LinkList.ts"
import { snapshotOf } from "../../../src/store/maintenance/Snapshot.ts"
import { storesAt } from "../../support/library.ts"
import { makeLibrary } from "../../support/libraryFile.ts"
import { byTier, long } from "../../support/tier.ts"

const root = mkdtempSync(join(tmpdir(), "linkbower-log-"))
afterAll(() => rmSync(root, { recursive: true, force: true }))

/** The most that the log may grow to, in bytes; the test writes half as much again. */
const LIMIT = byTier(40_000_000, 64_000_000)
const WRITE = 2_000_000
const LINKS = byTier(210, 500)

long(test)("the database's log stays small while exports, a list and copies are read slowly", async () => {
  const file = join(mkdtempSync(join(root, "run-")), "library.db")
  await makeLibrary(file, LINKS)
  const program = Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const [exports, list] = [yield* ExportLinks, yield* LinkList]
    const begun = yield* Ref.make(new Set<string>())
    const note = (reader: string) => Ref.update(begun, (all) => new Set([...all, reader]))
    /** Takes two pieces, and the next one never: the stream has not ended when the writing has. */
    const readSlowly = <A, E>(reader: string, pieces: Stream.Stream<A, E>) =>
      Stream.runForEach(Stream.drop(pieces, 1), () => Effect.zipRight(note(reader), Effect.never))
    const readers = yield* Effect.forEach(
      [
        readSlowly("JSON", exports.write("json")),
        readSlowly("HTML", exports.write("html")),
        readSlowly("list", list.all({ terms: [], filters: [], sort: "newest" })),
        snapshotOf(file, `${file}.copy`, { replace: true }).pipe(
          Effect.zipRight(note("copy")),
          Effect.repeat(Schedule.spaced("50 millis"))
        )
      ],
      (reader) => Effect.fork(reader)
    )
    yield* Effect.repeat(Ref.get(begun), {
      until: ({ size }) => size === readers.length,
      schedule: Schedule.spaced("5 millis")
    })
    // A table without a text index, which would take most of the time.
    yield* sql`CREATE TABLE written (id INTEGER PRIMARY KEY, bytes BLOB)`
    let largest = 0
    for (let n = 0; n * WRITE < LIMIT * 1.5; n++) {
      yield* sql`INSERT OR REPLACE INTO written (id, bytes) VALUES (${n % 2}, randomblob(${WRITE}))`
      largest = Math.max(largest, statSync(databaseSideFiles(file).log).size)
      yield* Effect.sleep("1 millis")
    }
    for (const reader of readers) expect(yield* Fiber.poll(reader)).toMatchObject({ _tag: "None" })
    yield* Fiber.interruptAll(readers)
    return largest
  })
  const services = Layer.provideMerge(ExportLinks.layer, storesAt(file))
  const largest = await Effect.runPromise(Effect.scoped(Effect.provide(program, services)))
  expect(largest).toBeGreaterThan(0)
  expect(largest).toBeLessThan(LIMIT)
})
