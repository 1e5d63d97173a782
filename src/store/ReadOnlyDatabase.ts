import { SqlClient } from "@effect/sql"
import { Effect, Layer } from "effect"
import { unguardedConnection } from "./Connection.ts"

const tuneReading = Layer.effectDiscard(
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql`PRAGMA busy_timeout = 2000`
    yield* sql`PRAGMA cache_size = -65536`
    yield* sql`PRAGMA temp_store = MEMORY`
  })
)

/**
 * A second, read-only connection to a database that `Database.layer` has opened; it sees committed data. A thread that
 * reads loads only this, without the migrations.
 */
export const readOnly = (filename: string) =>
  Layer.provideMerge(
    tuneReading,
    unguardedConnection({ filename, readonly: true, readwrite: false, create: false, disableWAL: true })
  )
