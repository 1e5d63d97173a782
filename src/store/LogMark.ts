import { closeSync, existsSync, openSync, readFileSync, readSync, rmSync, writeSync } from "node:fs"
import { Effect, Option, Schema } from "effect"
import { ForeignLog } from "./DatabaseErrors.ts"
import { besides } from "./DataFolder.ts"
import { type Ask, reading, readingWithoutLog } from "./ReadOnlyFile.ts"
import {
  type Frame,
  generationsBetween,
  isPageOf,
  type LogContent,
  readFrame,
  readLog,
  readPageSize
} from "./WriteAheadLog.ts"

/**
 * The note beside the library of the last commit in its log. SQLite drops whatever it cannot read of a log without a
 * word; with the note the next start can say what is missing.
 *
 * It is written after each commit, before the commit is acknowledged, and never synced: a killed process has written it, and
 * after a power cut it may be older than the log, never newer. So a torn end of the log that was never acknowledged is no
 * loss.
 */
const Noted = Schema.Struct({
  /** Milliseconds since 1970 of the first and the last commit in the log. */
  since: Schema.Number,
  until: Schema.Number,
  /** How many frames the log has, and how many commits of ours are among them. */
  frames: Schema.Int,
  commits: Schema.Int,
  pageSize: Schema.Int,
  /** The frame of the last commit. */
  last: Schema.Struct({
    salts: Schema.String,
    page: Schema.Int,
    before: Schema.Tuple(Schema.Number, Schema.Number),
    after: Schema.Tuple(Schema.Number, Schema.Number),
    head: Schema.String
  })
})
type Noted = typeof Noted.Type

/** Every note has this length, so that a shorter one leaves nothing of a longer one. */
const LENGTH = 400

const decode = Schema.decodeUnknownOption(Schema.parseJson(Noted))

const readMark = (library: string): Noted | undefined => {
  try {
    return Option.getOrUndefined(decode(readFileSync(besides(library).logMark, "latin1")))
  } catch {
    return undefined
  }
}

/** Changes that were acknowledged and are in neither the library nor its log. */
export interface LostChanges {
  /** How many commits are missing, as far as they were counted; at least one. */
  readonly commits: number
  /** Milliseconds since 1970 between which they were made. */
  readonly since: number
  readonly until: number
}

const isInLibrary = (library: string, frame: Frame, pageSize: number) => {
  const page = Buffer.alloc(pageSize)
  let handle: number
  try {
    handle = openSync(library, "r")
  } catch {
    return false
  }
  try {
    return (
      readSync(handle, page, 0, pageSize, (frame.page - 1) * pageSize) === pageSize && isPageOf(frame, page)
    )
  } catch {
    return false
  } finally {
    closeSync(handle)
  }
}

/** A log that SQLite began again since has been written into the library before. */
const MOST_GENERATIONS = 1_000

const isSuccessor = (log: LogContent, earlier: string) => {
  const count = generationsBetween(earlier, log.salts)
  return count > 0 && count < MOST_GENERATIONS
}

/**
 * Compares the log of a library that nobody writes with its note: what was lost of it, or `"foreign"` where the log belongs
 * to another library. Undefined where everything noted is there.
 */
const compareLog = (library: string): LostChanges | "foreign" | undefined => {
  const noted = readMark(library)
  if (noted === undefined) return undefined
  const { commits, frames, last, pageSize, since, until } = noted
  const log = readLog(besides(library).log)
  if (log?.salts === last.salts && log.frames >= frames) return undefined
  if (log !== undefined && isSuccessor(log, last.salts)) return undefined
  // Written back: by another program that has closed the library since, or before the log was damaged.
  if (isInLibrary(library, last, pageSize)) return undefined
  if (log !== undefined && log.salts !== last.salts && log.frames > 0) return "foreign"
  const found = log?.salts === last.salts ? log.commits : 0
  return { commits: Math.max(1, commits - found), since, until }
}

/** When the first migration ran: no two libraries began in the same second. */
const bornOf = (ask: Ask) =>
  Effect.map(
    ask<{ born: string }>(
      "SELECT created_at AS born FROM effect_sql_migrations ORDER BY migration_id LIMIT 1"
    ),
    ([row]) => row?.born
  )

/** Whether the log makes another library of this one; one that cannot be told without its log is believed. */
const changesLibrary = (library: string) =>
  Effect.map(
    Effect.all([Effect.option(readingWithoutLog(library, bornOf)), Effect.option(reading(library, bornOf))]),
    ([without, whole]) => Option.isSome(without) && Option.isSome(whole) && without.value !== whole.value
  )

/**
 * Says what was lost of the log beside a library, and refuses the log of another one, which SQLite would write into this
 * library. Nothing is changed.
 */
export const checkLog = Effect.fn("LogMark.check")(function* (library: string) {
  const result = yield* Effect.sync(() => compareLog(library))
  if (result === "foreign") return yield* new ForeignLog({ file: library })
  const isFilled = yield* Effect.sync(() => (readLog(besides(library).log)?.frames ?? 0) > 0)
  if (isFilled && (yield* changesLibrary(library))) return yield* new ForeignLog({ file: library })
  return Option.fromNullable(result)
})

/** Writes the note of an open library. None of it fails: without a note only the warning is missing. */
export interface LogMark {
  /** Notes the last commit; `frames` is how many the log has. */
  readonly committed: (frames: number, now: number) => void
  /** Removes the note if the log is gone because the library has everything; closes what is open. */
  readonly close: () => void
}

export const openLogMark = (library: string): LogMark => {
  const { log, logMark } = besides(library)
  let [reading, writing] = [-1, -1]
  let noted = readMark(library)

  const write = (next: Noted) => {
    if (writing < 0) writing = openSync(logMark, existsSync(logMark) ? "r+" : "w", 0o600)
    writeSync(writing, JSON.stringify(next).padEnd(LENGTH), 0, "latin1")
    noted = next
  }
  const attempt = (work: () => void) => {
    try {
      work()
    } catch {
      // A full disk keeps the note as it was.
    }
  }

  return {
    committed: (frames, now) =>
      attempt(() => {
        if (frames <= 0) return
        if (reading < 0) reading = openSync(log, "r")
        const pageSize = readPageSize(reading)
        const last = pageSize === undefined ? undefined : readFrame(reading, frames, pageSize)
        if (pageSize === undefined || last === undefined) return
        const same = noted?.last.salts === last.salts ? noted : undefined
        write({
          since: same?.since ?? now,
          until: now,
          frames,
          commits: (same?.commits ?? 0) + 1,
          pageSize,
          last
        })
      }),
    close: () => {
      attempt(() => {
        const latest = readMark(library)
        if (latest !== undefined && !existsSync(log) && isInLibrary(library, latest.last, latest.pageSize))
          rmSync(logMark)
      })
      for (const handle of [reading, writing]) if (handle >= 0) attempt(() => closeSync(handle))
    }
  }
}
