import { accessSync, constants, existsSync, readdirSync, statfsSync, statSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import { Effect, Option } from "effect"
import { Setting } from "../../config/Configuration.ts"
import { codeOf } from "../../runtime/LiveFile.ts"
import { count, sizeText } from "../../shared/Format.ts"
import { type InspectionError, LibraryMissing } from "../../store/DatabaseErrors.ts"
import { dataFolder } from "../../store/DataFolder.ts"
import { type Inspection, inspect } from "../../store/maintenance/Inspection.ts"
import { type Check, fail, type Line, off, ok, warn } from "./Finding.ts"

/** Free disk space in bytes: below `TIGHT` the library soon cannot grow, below `FULL` it already cannot. */
const TIGHT = 500_000_000
const FULL = 50_000_000

/** The folder of DATA_DIR, or the default folder if the setting cannot be read. */
export const libraryFolder = Effect.map(
  Effect.orElseSucceed(Setting.dataDir.config, () => "./data"),
  (folder) => resolve(folder)
)

const USER = "Run this as the user the service runs as, or give that user the folder."

/** The system's error code if `work` throws; undefined if it succeeds. */
const errorCodeOf = (work: () => void): string | undefined => {
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
  const code = errorCodeOf(() => accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK))
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
      `${sizeText(free)} free`,
      "Make room on that disk at once: nothing more can be saved there."
    )
  return free < needed
    ? warn(
        "disk",
        `${sizeText(free)} free`,
        `Make room on that disk: ${sizeText(needed)} lets the library grow and be copied.`
      )
    : ok("disk", `${sizeText(free)} free`)
}

/** Copies made before a risky step, which are no longer needed once the library is known to be sound. */
const copiesLine = (folder: string): ReadonlyArray<Line> => {
  const copies = readdirSync(folder)
    .filter((name) => /^library-before-.*\.db$/.test(name))
    .sort()
  if (copies.length === 0) return []
  const bytes = copies.reduce((sum, name) => sum + sizeOf(join(folder, name)), 0)
  return [
    ok(
      "copies",
      `${sizeText(bytes)} of earlier libraries: ${copies.join(", ")}`,
      "Delete them when you see that the library is well."
    )
  ]
}

/** The folder itself if it exists, else its nearestExisting ancestor that does. */
const nearestExisting = (folder: string): string =>
  existsSync(folder) || dirname(folder) === folder ? folder : nearestExisting(dirname(folder))

const folderLines = (folder: string): ReadonlyArray<Line> => {
  const code = errorCodeOf(() => statSync(folder))
  if (code === "ENOENT")
    return [
      off("DATA_DIR", `there is no ${folder}`, "The service makes it when it first starts."),
      diskLine(nearestExisting(folder))
    ]
  if (code !== undefined) return [fail("DATA_DIR", `${folder} cannot be looked at (${code})`, USER)]
  const line = folderLine(folder)
  return line.state === "fail" ? [line, diskLine(folder)] : [line, diskLine(folder), ...copiesLine(folder)]
}

/** Checks the library's folder and its disk, without writing to either. */
export const dataFolderCheck: Check<never> = Effect.map(libraryFolder, folderLines)

const inspectionFailed = (error: InspectionError): Line =>
  error instanceof LibraryMissing && !error.was
    ? off("library.db", error.what, "The service makes it when it first starts.")
    : fail("library.db", error.what, error.message.slice(error.what.length).trim())

const REINDEX = "Run `linkbower reindex`."

const indexLine = ({ waiting, withoutText, withoutVector }: Inspection): Line => {
  const drifted = [
    ...(withoutText > 0 ? [`${count(withoutText, "link")} not found by words`] : []),
    ...(withoutVector > 0 ? [`${count(withoutVector, "link")} not found by meaning`] : [])
  ]
  if (drifted.length > 0) return warn("search index", drifted.join(", "), REINDEX)
  return waiting > 0
    ? ok("search index", `in step; ${count(waiting, "link")} waiting for a vector, which the service makes`)
    : ok("search index", "in step with the links")
}

const queueLine = (name: string, waiting: number, one: string, whose: string): Line =>
  waiting === 0
    ? ok(name, "none waiting")
    : ok(
        name,
        `${count(waiting, one)} waiting`,
        `${whose} takes them up while it runs, and again when it starts.`
      )

const sparedLine = (spared: ReadonlyArray<string>): ReadonlyArray<Line> =>
  spared.length === 0
    ? []
    : [
        warn(
          "pages not read",
          `${count(spared.length, "link")} saved by address alone, because the service ended twice while it read the page: ${spared.join(", ")}`,
          "Refresh each in the dashboard to try its page again, and report the address if the service ends."
        )
      ]

const givenUpLine = (givenUp: ReadonlyArray<number>): ReadonlyArray<Line> =>
  givenUp.length === 0
    ? []
    : [
        warn(
          "arrivals given up",
          `${count(givenUp.length, "arrival")} not saved after repeated failures: ${givenUp.join(", ")}`,
          "Search for is:partial in the dashboard, or send /retry, to try them again; the log names each cause."
        )
      ]

const schemaLine = ({ additions, missingIndexes }: Inspection): ReadonlyArray<Line> => [
  ...(missingIndexes.length === 0
    ? []
    : [
        warn(
          "schema",
          `missing indexes: ${missingIndexes.join(", ")}`,
          "Reading is slower without them. The service makes them again when it starts."
        )
      ]),
  ...(additions.length === 0
    ? []
    : [
        warn(
          "schema",
          `another program added ${additions.join(", ")}`,
          "Linkbower does not use them and leaves them alone."
        )
      ])
]

const lostLine = ({ lost }: Inspection): ReadonlyArray<Line> =>
  Option.match(lost, {
    onNone: () => [],
    onSome: ({ commits, since, until }) => [
      fail(
        "log",
        `up to ${count(commits, "change")} saved between ${new Date(since).toISOString()} and ${new Date(until).toISOString()} are missing: the end of library.db-wal was lost`,
        "Put the log back if you have it, or start the service without it and save those links again. Check the disk."
      )
    ]
  })

const inspectionLines = (inspection: Inspection): ReadonlyArray<Line> => {
  const { bytes, collections, inboxWaiting, known, links, outboxWaiting, shareable, version } = inspection
  return [
    ok(
      "library.db",
      `sound: ${count(links, "link")}, ${count(collections, "collection")}, ${shareable.toLocaleString("en")} on the public list; ${sizeText(bytes)}`
    ),
    version === known
      ? ok("version", `${version}, as this program writes it`)
      : warn(
          "version",
          `${version}, while this program writes ${known}`,
          "It is brought up to date when the service starts, which keeps a copy of it."
        ),
    ...lostLine(inspection),
    ...schemaLine(inspection),
    indexLine(inspection),
    queueLine("arrivals", inboxWaiting, "update", "The service"),
    queueLine("replies", outboxWaiting, "message", "The service"),
    ...sparedLine(inspection.spared),
    ...givenUpLine(inspection.givenUp)
  ]
}

/** Checks that the library is sound, and reports its contents and its queues. */
export const libraryFile: Check<never> = Effect.flatMap(libraryFolder, (folder) =>
  Effect.match(inspect(dataFolder(folder).library), {
    onFailure: (error) => [inspectionFailed(error)],
    onSuccess: inspectionLines
  })
)
