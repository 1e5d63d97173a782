import { Database } from "bun:sqlite"
import { readFileSync } from "node:fs"
import library from "./newLibrary.db.zst" with { type: "file" }

/** The empty library that `buildNewLibrary.ts` made: copying it is faster than running the migrations. */
export const readNewLibrary = <A>(work: (database: Database) => A): A => {
  const database = Database.deserialize(Bun.zstdDecompressSync(readFileSync(library)))
  try {
    return work(database)
  } finally {
    database.close()
  }
}

/** Returns the file of a library that is created now. The times in it are as if the migrations had run. */
export const newLibrary = (): Uint8Array =>
  readNewLibrary((database) => {
    database.run("UPDATE effect_sql_migrations SET created_at = current_timestamp")
    database.run("UPDATE public_state SET changed_at = strftime('%Y-%m-%dT%H:%M:%fZ', 'now')")
    return database.serialize()
  })
