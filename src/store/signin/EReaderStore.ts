import { SqlClient } from "@effect/sql"
import { Context, DateTime, Effect, Layer, Option, type Redacted, Schema } from "effect"
import type { StoreUnavailable } from "../../domain/StoreUnavailable.ts"
import { isSameSecret, makeSecret } from "../../runtime/Secret.ts"
import { decodeRows, readOrDefect } from "../Rows.ts"
import { orUnavailable } from "../Transaction.ts"

/** The access of the owner's e-readers. */
const EReaderAccess = Schema.Struct({
  /** Anyone who knows it can read every kept page. */
  token: Schema.Redacted(Schema.String),
  /** When it was made, as an ISO 8601 time in UTC. */
  createdAt: Schema.String
})
type EReaderAccess = typeof EReaderAccess.Type

const decodeAccess = decodeRows(EReaderAccess)

/** Stores the secret of the owner's e-readers; there is at most one. */
export class EReaderStore extends Context.Tag("EReaderStore")<
  EReaderStore,
  {
    readonly current: Effect.Effect<Option.Option<EReaderAccess>>
    /** Makes a new secret, which replaces the earlier one. */
    readonly renew: Effect.Effect<void, StoreUnavailable>
    /** Deletes the secret, if any. */
    readonly revoke: Effect.Effect<void, StoreUnavailable>
    /** Returns the access if this is its secret; takes equally long for a wrong one. */
    readonly withToken: (token: Redacted.Redacted) => Effect.Effect<Option.Option<EReaderAccess>>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const current = Effect.map(
        readOrDefect(decodeAccess(sql`SELECT token, created_at FROM ereaders WHERE id = 1`)),
        ([access]) => Option.fromNullable(access)
      )
      const renew = Effect.gen(function* () {
        const row = { id: 1, token: makeSecret(), createdAt: DateTime.formatIso(yield* DateTime.now) }
        yield* orUnavailable(sql`INSERT OR REPLACE INTO ereaders ${sql.insert(row)}`)
      })
      return {
        current: Effect.withSpan(current, "EReaderStore.current"),
        renew: Effect.withSpan(renew, "EReaderStore.renew"),
        revoke: Effect.withSpan(
          Effect.asVoid(orUnavailable(sql`DELETE FROM ereaders`)),
          "EReaderStore.revoke"
        ),
        withToken: Effect.fn("EReaderStore.withToken")((token) =>
          Effect.map(
            current,
            Option.filter((access) => isSameSecret(access.token, token))
          )
        )
      }
    })
  )
}
