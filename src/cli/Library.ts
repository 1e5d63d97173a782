import { existsSync, mkdirSync } from "node:fs"
import { Effect, Layer } from "effect"
import { Setting } from "../config/Configuration.ts"
import * as Database from "../store/Database.ts"
import { creationMarkerPath, dataFolder } from "../store/DataFolder.ts"
import { Lock } from "../store/Lock.ts"
import { CommandFailed } from "./Program.ts"

/** The folder and the path of a library that exists or did exist; fails otherwise. */
export const existingLibrary = Effect.gen(function* () {
  const folder = yield* Setting.dataDir.config
  const { library } = dataFolder(folder)
  if (!existsSync(library) && !existsSync(creationMarkerPath(library)))
    return yield* new CommandFailed({
      message: `No library found in ${folder}. Set DATA_DIR to the folder of library.db.`
    })
  return { folder, library }
})

/** SQLite lets one process write at a time. `otherwise` says if a missing library is made or refused. */
export const libraryDatabase = (otherwise: "make" | "refuse") =>
  Layer.unwrapEffect(
    Effect.gen(function* () {
      const folder = yield* Setting.dataDir.config
      if (otherwise === "refuse") yield* existingLibrary
      yield* Effect.sync(() => mkdirSync(folder, { recursive: true, mode: 0o700 }))
      // Fails on a file system without locks, where a running service could write at the same time.
      yield* Effect.scoped(Lock.ifFree(folder))
      return Database.layer(dataFolder(folder).library)
    })
  )
