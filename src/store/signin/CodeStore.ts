import { SqlClient } from "@effect/sql"
import { Array, Effect, Schema } from "effect"
import { Service } from "../../runtime/Services.ts"
import { decodeRows, firstRow } from "../Rows.ts"
import { hasWritten, orUnavailable } from "../Transaction.ts"

const StoredCode = Schema.Struct({
  /** The first group of its characters, which finds it. */
  first: Schema.String,
  /** The SHA-256 of the whole code. */
  secret: Schema.String,
  /** Shown by the service in its log, or by a command on a terminal. */
  origin: Schema.Literal("log", "command"),
  tries: Schema.Int,
  expiresAt: Schema.String
})

export type StoredCode = typeof StoredCode.Type

const decodeCodes = decodeRows(StoredCode)

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const columns = sql.literal("first, secret, origin, tries, expires_at")
  return {
    /** The last code, which may have expired. */
    current: firstRow(decodeCodes(sql`SELECT ${columns} FROM signin_code WHERE id = 1`)),
    set: Effect.fn("CodeStore.set")(function* (code: Omit<StoredCode, "tries">) {
      const row = { id: 1, ...code, tries: 0 }
      yield* orUnavailable(sql`INSERT OR REPLACE INTO signin_code ${sql.insert(row)}`)
    }),
    /** Counts a try at the code with this first group, unless it has had `most`; returns it if so. */
    tryOnce: Effect.fn("CodeStore.tryOnce")((first: string, most: number) =>
      Effect.map(
        orUnavailable(
          decodeCodes(sql`UPDATE signin_code SET tries = tries + 1
                WHERE first = ${first} AND tries < ${most} RETURNING ${columns}`)
        ),
        Array.head
      )
    ),
    /** Removes the code with this SHA-256; false if it is gone already. */
    remove: Effect.fn("CodeStore.remove")((secret: string) =>
      hasWritten(sql`DELETE FROM signin_code WHERE secret = ${secret} RETURNING id`)
    )
  }
})

/** Stores the only one-time code, so that a command in another process can make one for the running service. */
export class CodeStore extends Service<CodeStore>()("CodeStore", make) {}
