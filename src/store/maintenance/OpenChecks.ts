import { accessSync, constants, existsSync, writeFileSync } from "node:fs"
import { dirname, resolve } from "node:path"
import { Effect, Option } from "effect"
import { LibraryMissing, LibraryUnreadable } from "../DatabaseErrors.ts"
import { markerOf } from "../DataFolder.ts"
import { checkQuickly, present, readingLibrary } from "./Inspection.ts"
import { checkLog, type LostChanges } from "./WriteAheadLog.ts"

const MARK =
  "A library has been made in the file beside this one. As long as this says so, none is begun anew.\n"

/** Refuses a file or folder that this process may not write, be it for its mode or for the disk's. */
const writable = (path: string) =>
  Effect.try({
    try: () => accessSync(path, constants.R_OK | constants.W_OK),
    catch: () => new LibraryUnreadable({ file: path, reason: "it may not be read and written" })
  })

/** A library that may be opened. */
interface Sound {
  /** 0 if there is no library yet. */
  readonly version: number
  /** What was saved and is missing from the end of the log. */
  readonly lost: Option.Option<LostChanges>
}

/**
 * Refuses a library that must not be opened for writing, without changing it: damaged, newer than this program, none of
 * ours, with another one's log, not writable, or gone. Where there has never been one, one may be created.
 */
export const soundToOpen = Effect.fn("Soundness.soundToOpen")(function* (file: string) {
  const isThere = yield* Effect.as(present(file), true).pipe(
    Effect.catchIf(
      (error) => error._tag === "LibraryMissing" && !error.was,
      () => Effect.succeed(false)
    )
  )
  yield* writable(dirname(resolve(file)))
  if (!isThere) return { version: 0, lost: Option.none() } satisfies Sound
  yield* writable(file)
  const lost = yield* checkLog(file)
  const { version } = yield* readingLibrary(file, (ask) => checkQuickly(file, ask))
  if (version === 0 && existsSync(markerOf(file)))
    return yield* new LibraryMissing({ file, isEmpty: true, was: true })
  return { version, lost } satisfies Sound
})

/** Notes that there is a library, so that none is made in its place should it be gone one day. */
export const mark = Effect.fn("Soundness.mark")((file: string) =>
  Effect.try({
    try: () => {
      if (!existsSync(markerOf(file))) writeFileSync(markerOf(file), MARK, { mode: 0o600 })
    },
    catch: () => new LibraryUnreadable({ file: markerOf(file), reason: "it cannot be written" })
  })
)
