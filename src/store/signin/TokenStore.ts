import { SqlClient } from "@effect/sql"
import { DateTime, Effect, Schema } from "effect"
import { Scope, Token, TokenNameTaken, TokenNotFound } from "../../domain/Token.ts"
import { Service } from "../../runtime/Services.ts"
import { decodeRows, firstRow, readFlag, readRows, readTexts } from "../Rows.ts"
import { execute, hasWritten, orUnavailable } from "../Transaction.ts"

/** How long a revoked token's changes can be undone, in days. */
const KEPT_DAYS = 30

const Row = Schema.Struct({ ...Token.omit("client").fields, scopes: Schema.parseJson(Schema.Array(Scope)) })
const StoredToken = Schema.Struct({ ...Row.fields, secret: Schema.String })
export type StoredToken = typeof StoredToken.Type

const readListed = readRows(Schema.Struct({ ...Row.fields, returnsTo: Schema.NullOr(Schema.String) }))

export interface NewToken extends Pick<Token, "name" | "scopes" | "createdAt" | "expiresAt"> {
  readonly handle: string
  readonly secret: string
}

const decodeTokens = decodeRows(Row)

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const columns = sql.literal("id, name, scopes, created_at, expires_at, used_at AS last_used_at")
  const revoke = Effect.fn("TokenStore.revoke")(function* (by: "id" | "name", value: string | number) {
    const now = DateTime.formatIso(yield* DateTime.now)
    const isRevoked = yield* hasWritten(sql`UPDATE tokens SET revoked_at = ${now}, secret = '', refresh = NULL
            WHERE ${sql(by)} = ${value} AND revoked_at IS NULL RETURNING id`)
    if (!isRevoked) return yield* new TokenNotFound({ token: by === "id" ? `#${value}` : `named ${value}` })
  })
  return {
    add: Effect.fn("TokenStore.add")(function* ({ scopes, ...token }: NewToken) {
      const expired = DateTime.formatIso(
        DateTime.subtract(DateTime.unsafeMake(token.createdAt), { days: KEPT_DAYS })
      )
      yield* execute(sql`DELETE FROM tokens WHERE revoked_at < ${expired} OR refresh_until < ${expired}`)
      const row = { ...token, scopes: JSON.stringify(scopes) }
      const [added] = yield* orUnavailable(
        decodeTokens(sql`INSERT INTO tokens ${sql.insert(row)}
              ON CONFLICT (name) WHERE revoked_at IS NULL DO NOTHING RETURNING ${columns}`)
      )
      return added ?? (yield* new TokenNameTaken({ name: token.name }))
    }),
    /** Those that are not revoked, the newest first; also expired ones. */
    all: Effect.map(
      readListed(sql`SELECT id, name, scopes, created_at, coalesce(refresh_until, expires_at) AS expires_at,
            used_at AS last_used_at, returns_to FROM tokens WHERE revoked_at IS NULL ORDER BY id DESC`),
      (rows): ReadonlyArray<Token> =>
        rows.map(({ returnsTo, ...token }) =>
          returnsTo === null ? token : { ...token, client: { returnsTo } }
        )
    ),
    find: Effect.fn("TokenStore.find")((handle: string) =>
      firstRow(
        readRows(StoredToken)(
          sql`SELECT ${columns}, secret FROM tokens WHERE handle = ${handle} AND revoked_at IS NULL`
        )
      )
    ),
    /** Whether the token is neither revoked nor expired at this ISO 8601 time. */
    isValid: Effect.fn("TokenStore.isValid")((id: number, now: string) =>
      readFlag(sql`SELECT id FROM tokens WHERE id = ${id} AND revoked_at IS NULL
            AND (expires_at IS NULL OR expires_at > ${now})`)
    ),
    use: Effect.fn("TokenStore.use")((id: number, at: string) =>
      execute(sql`UPDATE tokens SET used_at = ${at} WHERE id = ${id}`)
    ),
    /** The name of a token that may have been revoked since. */
    nameOf: Effect.fn("TokenStore.nameOf")(function* (id: number) {
      const [found] = yield* readTexts(sql`SELECT name FROM tokens WHERE id = ${id}`)
      return found ?? (yield* new TokenNotFound({ token: `#${id}` }))
    }),
    revoke: (id: number) => revoke("id", id),
    revokeNamed: (name: string) => revoke("name", name)
  }
})

/** Stores programs' tokens by their SHA-256. An export has none of them; a backup has them, and a restore removes them. */
export class TokenStore extends Service<TokenStore>()("TokenStore", make) {}
