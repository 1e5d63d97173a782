import { Database } from "bun:sqlite"
import { Effect } from "effect"
import { LEFT_OUT } from "../links/SearchStore.ts"
import { NotCopied, reasonOf } from "./Snapshot.ts"

const sessions = [
  "signin_sessions",
  "signin_browsers",
  "signin_code",
  "ereaders",
  "tokens",
  "oauth_clients",
  "public_page_pictures",
  "public_pages"
].map((table) => [table, `DELETE FROM ${table}`] as const)

/** The statements that remove the secrets of a table, by what the copy is for. */
const statements = {
  restore: [
    ...sessions,
    [
      "searches",
      `UPDATE searches SET token = lower(hex(randomblob(32))) WHERE substr(token, 1, ${LEFT_OUT.length}) = '${LEFT_OUT}'`
    ]
  ],
  chat: [
    ...sessions,
    ["signin_owner", "UPDATE signin_owner SET password = NULL"],
    ["searches", `UPDATE searches SET token = '${LEFT_OUT}' || id`],
    // Records of changes hold the addresses of feeds too.
    ["change_rows", "DELETE FROM change_rows WHERE kind = 'search'"]
  ]
} as const

/**
 * Removes secrets from the copy of a library in `file`, so that the file keeps no trace of them: sessions, known
 * browsers, the one-time code, the e-readers' secret, programs' tokens, and pages under secret addresses, which may have
 * been ended since; for the chat also the password's hash and the secret addresses of feeds, which get new ones where the
 * copy is restored. Passkeys stay: their public keys are not secret.
 */
export const removeSecrets = (file: string, use: keyof typeof statements) =>
  Effect.try({
    try: () => {
      const database = new Database(file, { readwrite: true, create: false })
      try {
        database.run("PRAGMA secure_delete = ON")
        for (const [table, statement] of statements[use])
          if (database.query("SELECT 1 FROM sqlite_schema WHERE name = ?").get(table) !== null)
            database.run(statement)
      } finally {
        database.close()
      }
    },
    catch: (error) => new NotCopied({ file, reason: reasonOf(error) })
  })
