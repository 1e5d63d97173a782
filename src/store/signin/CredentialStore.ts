import { SqlClient } from "@effect/sql"
import { Array, DateTime, Effect, Option, Schema } from "effect"
import { makeSecret } from "../../runtime/Secret.ts"
import { Service } from "../../runtime/Services.ts"
import { firstRow, readFlag, readNumber, readNumbers, readRows } from "../Rows.ts"
import { execute, hasWritten, orUnavailable, Transaction } from "../Transaction.ts"

/** A passkey as it is stored; binary values are in base64url. */
export const StoredPasskey = Schema.Struct({
  id: Schema.Int,
  /** The credential's own identifier (Web Authentication, 4). */
  credential: Schema.String,
  publicKey: Schema.String,
  /** How often the authenticator says it was used; 0 if it does not count. */
  counter: Schema.Int,
  transports: Schema.parseJson(Schema.Array(Schema.String)),
  /** The host name it was made for, and works on (its relying party ID). */
  host: Schema.String,
  name: Schema.String,
  createdAt: Schema.String,
  usedAt: Schema.NullOr(Schema.String)
})
export type StoredPasskey = typeof StoredPasskey.Type

const readPasskeys = readRows(StoredPasskey)
const readOwner = readRows(Schema.Struct({ handle: Schema.String, password: Schema.NullOr(Schema.String) }))

export type NewPasskey = Omit<StoredPasskey, "id" | "createdAt" | "usedAt">

export const MAX_PASSKEYS = 50

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const transaction = yield* Transaction
  const columns = sql.literal(
    "id, credential, public_key, counter, transports, host, name, created_at, used_at"
  )
  const now = Effect.map(DateTime.now, DateTime.formatIso)

  const owner = firstRow(readOwner(sql`SELECT handle, password FROM signin_owner WHERE id = 1`))
  /** The argon2id hash of the password, if there is one. */
  const password = Effect.map(
    owner,
    Option.flatMap((row) => Option.fromNullable(row.password))
  )
  /** Whether a session that asks for a change still lasts: a reset in another process may have ended it. */
  const lasts = Effect.fnUntraced(function* (session: Option.Option<number>) {
    if (Option.isNone(session)) return true
    return yield* readFlag(sql`SELECT count(*) FROM signin_sessions WHERE id = ${session.value}`)
  })

  return {
    summary: Effect.gen(function* () {
      return {
        hasPassword: Option.isSome(yield* password),
        passkeys: yield* readNumber(sql`SELECT count(*) FROM signin_passkeys`)
      }
    }),
    password,
    /** Ends all sessions, forgets browsers, voids the one-time code; false, unchanged, if `session` has ended. */
    setPassword: Effect.fn("CredentialStore.setPassword")(function* (
      hash: string,
      session: Option.Option<number>
    ) {
      const write = Effect.gen(function* () {
        if (!(yield* lasts(session))) return false
        yield* sql`INSERT INTO signin_owner (id, handle, password) VALUES (1, ${makeSecret()}, ${hash})
              ON CONFLICT (id) DO UPDATE SET password = excluded.password`
        yield* sql`DELETE FROM signin_sessions`
        yield* sql`DELETE FROM signin_browsers`
        yield* sql`DELETE FROM signin_code`
        return true
      })
      return yield* transaction(write)
    }),
    removePassword: execute(sql`UPDATE signin_owner SET password = NULL WHERE id = 1`),
    /** The random user handle that all passkeys of this library share, in base64url; made at its first use. */
    handle: Effect.gen(function* () {
      const row = yield* owner
      if (Option.isSome(row)) return row.value.handle
      yield* orUnavailable(
        sql`INSERT INTO signin_owner (id, handle) VALUES (1, ${makeSecret()}) ON CONFLICT (id) DO NOTHING`
      )
      return Option.match(yield* owner, { onNone: () => "", onSome: ({ handle }) => handle })
    }).pipe(Effect.withSpan("CredentialStore.handle")),
    passkeys: readPasskeys(sql`SELECT ${columns} FROM signin_passkeys ORDER BY id`),
    findPasskey: Effect.fn("CredentialStore.findPasskey")((credential: string) =>
      firstRow(readPasskeys(sql`SELECT ${columns} FROM signin_passkeys WHERE credential = ${credential}`))
    ),
    /** None if the credential is known, there are too many, or `session` has ended. Ends sessions begun with a code. */
    addPasskey: Effect.fn("CredentialStore.addPasskey")(function* (
      passkey: NewPasskey,
      session: Option.Option<number>
    ) {
      const row = { ...passkey, transports: JSON.stringify(passkey.transports), createdAt: yield* now }
      const added = Effect.gen(function* () {
        if (!(yield* lasts(session))) return []
        if ((yield* readNumber(sql`SELECT count(*) FROM signin_passkeys`)) >= MAX_PASSKEYS) return []
        const made = yield* readNumbers(
          sql`INSERT INTO signin_passkeys ${sql.insert(row)} ON CONFLICT (credential) DO NOTHING RETURNING id`
        )
        if (made.length === 0) return []
        yield* sql`DELETE FROM signin_sessions WHERE way = 'code'`
        yield* sql`DELETE FROM signin_code`
        return made
      })
      return Array.head(yield* transaction(added))
    }),
    /** Records a use with the authenticator's new counter; false if another use has passed that counter meanwhile. */
    usePasskey: Effect.fn("CredentialStore.usePasskey")(function* (
      id: number,
      { after, before }: { readonly before: number; readonly after: number }
    ) {
      return yield* hasWritten(sql`UPDATE signin_passkeys SET counter = ${after}, used_at = ${yield* now}
                WHERE id = ${id} AND counter = ${before} RETURNING id`)
    }),
    renamePasskey: Effect.fn("CredentialStore.renamePasskey")((id: number, name: string) =>
      hasWritten(sql`UPDATE signin_passkeys SET name = ${name} WHERE id = ${id} RETURNING id`)
    ),
    removePasskey: Effect.fn("CredentialStore.removePasskey")((id: number) =>
      hasWritten(sql`DELETE FROM signin_passkeys WHERE id = ${id} RETURNING id`)
    ),
    /** Removes the password, all passkeys, all sessions, the known browsers and the one-time code. */
    reset: Effect.withSpan(
      transaction(
        Effect.gen(function* () {
          yield* sql`DELETE FROM signin_sessions`
          yield* sql`DELETE FROM signin_browsers`
          yield* sql`DELETE FROM signin_passkeys`
          yield* sql`UPDATE signin_owner SET password = NULL`
          yield* sql`DELETE FROM signin_code`
        })
      ),
      "CredentialStore.reset"
    )
  }
})

/** Password as argon2id, passkeys as public keys. An export has neither; a backup has them, for a restored library. */
export class CredentialStore extends Service<CredentialStore>()("CredentialStore", make) {}
