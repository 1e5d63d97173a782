import { accessSync, constants, existsSync, readdirSync, statfsSync, statSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import { DateTime, Duration, Effect, Option } from "effect"
import { Setting } from "../../config/Configuration.ts"
import { externalSignIns } from "../../gates/SignInWays.ts"
import { backupsIn, backupsLine } from "../../library/Backups.ts"
import { codeOf } from "../../runtime/LiveFile.ts"
import { count, grouped, sizeText } from "../../shared/Format.ts"
import { type InspectionError, LibraryMissing } from "../../store/DatabaseErrors.ts"
import { dataFolder } from "../../store/DataFolder.ts"
import { type Inspection, inspect, MOST_NAMED } from "../../store/maintenance/Inspection.ts"
import { type Check, fail, type Line, off, ok, present, warn } from "./Finding.ts"

/** In bytes: below `TIGHT` the library soon cannot grow, below `FULL` it already cannot. */
const TIGHT = 500_000_000
const FULL = 50_000_000

export const libraryFolder = Effect.map(
  Effect.orElseSucceed(Setting.dataDir.config, () => "./data"),
  (folder) => resolve(folder)
)

const USER = "Run this as the service's user, or make that user the owner of the folder."

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
    return fail("DATA_DIR", `${folder} is not a folder`, "Set DATA_DIR to the folder of library.db.")
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
    return fail("disk", `${sizeText(free)} free`, "Free space on that disk now: nothing more can be saved.")
  return free < needed
    ? warn(
        "disk",
        `${sizeText(free)} free`,
        `Free space on that disk: the library needs ${sizeText(needed)} to grow and to be copied.`
      )
    : ok("disk", `${sizeText(free)} free`)
}

/** Copies made before a risky step, which are no longer needed once the library is known to be sound. */
const copiesLine = (folder: string): Line | undefined => {
  const copies = readdirSync(folder)
    .filter((name) => /^library-before-.*\.db$/.test(name))
    .sort()
  if (copies.length === 0) return undefined
  const bytes = copies.reduce((sum, name) => sum + sizeOf(join(folder, name)), 0)
  return ok(
    "copies",
    `${sizeText(bytes)} of earlier libraries: ${copies.join(", ")}`,
    "Delete them once you have checked that the library is complete."
  )
}

const nearestExisting = (folder: string): string =>
  existsSync(folder) || dirname(folder) === folder ? folder : nearestExisting(dirname(folder))

const folderLines = (folder: string): ReadonlyArray<Line> => {
  const code = errorCodeOf(() => statSync(folder))
  if (code === "ENOENT")
    return [
      off("DATA_DIR", `${folder} does not exist`, "The service creates it at its first start."),
      diskLine(nearestExisting(folder))
    ]
  if (code !== undefined) return [fail("DATA_DIR", `${folder} cannot be read (${code})`, USER)]
  const line = folderLine(folder)
  return present(line, diskLine(folder), line.state !== "fail" && copiesLine(folder))
}

export const dataFolderCheck: Check<never> = Effect.map(libraryFolder, folderLines)

/** A backup this many times older than `BACKUP_EVERY` is overdue. */
const OVERDUE = 3

export const backupsCheck: Check<never> = Effect.gen(function* () {
  const every = yield* Effect.orElseSucceed(Setting.backupEvery.config, () => "off" as const)
  const backups = yield* backupsIn(dataFolder(yield* libraryFolder).backups)
  if (every === "off" && backups.length === 0)
    return [
      off(
        "backups",
        "the service makes none",
        "Set BACKUP_EVERY=1 day, or make them with `linkbower backup`; see the page on backups."
      )
    ]
  const line = backupsLine(backups)
  const [newest] = backups
  if (every === "off" || newest === undefined) return [ok("backups", line)]
  const oldest = DateTime.subtractDuration(yield* DateTime.now, Duration.times(every, OVERDUE))
  return DateTime.lessThan(newest.createdAt, oldest)
    ? [warn("backups", line, "It is overdue: the service's log says why, or start the service.")]
    : [ok("backups", line)]
})

const inspectionFailed = (error: InspectionError): Line =>
  error instanceof LibraryMissing && !error.was
    ? off("library.db", error.what, "The service creates it at its first start.")
    : fail("library.db", error.what, error.message.slice(error.what.length).trim())

const REINDEX = "Run `linkbower reindex`."

const indexLine = ({ waiting, withoutText, withoutVector }: Inspection): Line => {
  const drifted = [
    ...(withoutText > 0 ? [`${count(withoutText, "link")} not found by words`] : []),
    ...(withoutVector > 0 ? [`${count(withoutVector, "link")} not found by meaning`] : [])
  ]
  if (drifted.length > 0) return warn("search index", drifted.join(", "), REINDEX)
  return waiting > 0
    ? ok(
        "search index",
        `up to date; ${count(waiting, "link")} waiting for a vector, which the service makes`
      )
    : ok("search index", "up to date")
}

const queueLine = (name: string, waiting: number, one: string, whose: string): Line =>
  waiting === 0
    ? ok(name, "none waiting")
    : ok(name, `${count(waiting, one)} waiting`, `${whose} processes them while it runs.`)

const sparedLine = (some: Inspection["spared"], isAll: boolean, why: string, advice: string) =>
  some.length > 0 &&
  warn(
    "pages not read",
    `${count(some.length, "link")}${isAll ? "" : " or more"} saved without reading the page, because the service ended twice while reading it, in a crash, a kill or a power cut${why}: ${some.map(({ url }) => url).join(", ")}`,
    advice
  )

const sparedLines = (spared: Inspection["spared"]): ReadonlyArray<Line> => {
  const isAll = spared.length !== MOST_NAMED
  return present(
    sparedLine(
      spared.filter(({ isRetried }) => !isRetried),
      isAll,
      "",
      "The service tries each once more after an hour; refresh a link to try at once."
    ),
    sparedLine(
      spared.filter(({ isRetried }) => isRetried),
      isAll,
      ", and its last try did not finish",
      "Refresh a link to try again, and report its address if the service crashes."
    )
  )
}

const givenUpLine = (givenUp: ReadonlyArray<number>) =>
  givenUp.length > 0 &&
  warn(
    "failed arrivals",
    `${count(givenUp.length, "arrival")} not saved after several attempts: ${givenUp.join(", ")}`,
    "To retry them, search for is:partial in the dashboard or send /retry. The log has the causes."
  )

const schemaLines = ({ additions, missingIndexes }: Inspection): ReadonlyArray<Line> =>
  present(
    missingIndexes.length > 0 &&
      warn(
        "schema",
        `missing indexes: ${missingIndexes.join(", ")}`,
        "Queries are slower without them. The service recreates them when it starts."
      ),
    additions.length > 0 &&
      warn("schema", `another program added ${additions.join(", ")}`, "Linkbower ignores them.")
  )

/** The line on the ways into the dashboard: those of the library, and those that settings alone set up. */
const signInLine = ({ passkeys, passwords }: Inspection, outside: ReadonlyArray<string>): Line => {
  const set = [
    ...(passwords > 0 ? ["a password"] : []),
    ...(passkeys > 0 ? [count(passkeys, "passkey")] : []),
    ...outside
  ]
  return set.length > 0
    ? ok("sign-in", set.join(", "))
    : off(
        "sign-in",
        "no way to sign in is set up",
        "Open /setup: the service's log or `linkbower setup` has the one-time code."
      )
}

const lostLine = ({ lost }: Inspection) =>
  Option.getOrUndefined(
    Option.map(lost, ({ commits, since, until }) =>
      fail(
        "log",
        `up to ${count(commits, "change")} saved between ${new Date(since).toISOString()} and ${new Date(until).toISOString()} are missing: the end of library.db-wal was lost`,
        "Restore library.db-wal if you have it, or start the service without it and save those links again. Check the disk."
      )
    )
  )

const inspectionLines = (inspection: Inspection, outside: ReadonlyArray<string>): ReadonlyArray<Line> => {
  const { bytes, collections, inboxWaiting, known, links, outboxWaiting, shared, trash, version } = inspection
  const trashed = trash === 0 ? "" : `, ${grouped(trash)} in the trash`
  return present(
    ok(
      "library.db",
      `sound: ${count(links, "link")}, ${count(collections, "collection")}, ${grouped(shared)} on the public list${trashed}; ${sizeText(bytes)}`
    ),
    version === known
      ? ok("version", `${version}, current`)
      : warn(
          "version",
          `${version}, older than this program's ${known}`,
          "The service migrates it at the next start and keeps a copy."
        ),
    lostLine(inspection),
    schemaLines(inspection),
    indexLine(inspection),
    signInLine(inspection, outside),
    queueLine("arrivals", inboxWaiting, "update", "The service"),
    queueLine("replies", outboxWaiting, "message", "The service"),
    sparedLines(inspection.spared),
    givenUpLine(inspection.givenUp)
  )
}

export const libraryFile: Check<never> = Effect.gen(function* () {
  const folder = yield* libraryFolder
  const isOpen = yield* Effect.orElseSucceed(Setting.devNoAuth.config, () => false)
  const outside = [...(yield* externalSignIns), ...(isOpen ? ["DEV_NO_AUTH"] : [])]
  return yield* Effect.match(inspect(dataFolder(folder).library), {
    onFailure: (error) => [inspectionFailed(error)],
    onSuccess: (inspection) => inspectionLines(inspection, outside)
  })
})
