import { SqlClient } from "@effect/sql"
import { Effect, Option, Schema } from "effect"
import { Session, type SignInWay } from "../../domain/SignIn.ts"
import { Service } from "../../runtime/Services.ts"
import { firstRow, readFlag, readRows } from "../Rows.ts"
import { execute, hasWritten, orUnavailable } from "../Transaction.ts"

/** Maximum number of sessions; a new one ends the least recently used one beyond it. */
const MAX_SESSIONS = 100

/** Maximum number of known browsers; a new one replaces the one whose sign-in is the longest ago. */
const MAX_BROWSERS = 50

const StoredSession = Schema.Struct({ ...Session.fields, expiresAt: Schema.String })

export type StoredSession = typeof StoredSession.Type

const readSessions = readRows(StoredSession)

/** A session to store; `secret` is the SHA-256 of its cookie, and the times are in ISO 8601. */
export interface NewSession {
  readonly secret: string
  readonly way: SignInWay
  readonly device: string
  readonly address: string
  readonly createdAt: string
  readonly expiresAt: string
}

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const columns = sql.literal("id, way, device, address, created_at, used_at, expires_at")
  return {
    /** Removes sessions expired at its `createdAt`. With a password's hash, false unless that is still the owner's. */
    add: Effect.fn("SessionStore.add")(function* (session: NewSession, password: Option.Option<string>) {
      const { address, createdAt, device, expiresAt, secret, way } = session
      yield* orUnavailable(sql`DELETE FROM signin_sessions WHERE expires_at <= ${createdAt}`)
      const isCurrent = Option.match(password, {
        onNone: () => sql`TRUE`,
        onSome: (hash) => sql`EXISTS (SELECT 1 FROM signin_owner WHERE password = ${hash})`
      })
      // One statement, because another process may change the password at any time.
      const isAdded = yield* hasWritten(sql`INSERT INTO signin_sessions
              (secret, way, device, address, created_at, used_at, expires_at)
              SELECT ${secret}, ${way}, ${device}, ${address}, ${createdAt}, ${createdAt}, ${expiresAt}
              WHERE ${isCurrent} RETURNING id`)
      yield* orUnavailable(sql`DELETE FROM signin_sessions WHERE id NOT IN
            (SELECT id FROM signin_sessions ORDER BY used_at DESC, id DESC LIMIT ${MAX_SESSIONS})`)
      return isAdded
    }),
    /** Finds a session by the SHA-256 of its cookie, in one indexed read; it may have expired. */
    find: Effect.fn("SessionStore.find")((secret: string) =>
      firstRow(readSessions(sql`SELECT ${columns} FROM signin_sessions WHERE secret = ${secret}`))
    ),
    /** All sessions, the most recently used first; expired ones too. */
    all: readSessions(sql`SELECT ${columns} FROM signin_sessions ORDER BY used_at DESC, id DESC`),
    use: Effect.fn("SessionStore.use")(function* (id: number, usedAt: string, expiresAt: string) {
      yield* orUnavailable(
        sql`UPDATE signin_sessions SET used_at = ${usedAt}, expires_at = ${expiresAt} WHERE id = ${id}`
      )
    }),
    remove: Effect.fn("SessionStore.remove")((id: number) =>
      hasWritten(sql`DELETE FROM signin_sessions WHERE id = ${id} RETURNING id`)
    ),
    removeOthers: Effect.fn("SessionStore.removeOthers")((id: number) =>
      execute(sql`DELETE FROM signin_sessions WHERE id <> ${id}`)
    ),
    /** Removes the sessions that began in this way, but not this one. */
    removeWay: Effect.fn("SessionStore.removeWay")((way: SignInWay, except: Option.Option<number>) =>
      execute(
        sql`DELETE FROM signin_sessions WHERE way = ${way} AND id <> ${Option.getOrElse(except, () => 0)}`
      )
    ),
    removeAll: execute(sql`DELETE FROM signin_sessions`),
    /** Whether the owner has signed in in the browser whose cookie has this SHA-256. */
    knowsBrowser: Effect.fn("SessionStore.knowsBrowser")((secret: string) =>
      readFlag(sql`SELECT count(*) FROM signin_browsers WHERE secret = ${secret}`)
    ),
    rememberBrowser: Effect.fn("SessionStore.rememberBrowser")(function* (secret: string, usedAt: string) {
      yield* orUnavailable(sql`INSERT INTO signin_browsers (secret, used_at) VALUES (${secret}, ${usedAt})
            ON CONFLICT (secret) DO UPDATE SET used_at = excluded.used_at`)
      yield* orUnavailable(sql`DELETE FROM signin_browsers WHERE secret NOT IN
            (SELECT secret FROM signin_browsers ORDER BY used_at DESC, secret LIMIT ${MAX_BROWSERS})`)
    })
  }
})

/** Sessions by the SHA-256 of their cookies. An export has none; a backup has them, and a restore removes them. */
export class SessionStore extends Service<SessionStore>()("SessionStore", make) {}
