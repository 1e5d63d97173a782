import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

/**
 * Vectors are kept in float16 from this version on, which earlier versions cannot read. The service converts those that
 * are there in small transactions while it runs: `halve` asks for that, and until it is done both forms are read.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`INSERT INTO upkeep (task, asked) SELECT 'halve', 1
    WHERE EXISTS (SELECT 1 FROM vector_floats) OR EXISTS (SELECT 1 FROM public_vectors)`
})
