import { accessSync, constants, existsSync, readdirSync, statfsSync, statSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import { Effect } from "effect"
import { Setting } from "../../domain/Configuration.ts"
import { codeOf } from "../../LiveFile.ts"
import { dataFolder } from "../../store/DataFolder.ts"
import { size } from "../InWords.ts"
import { type Check, fail, type Line, off, ok, warn } from "./Finding.ts"

/** With less left on its disk than the first the library soon cannot grow; with less than the second it already cannot. */
const TIGHT = 500_000_000
const FULL = 50_000_000

/** The folder of DATA_DIR, or of its default where that does not parse. */
export const libraryFolder = Effect.map(
  Effect.orElseSucceed(Setting.dataDir.config, () => "./data"),
  (folder) => resolve(folder)
)

const USER = "Run this as the user the service runs as, or give that user the folder."

/** What the system says against it, as its code; undefined where it lets it be done. */
const refused = (work: () => void): string | undefined => {
  try {
    work()
    return undefined
  } catch (error) {
    return codeOf(error)
  }
}

const sizeOf = (file: string) => (existsSync(file) ? statSync(file).size : 0)

const folderLine = (folder: string): Line => {
  const stats = statSync(folder)
  if (!stats.isDirectory())
    return fail("DATA_DIR", `${folder} is no folder`, "Set DATA_DIR to the folder of library.db.")
  const code = refused(() => accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK))
  if (code !== undefined) return fail("DATA_DIR", `${folder} cannot be written (${code})`, USER)
  const mode = (stats.mode & 0o777).toString(8).padStart(4, "0")
  return (stats.mode & 0o055) === 0
    ? ok("DATA_DIR", `${folder}, mode ${mode}`)
    : warn("DATA_DIR", `${folder} can be read by others (mode ${mode})`, `Run chmod 700 ${folder}.`)
}

const diskLine = (folder: string): Line => {
  const { bavail, bsize } = statfsSync(folder)
  const free = bavail * bsize
  const needed = Math.max(TIGHT, sizeOf(dataFolder(folder).library))
  if (free < FULL)
    return fail(
      "disk",
      `${size(free)} free`,
      "Make room on that disk at once: nothing more can be saved there."
    )
  return free < needed
    ? warn(
        "disk",
        `${size(free)} free`,
        `Make room on that disk: ${size(needed)} lets the library grow and be copied.`
      )
    : ok("disk", `${size(free)} free`)
}

/** Copies made before a risky step, which nothing needs any more once the library is seen to be well. */
const copiesLine = (folder: string): ReadonlyArray<Line> => {
  const copies = readdirSync(folder)
    .filter((name) => /^library-before-.*\.db$/.test(name))
    .sort()
  if (copies.length === 0) return []
  const bytes = copies.reduce((sum, name) => sum + sizeOf(join(folder, name)), 0)
  return [
    ok(
      "copies",
      `${size(bytes)} of earlier libraries: ${copies.join(", ")}`,
      "Delete them when you see that the library is well."
    )
  ]
}

/** The next folder above that is there. */
const nearest = (folder: string): string =>
  existsSync(folder) || dirname(folder) === folder ? folder : nearest(dirname(folder))

const look = (folder: string): ReadonlyArray<Line> => {
  const code = refused(() => statSync(folder))
  if (code === "ENOENT")
    return [
      off("DATA_DIR", `there is no ${folder}`, "The service makes it when it first starts."),
      diskLine(nearest(folder))
    ]
  if (code !== undefined) return [fail("DATA_DIR", `${folder} cannot be looked at (${code})`, USER)]
  const line = folderLine(folder)
  return line.state === "fail" ? [line, diskLine(folder)] : [line, diskLine(folder), ...copiesLine(folder)]
}

/** The folder of the library and its disk; nothing is written to find out. */
export const dataFolderCheck: Check<never> = Effect.map(libraryFolder, look)
