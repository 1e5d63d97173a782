import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

/**
 * How the owner signs in to the dashboard without an access gateway. No secret is stored as it is: sessions and the
 * one-time code as SHA-256 of random bits, the password as argon2id, passkeys as public keys.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const run = (statement: string) => sql.unsafe(statement)
  // A session whose way is `code` can only set up a way to sign in.
  yield* run(`CREATE TABLE signin_sessions (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    secret TEXT NOT NULL UNIQUE,
    way TEXT NOT NULL CHECK (way IN ('code', 'password', 'passkey', 'oidc', 'bot')),
    device TEXT NOT NULL,
    address TEXT NOT NULL,
    created_at TEXT NOT NULL,
    used_at TEXT NOT NULL,
    expires_at TEXT NOT NULL
  )`)
  // One row at most: the user handle of every passkey, and the password's hash, which is NULL until a password is set.
  yield* run(`CREATE TABLE signin_owner (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    handle TEXT NOT NULL,
    password TEXT
  )`)
  yield* run(`CREATE TABLE signin_passkeys (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    credential TEXT NOT NULL UNIQUE,
    public_key TEXT NOT NULL,
    counter INTEGER NOT NULL,
    transports TEXT NOT NULL,
    host TEXT NOT NULL,
    name TEXT NOT NULL,
    created_at TEXT NOT NULL,
    used_at TEXT
  )`)
  // One row at most: the valid one-time code. A try counts if it has the code's first group, which is stored as it is.
  yield* run(`CREATE TABLE signin_code (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    first TEXT NOT NULL,
    secret TEXT NOT NULL,
    origin TEXT NOT NULL CHECK (origin IN ('log', 'command')),
    tries INTEGER NOT NULL,
    expires_at TEXT NOT NULL
  )`)
})
