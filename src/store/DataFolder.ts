import { join } from "node:path"

/** Paths in the folder of `DATA_DIR`. Everything but the library can be recreated. */
export const dataFolder = (folder: string) => ({
  library: join(folder, "library.db"),
  lock: join(folder, "linkbower.lock"),
  /** Names that process, for file systems that do not support locks. */
  owner: join(folder, "linkbower.owner"),
  /** Says where the service listens, and admits the terminal of its machine. */
  running: join(folder, "linkbower.running"),
  /** Space that a stopped service keeps for its next start. */
  reserve: join(folder, "linkbower.reserve"),
  images: join(folder, "images"),
  imports: join(folder, "imports"),
  backups: join(folder, "backups"),
  encoder: join(folder, "encoder.bin"),
  outgoing: join(folder, "outgoing")
})

/** File that records that a library was created, so that no empty one replaces it if it goes missing. */
export const creationMarkerPath = (library: string) => `${library}.initialised`

/** Files beside a database: SQLite's write-ahead log, its index, and Linkbower's record of the last commit. */
export const databaseSideFiles = (library: string) => ({
  log: `${library}-wal`,
  index: `${library}-shm`,
  logMark: `${library}-mark`
})
