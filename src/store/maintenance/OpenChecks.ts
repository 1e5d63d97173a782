import { accessSync, constants, existsSync, writeFileSync } from "node:fs"
import { dirname, resolve } from "node:path"
import { Effect, Option } from "effect"
import { LibraryMissing, LibraryUnreadable } from "../DatabaseErrors.ts"
import { creationMarkerPath } from "../DataFolder.ts"
import { checkQuickly, queryLibrary, requireLibraryFile } from "./Inspection.ts"
import { checkLog, type LostChanges } from "./WriteAheadLog.ts"

const MARK =
  "Linkbower created a library in the file beside this one. While this file exists, it does not create a new one.\n"

/** Refuses a file or folder that this process cannot read and write, because of its permissions or a read-only disk. */
const writable = (path: string) =>
  Effect.try({
    try: () => accessSync(path, constants.R_OK | constants.W_OK),
    catch: () => new LibraryUnreadable({ file: path, reason: "it is not readable and writable" })
  })

interface OpenableLibrary {
  /** 0 if there is no library yet. */
  readonly version: number
  /** Acknowledged changes that are missing from the end of the log. */
  readonly lost: Option.Option<LostChanges>
}

/** Damaged, newer, foreign, not writable or missing; allows a new one where none has ever existed. */
export const checkBeforeOpening = Effect.fn("OpenChecks.checkBeforeOpening")(function* (file: string) {
  const isThere = yield* Effect.as(requireLibraryFile(file), true).pipe(
    Effect.catchIf(
      (error) => error._tag === "LibraryMissing" && !error.was,
      () => Effect.succeed(false)
    )
  )
  yield* writable(dirname(resolve(file)))
  if (!isThere) return { version: 0, lost: Option.none() } satisfies OpenableLibrary
  yield* writable(file)
  const lost = yield* checkLog(file)
  const { version } = yield* queryLibrary(file, (ask, unchanging) => checkQuickly({ file, ask, unchanging }))
  if (version === 0 && existsSync(creationMarkerPath(file)))
    return yield* new LibraryMissing({ file, isEmpty: true, was: true })
  return { version, lost } satisfies OpenableLibrary
})

/** Marks that the library exists, so that an empty one is never created in its place if it goes missing. */
export const markInitialized = Effect.fn("OpenChecks.markInitialized")((file: string) =>
  Effect.try({
    try: () => {
      // Not `replaceFile`: only the existence of the file counts, so half of its text is as good as all of it.
      if (!existsSync(creationMarkerPath(file)))
        writeFileSync(creationMarkerPath(file), MARK, { mode: 0o600 })
    },
    catch: () => new LibraryUnreadable({ file: creationMarkerPath(file), reason: "it cannot be written" })
  })
)
