import { Database } from "bun:sqlite"
import { Effect } from "effect"
import { NotCopied, reasonOf } from "./Snapshot.ts"

const sessions = ["signin_sessions", "signin_browsers", "signin_code", "ereaders"].map(
  (table) => [table, `DELETE FROM ${table}`] as const
)
const password = ["signin_owner", "UPDATE signin_owner SET password = NULL"] as const

/**
 * Removes sessions, known browsers, the one-time code, the e-readers' secret and, with `andPassword`, the password's hash from the copy of
 * a library in `file`, so that the file keeps no trace of them. Passkeys stay: their public keys are not secret.
 */
export const removeSignIns = (file: string, { andPassword }: { readonly andPassword: boolean }) =>
  Effect.try({
    try: () => {
      const database = new Database(file, { readwrite: true, create: false })
      try {
        database.run("PRAGMA secure_delete = ON")
        for (const [table, statement] of andPassword ? [...sessions, password] : sessions)
          if (database.query("SELECT 1 FROM sqlite_schema WHERE name = ?").get(table) !== null)
            database.run(statement)
      } finally {
        database.close()
      }
    },
    catch: (error) => new NotCopied({ file, reason: reasonOf(error) })
  })
