import {
  closeSync,
  copyFileSync,
  fstatSync,
  ftruncateSync,
  mkdtempSync,
  openSync,
  readSync,
  rmSync,
  writeFileSync,
  writeSync
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { BunFileSystem } from "@effect/platform-bun"
import { SqlClient } from "@effect/sql"
import { Context, Effect, Layer } from "effect"
import * as Application from "../../src/Application.ts"
import { Embedder } from "../../src/enrich/embedding/Embedder.ts"
import { Categorizer } from "../../src/enrich/model/Categorizer.ts"
import { GroupNamer } from "../../src/enrich/model/GroupNamer.ts"
import { LanguageModel } from "../../src/enrich/model/LanguageModel.ts"
import { publicSearch } from "../../src/search/PublicSearch.ts"
import { readerLayer } from "../../src/search/Reader.ts"
import { unguardedConnection } from "../../src/store/Connection.ts"
import * as Database from "../../src/store/Database.ts"
import { PackedBackup } from "../../src/store/maintenance/PackedBackup.ts"
import { newLibrary } from "../../src/store/NewLibrary.ts"
import { PassedTime } from "../../src/store/PassedTime.ts"
import { Transaction } from "../../src/store/Transaction.ts"
import { BookWriter } from "../../src/transfer/books/BookWriter.ts"
import { ImportReader } from "../../src/transfer/ImportReader.ts"

/** What needs no world outside: the built-in embedder, the readers in this thread, no model. */
export const withoutWorld = Layer.mergeAll(
  BookWriter.layer,
  Embedder.builtIn,
  readerLayer,
  publicSearch,
  Layer.provide(Layer.merge(ImportReader.layer, PackedBackup.layer), BunFileSystem.layer),
  Layer.provide(Layer.merge(Categorizer.layer, GroupNamer.layer), LanguageModel.layer)
)

const folder = mkdtempSync(join(tmpdir(), "linkbower-empty-"))
process.on("exit", () => rmSync(folder, { recursive: true, force: true }))
const template = join(folder, "template.db")

/** Writes the empty library that tests copy. */
const makeTemplate = Effect.runSync(Effect.cached(Effect.sync(() => writeFileSync(template, newLibrary()))))

let copies = 0

/** The tables whose rows an index in memory has read in the order of their numbers, which it never reads twice. */
const NUMBERED = ["vectors", "vector_removals", "public_vectors", "public_vector_removals"]

/**
 * Makes an empty library as it was when this was first called: its file is written over. What the services remember
 * stays, so a test about that needs services of its own.
 */
export class LibraryReset extends Context.Tag("LibraryReset")<LibraryReset, Effect.Effect<void>>() {}

/** Writes a copy of the database over it, with other change counters, by which SQLite notices (fileformat2, 1.3.7). */
const writeOver = (file: number, bytes: Uint8Array) => {
  const counter = new Uint8Array(4)
  readSync(file, counter, 0, 4, 24)
  const changed = new DataView(counter.buffer).getUint32(0) + 1
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  view.setUint32(24, changed)
  view.setUint32(92, changed)
  writeSync(file, bytes, 0, bytes.length, 0)
  ftruncateSync(file, bytes.length)
}

const makeReset = (file: number) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    let atFirst: Uint8Array | undefined
    return Effect.gen(function* () {
      // The only connection: no statement runs beside these.
      const connection = yield* sql.reserve
      const execute = (statement: string) => connection.executeUnprepared(statement, [], undefined)
      if (atFirst === undefined) {
        atFirst = new Uint8Array(fstatSync(file).size)
        readSync(file, atFirst, 0, atFirst.length, 0)
        return
      }
      const numbers = yield* execute(
        `SELECT name, seq FROM sqlite_sequence WHERE name IN (${NUMBERED.map((name) => `'${name}'`)})`
      )
      yield* execute("PRAGMA locking_mode = NORMAL")
      yield* execute("SELECT count(*) FROM sqlite_schema")
      writeOver(file, atFirst)
      yield* execute("PRAGMA locking_mode = EXCLUSIVE")
      for (const { name, seq } of numbers) {
        yield* execute(`DELETE FROM sqlite_sequence WHERE name = '${name}'`)
        yield* execute(`INSERT INTO sqlite_sequence (name, seq) VALUES ('${name}', ${seq})`)
      }
    }).pipe(Effect.scoped, Effect.orDie)
  })

/** A new, empty library that ends with the test. It keeps nothing over a crash, so its writes are as fast as in memory. */
export const emptyLibrary = () =>
  Layer.unwrapEffect(
    Effect.map(makeTemplate, () => {
      const filename = join(folder, `${++copies}.db`)
      copyFileSync(template, filename)
      const connection = unguardedConnection({ filename, disableWAL: true })
      // Closed after the connection: to close a file ends SQLite's locks on it.
      const file = Effect.acquireRelease(
        Effect.sync(() => openSync(filename, "r+")),
        (file) => Effect.sync(() => closeSync(file))
      )
      const setUp = Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        rmSync(filename)
        yield* Database.tune
        yield* sql`PRAGMA journal_mode = MEMORY`
        yield* sql`PRAGMA synchronous = OFF`
        yield* sql`PRAGMA locking_mode = EXCLUSIVE`
      })
      return Layer.unwrapScoped(
        Effect.map(file, (file) =>
          PassedTime.layer.pipe(
            Layer.provideMerge(
              Layer.effect(LibraryReset, Effect.zipRight(Effect.orDie(setUp), makeReset(file)))
            ),
            Layer.provideMerge(Transaction.layer),
            Layer.provideMerge(connection)
          )
        )
      )
    })
  )

/** Every store over a new, empty library. */
export const stores = () => Layer.provideMerge(Layer.merge(Application.stores, withoutWorld), emptyLibrary())

/** Every store over the library in a file. */
export const storesAt = (filename: string) =>
  Layer.provideMerge(Layer.merge(Application.stores, withoutWorld), Database.layer(filename))

/** Leaves the database room for this many more pages: a full disk, as far as it can tell. */
export const leaveRoom = Effect.fnUntraced(function* (pages: number) {
  const sql = yield* SqlClient.SqlClient
  const [{ used } = { used: 0 }] = yield* sql<{
    used: number
  }>`SELECT page_count AS used FROM pragma_page_count`
  yield* sql.unsafe(`PRAGMA max_page_count = ${used + pages}`)
})
