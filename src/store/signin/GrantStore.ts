import { SqlClient } from "@effect/sql"
import { DateTime, Effect, Option, Schema } from "effect"
import { Scope } from "../../domain/Token.ts"
import { Service } from "../../runtime/Services.ts"
import { decodeRows, firstRow, readRows } from "../Rows.ts"
import { execute, orUnavailable } from "../Transaction.ts"

/** Maximum number of registrations that the owner has never allowed anything. */
const MAX_UNUSED = 500
/** How long a registration is kept that has no token, since it was made or last allowed something, in days. */
const KEPT_DAYS = 30
/** Maximum number of names that are tried for a program whose name is taken. */
const MAX_NAMES = 100

const Client = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  redirects: Schema.parseJson(Schema.Array(Schema.String)),
  createdAt: Schema.String
})
export type Client = typeof Client.Type

/** A permission of the owner for a program. `secret` and `refresh` are the SHA-256 of its two tokens. */
export interface NewGrant extends Secrets {
  readonly client: Client
  readonly scopes: ReadonlyArray<Scope>
  readonly returnsTo: string
  readonly handle: string
}

/** The times are ISO 8601; the first token ends at `expiresAt`, the whole grant at `refreshUntil`. */
interface Secrets {
  readonly secret: string
  readonly expiresAt: string
  readonly refresh: string
  readonly refreshUntil: string
}

const decodeGrants = decodeRows(
  Schema.Struct({ id: Schema.Int, scopes: Schema.parseJson(Schema.Array(Scope)) })
)

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const now = Effect.map(DateTime.now, DateTime.formatIso)
  const granted = sql`AND client IS NOT NULL AND revoked_at IS NULL`

  /** Removes unused registrations, and the oldest beyond the maximum, so that a flood of them keeps no program out. */
  const removeUnused = Effect.gen(function* () {
    const limit = DateTime.formatIso(DateTime.subtract(yield* DateTime.now, { days: KEPT_DAYS }))
    yield* execute(sql`DELETE FROM oauth_clients WHERE coalesce(allowed_at, created_at) < ${limit}
          AND NOT EXISTS (SELECT 1 FROM tokens WHERE client = oauth_clients.id AND revoked_at IS NULL)`)
    yield* execute(sql`DELETE FROM oauth_clients WHERE rowid IN (SELECT rowid FROM oauth_clients
          WHERE allowed_at IS NULL ORDER BY rowid DESC LIMIT -1 OFFSET ${MAX_UNUSED - 1})`)
  })

  return {
    /** Stores a program, or what a known one says of itself now. */
    register: Effect.fn("GrantStore.register")(function* ({ redirects, ...client }: Client) {
      yield* removeUnused
      const row = { ...client, redirects: JSON.stringify(redirects), allowedAt: null }
      yield* execute(sql`INSERT INTO oauth_clients ${sql.insert(row)}
            ON CONFLICT (id) DO UPDATE SET name = excluded.name, redirects = excluded.redirects`)
    }),
    client: Effect.fn("GrantStore.client")((id: string) =>
      firstRow(
        readRows(Client)(sql`SELECT id, name, redirects, created_at FROM oauth_clients WHERE id = ${id}`)
      )
    ),
    /** Replaces the client's earlier grant. A new one gets the client's name, if needed with a number; none if all are taken. */
    grant: Effect.fn("GrantStore.grant")(function* ({ client, scopes, ...grant }: NewGrant) {
      const at = yield* now
      const row = { ...grant, scopes: JSON.stringify(scopes) }
      const renewed = yield* orUnavailable(
        decodeGrants(sql`UPDATE tokens SET ${sql.update(row)} WHERE client = ${client.id} ${granted}
              RETURNING id, scopes`)
      )
      if (renewed[0] !== undefined) return Option.some(renewed[0].id)
      yield* execute(sql`UPDATE oauth_clients SET allowed_at = ${at} WHERE id = ${client.id}`)
      for (let number = 1; number <= MAX_NAMES; number++) {
        const name = number === 1 ? client.name : `${client.name} ${number}`
        const added = yield* orUnavailable(
          decodeGrants(sql`INSERT INTO tokens ${sql.insert({ ...row, client: client.id, name, createdAt: at })}
                ON CONFLICT (name) WHERE revoked_at IS NULL DO NOTHING RETURNING id, scopes`)
        )
        if (added[0] !== undefined) return Option.some(added[0].id)
      }
      return Option.none()
    }),
    /** Replaces both secrets of the client's grant if `given` is the SHA-256 of the second; returns its scopes then. */
    renew: Effect.fn("GrantStore.renew")(function* (
      handle: string,
      client: string,
      given: string,
      secrets: Secrets
    ) {
      const [renewed] = yield* orUnavailable(
        decodeGrants(sql`UPDATE tokens SET ${sql.update({ ...secrets })} WHERE handle = ${handle}
              AND client = ${client} AND refresh = ${given} AND refresh_until > ${yield* now} ${granted}
              RETURNING id, scopes`)
      )
      return Option.map(Option.fromNullable(renewed), ({ scopes }) => scopes)
    }),
    /** Revokes the grant of this handle unless `spares` is the SHA-256 of its second secret. */
    revokeUnless: Effect.fn("GrantStore.revokeUnless")(function* (handle: string, spares: string) {
      yield* execute(sql`UPDATE tokens SET revoked_at = ${yield* now}, secret = '', refresh = NULL
            WHERE handle = ${handle} AND refresh <> ${spares} ${granted}`)
    }),
    /** Revokes the client's grant of this handle if `given` is the SHA-256 of one of its secrets. */
    revokeBy: Effect.fn("GrantStore.revokeBy")(function* (handle: string, client: string, given: string) {
      yield* execute(sql`UPDATE tokens SET revoked_at = ${yield* now}, secret = '', refresh = NULL
            WHERE handle = ${handle} AND client = ${client} AND ${given} IN (secret, refresh) ${granted}`)
    }),
    revoke: Effect.fn("GrantStore.revoke")(function* (id: number) {
      yield* execute(sql`UPDATE tokens SET revoked_at = ${yield* now}, secret = '', refresh = NULL
            WHERE id = ${id} ${granted}`)
    })
  }
})

/** Programs that register themselves, and their grants, which are tokens as those made by hand. */
export class GrantStore extends Service<GrantStore>()("GrantStore", make) {}
