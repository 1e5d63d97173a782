import { join } from "node:path"

/** What lies in the folder of `DATA_DIR`, by its path. All but the library can be made again. */
export const dataFolder = (folder: string) => ({
  library: join(folder, "library.db"),
  /** Held by the process that works on the library. */
  lock: join(folder, "linkbower.lock"),
  /** Names that process, for file systems that do not lock. */
  owner: join(folder, "linkbower.owner"),
  /** Pictures of pages. */
  images: join(folder, "images"),
  /** Files of links that are being taken in. */
  imports: join(folder, "imports")
})

/** Says that a library has been made in the file: should it be gone one day, none is begun in its place. */
export const markerOf = (library: string) => `${library}.initialised`

/** What lies beside a database: SQLite's log of what was written last, an index of that, and our note of its last commit. */
export const besides = (library: string) => ({
  log: `${library}-wal`,
  index: `${library}-shm`,
  logMark: `${library}-mark`
})
