import { existsSync, mkdirSync } from "node:fs"
import { Data, Effect, Layer } from "effect"
import { Setting } from "../config/Configuration.ts"
import * as Database from "../store/Database.ts"
import { dataFolder, markerOf } from "../store/DataFolder.ts"
import { Lock } from "../store/Lock.ts"

/** There is no library in the folder of `DATA_DIR`. */
class NoLibrary extends Data.TaggedError("NoLibrary")<{ readonly folder: string }> {
  override get message() {
    return `There is no library in ${this.folder}. Set DATA_DIR to the folder of library.db.`
  }
}

/** Where the library lies, which must be there or have been there. */
export const existing = Effect.gen(function* () {
  const folder = yield* Setting.dataDir.config
  const { library } = dataFolder(folder)
  if (!existsSync(library) && !existsSync(markerOf(library))) return yield* new NoLibrary({ folder })
  return { folder, library }
})

/**
 * The library's database for a command: beside a service that runs, if one does, for SQLite lets one of them write at a
 * time. Where there is none one is made, or it is refused.
 */
export const database = (otherwise: "make" | "refuse") =>
  Layer.unwrapEffect(
    Effect.gen(function* () {
      const folder = yield* Setting.dataDir.config
      if (otherwise === "refuse") yield* existing
      yield* Effect.sync(() => mkdirSync(folder, { recursive: true, mode: 0o700 }))
      // Where the file system does not lock, a running service is not written beside.
      yield* Effect.scoped(Lock.ifFree(folder))
      return Database.layer(dataFolder(folder).library)
    })
  )
