import { join } from "node:path"

/** What lies in the folder of `DATA_DIR`, by its path. All but the library can be made again. */
export const dataFolder = (folder: string) => ({
  library: join(folder, "library.db"),
  /** Held by the process that works on the library. */
  lock: join(folder, "linkbower.lock"),
  /** Pictures of pages. */
  images: join(folder, "images"),
  /** Files of links that are being taken in. */
  imports: join(folder, "imports")
})

/** Says that a library has been made in the file: should it be gone one day, none is begun in its place. */
export const markerOf = (library: string) => `${library}.initialised`

/** What SQLite keeps beside a database: what was written last, and an index of that. */
export const besides = (library: string) => ({ log: `${library}-wal`, index: `${library}-shm` })
