import { SqlClient } from "@effect/sql"
import { DateTime, Effect, Option, type Redacted, Schema } from "effect"
import { isSameSecret, makeSecret } from "../../runtime/Secret.ts"
import { Service } from "../../runtime/Services.ts"
import { firstRow, readRows } from "../Rows.ts"
import { execute, orUnavailable } from "../Transaction.ts"

const EReaderAccess = Schema.Struct({
  /** Anyone who knows it can read every kept page. */
  token: Schema.Redacted(Schema.String),
  createdAt: Schema.String
})

const readAccess = readRows(EReaderAccess)

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const current = firstRow(readAccess(sql`SELECT token, created_at FROM ereaders WHERE id = 1`))
  const renew = Effect.gen(function* () {
    const row = { id: 1, token: makeSecret(), createdAt: DateTime.formatIso(yield* DateTime.now) }
    yield* orUnavailable(sql`INSERT OR REPLACE INTO ereaders ${sql.insert(row)}`)
  })
  return {
    current: Effect.withSpan(current, "EReaderStore.current"),
    /** Makes a new secret, which replaces the earlier one. */
    renew: Effect.withSpan(renew, "EReaderStore.renew"),
    revoke: Effect.withSpan(execute(sql`DELETE FROM ereaders`), "EReaderStore.revoke"),
    /** Returns the access if this is its secret; takes equally long for a wrong one. */
    withToken: Effect.fn("EReaderStore.withToken")((token: Redacted.Redacted) =>
      Effect.map(
        current,
        Option.filter((access) => isSameSecret(access.token, token))
      )
    )
  }
})

/** Stores the secret of the owner's e-readers; there is at most one. */
export class EReaderStore extends Service<EReaderStore>()("EReaderStore", make) {}
