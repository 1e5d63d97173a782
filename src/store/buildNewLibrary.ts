import * as BunRuntime from "@effect/platform-bun/BunRuntime"
import * as Migrator from "@effect/sql/Migrator"
import { SqliteClient } from "@effect/sql-sqlite-bun"
import { Effect } from "effect"
import { migrations } from "../../migrations/index.ts"
import { digestOf, type SchemaObject, SELECT_SCHEMA } from "./Schema.ts"

/** The file of an empty library and the digest of its schema; its times are fixed, so it differs with migrations alone. */
export const buildNewLibrary = Effect.gen(function* () {
  const sql = yield* SqliteClient.SqliteClient
  yield* Migrator.make({})({ loader: Migrator.fromRecord(migrations) })
  yield* sql`UPDATE effect_sql_migrations SET created_at = '2000-01-01 00:00:00'`
  yield* sql`UPDATE public_state SET changed_at = '2000-01-01T00:00:00.000Z'`
  yield* sql`VACUUM`
  const schema = digestOf(yield* sql.unsafe<SchemaObject>(SELECT_SCHEMA))
  return { library: yield* sql.export, schema }
}).pipe(Effect.provide(SqliteClient.layer({ filename: ":memory:" })))

/** Writes what the program embeds of it: `bun src/store/buildNewLibrary.ts`. */
const write = Effect.flatMap(buildNewLibrary, ({ library, schema }) =>
  Effect.promise(async () => {
    const packed = Bun.zstdCompressSync(library, { level: 19 })
    await Bun.write(`${import.meta.dir}/newLibrary.db.zst`, packed)
    await Bun.write(`${import.meta.dir}/newLibrary.json`, `${JSON.stringify({ schema }, null, 2)}\n`)
  })
)

if (import.meta.main) BunRuntime.runMain(write)
