import { copyFileSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { BunFileSystem } from "@effect/platform-bun"
import { SqlClient } from "@effect/sql"
import { Effect, Layer } from "effect"
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

/** Makes the empty library that tests copy: migrating takes 40 ms, and copying less than one. */
const makeTemplate = Effect.runSync(
  Effect.cached(
    Effect.flatMap(SqlClient.SqlClient, (sql) => sql`VACUUM INTO ${template}`).pipe(
      Effect.provide(Database.layer(":memory:")),
      Effect.orDie
    )
  )
)

let copies = 0

/** A new, empty library that ends with the test. It keeps nothing over a crash, so its writes are as fast as in memory. */
export const emptyLibrary = () =>
  Layer.unwrapEffect(
    Effect.map(makeTemplate, () => {
      const filename = join(folder, `${++copies}.db`)
      copyFileSync(template, filename)
      const connection = unguardedConnection({ filename, disableWAL: true })
      const setUp = Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        rmSync(filename)
        yield* Database.tune
        yield* sql`PRAGMA journal_mode = MEMORY`
        yield* sql`PRAGMA synchronous = OFF`
        yield* sql`PRAGMA locking_mode = EXCLUSIVE`
      })
      return Layer.effectDiscard(Effect.orDie(setUp)).pipe(
        Layer.provideMerge(Transaction.layer),
        Layer.provideMerge(connection)
      )
    })
  )

/** Every store over one real database: the file named, or a new, empty library. */
export const stores = (filename?: string) =>
  Layer.provideMerge(
    Layer.merge(Application.stores, withoutWorld),
    filename === undefined ? emptyLibrary() : Database.layer(filename)
  )

/** Leaves the database room for this many more pages: a full disk, as far as it can tell. */
export const leaveRoom = Effect.fnUntraced(function* (pages: number) {
  const sql = yield* SqlClient.SqlClient
  const [{ used } = { used: 0 }] = yield* sql<{
    used: number
  }>`SELECT page_count AS used FROM pragma_page_count`
  yield* sql.unsafe(`PRAGMA max_page_count = ${used + pages}`)
})
