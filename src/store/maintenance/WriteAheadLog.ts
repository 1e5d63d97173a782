import {
  closeSync,
  existsSync,
  fstatSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  writeSync
} from "node:fs"
import { Effect, Option } from "effect"
import { ForeignLog } from "../DatabaseErrors.ts"
import { databaseSideFiles } from "../DataFolder.ts"
import { queryFile, queryWithoutLog, type RunQuery } from "./ReadOnlyFile.ts"

/** SQLite's write-ahead log (https://www.sqlite.org/fileformat2.html#the_write_ahead_log), as far as needed. */

const LOG_HEADER = 32
const FRAME_HEADER = 24
/** The two magic numbers, which differ in the last bit: set if checksums read words as big-endian. */
const LOG_MAGIC = 0x377f0682

/** A running checksum over pairs of 32-bit words. */
type Checksum = readonly [number, number]

/** Continues a checksum over bytes; their length must be a multiple of 8. */
const checksum = (bytes: Buffer, [first, second]: Checksum, isBigEndian = false): Checksum => {
  let [a, b] = [first | 0, second | 0]
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  for (let at = 0; at < bytes.length; at += 8) {
    a = (a + view.getInt32(at, !isBigEndian) + b) | 0
    b = (b + view.getInt32(at + 4, !isBigEndian) + a) | 0
  }
  return [a >>> 0, b >>> 0]
}

const checksumAt = (bytes: Buffer, at: number): Checksum => [
  bytes.readUInt32BE(at),
  bytes.readUInt32BE(at + 4)
]

const isSame = (one: Checksum, other: Checksum) => one[0] === other[0] && one[1] === other[1]

const bytesAt = (handle: number, length: number, at: number): Buffer | undefined => {
  const bytes = Buffer.allocUnsafe(length)
  return readSync(handle, bytes, 0, length, at) === length ? bytes : undefined
}

/** A page as a commit left it: the frame's header, and the checksum of everything before it. */
interface Frame {
  readonly before: Buffer
  readonly header: Buffer
}

/** The size in bytes of the checksum before a frame, followed by the frame's header. */
const FRAME_BYTES = 8 + FRAME_HEADER

const frameOf = (bytes: Buffer): Frame => ({
  before: bytes.subarray(0, 8),
  header: bytes.subarray(8, FRAME_BYTES)
})

/** Returns the two salts of the log's generation, as 16 hexadecimal digits. */
const saltsOf = ({ header }: Frame): string => header.toString("hex", 8, 16)

const pageOf = ({ header }: Frame): number => header.readUInt32BE(0)

/** The length in bytes of a log with this many frames. */
const lengthOf = (frames: number, pageSize: number) => LOG_HEADER + frames * (FRAME_HEADER + pageSize)

/** Returns the page size of an open log; undefined if its header has not been written yet. */
const readPageSize = (handle: number): number | undefined => bytesAt(handle, 4, 8)?.readUInt32BE(0)

/** Reads the checksum before frame `n` (from 1) and its header into `bytes`; false if the log is too short. */
const readFrame = (handle: number, n: number, pageSize: number, bytes: Buffer): boolean => {
  const at = lengthOf(n - 1, pageSize)
  // The first frame continues the checksum of the log's header.
  return (
    readSync(handle, bytes, 0, 8, n === 1 ? 24 : at - pageSize - 8) === 8 &&
    readSync(handle, bytes, 8, FRAME_HEADER, at) === FRAME_HEADER
  )
}

/** Whether a page of the database matches the frame; only for logs written by a little-endian machine. */
const isPageOf = ({ before, header }: Frame, page: Buffer): boolean =>
  isSame(checksum(page, checksum(header.subarray(0, 8), checksumAt(before, 0))), checksumAt(header, 16))

/** The part of a log that SQLite would read: the frames up to the last complete commit. */
interface LogContent {
  readonly salts: string
  readonly pageSize: number
  readonly frames: number
  readonly commits: number
}

const readHeader = (handle: number) => {
  const header = bytesAt(handle, LOG_HEADER, 0)
  if (header === undefined || (header.readUInt32BE(0) & ~1) >>> 0 !== LOG_MAGIC) return undefined
  const isBigEndian = (header.readUInt32BE(0) & 1) === 1
  const pageSize = header.readUInt32BE(8)
  const running = checksum(header.subarray(0, 24), [0, 0], isBigEndian)
  if (!isSame(running, checksumAt(header, 24)) || pageSize < 512 || pageSize > 65_536) return undefined
  return { isBigEndian, pageSize, running, salts: header.toString("hex", 16, 24) }
}

/** How many frames are read at once: some 5 ms of work. */
const PIECE = 256

/** Reads a log as SQLite recovers it, in pieces; returns undefined if there is no log or its header is damaged. */
function* walkLog(file: string): Generator<void, LogContent | undefined> {
  let handle: number
  try {
    handle = openSync(file, "r")
  } catch {
    return undefined
  }
  try {
    const header = readHeader(handle)
    if (header === undefined) return undefined
    const { isBigEndian, pageSize, salts } = header
    let { running } = header
    const { size } = fstatSync(handle)
    let [frames, commits] = [0, 0]
    const frame = Buffer.allocUnsafe(FRAME_HEADER + pageSize)
    for (let n = 1, at = LOG_HEADER; at + frame.length <= size; n++, at += frame.length) {
      if (readSync(handle, frame, 0, frame.length, at) < frame.length) break
      if (frame.toString("hex", 8, 16) !== salts) break
      running = checksum(frame.subarray(0, 8), running, isBigEndian)
      running = checksum(frame.subarray(FRAME_HEADER), running, isBigEndian)
      if (!isSame(running, checksumAt(frame, 16))) break
      // Only a commit's last frame records the size of the database after it.
      if (frame.readUInt32BE(4) > 0) {
        frames = n
        commits++
      }
      if (n % PIECE === 0) yield
    }
    // A log that was restarted meanwhile has other frames.
    return readHeader(handle)?.salts === salts ? { salts, pageSize, frames, commits } : undefined
  } finally {
    closeSync(handle)
  }
}

const readLog = (file: string): LogContent | undefined => {
  const walk = walkLog(file)
  for (;;) {
    const { done, value } = walk.next()
    if (done) return value
  }
}

/** Returns how many times SQLite restarted the log between two salts; it increments the first salt each time. */
const generationsBetween = (earlier: string, later: string): number =>
  (Number.parseInt(later.slice(0, 8), 16) - Number.parseInt(earlier.slice(0, 8), 16)) >>> 0

/**
 * Describes the last commit in the library's log, in a file beside the library: SQLite silently drops the unreadable
 * part of a log, and the next start reports what is missing. Written after each commit, before its acknowledgement,
 * and never synced: after a power cut it may be older than the log but never newer.
 */
interface LogNote {
  /** When the first and the last commit in the log were made, in milliseconds since 1970. */
  readonly since: number
  readonly until: number
  /** The number of frames in the log, and of this program's commits among them. */
  readonly frames: number
  readonly commits: number
  readonly pageSize: number
  readonly last: Frame
}

/** The file starts with this, followed by the fields in the order of `decode` and then the frame. */
const MAGIC = "LINKMARK"
const FIELDS = 40
const LENGTH = FIELDS + FRAME_BYTES

const encode = (bytes: Buffer, { commits, frames, pageSize, since, until }: Omit<LogNote, "last">) => {
  bytes.write(MAGIC, 0, "latin1")
  bytes.writeUInt32BE(pageSize, 8)
  bytes.writeUInt32BE(frames, 12)
  bytes.writeUInt32BE(commits, 16)
  bytes.writeDoubleBE(since, 24)
  bytes.writeDoubleBE(until, 32)
}

const decode = (bytes: Buffer): LogNote | undefined =>
  bytes.length === LENGTH && bytes.toString("latin1", 0, 8) === MAGIC
    ? {
        pageSize: bytes.readUInt32BE(8),
        frames: bytes.readUInt32BE(12),
        commits: bytes.readUInt32BE(16),
        since: bytes.readDoubleBE(24),
        until: bytes.readDoubleBE(32),
        last: frameOf(bytes.subarray(FIELDS))
      }
    : undefined

const readMark = (library: string): LogNote | undefined => {
  try {
    return decode(readFileSync(databaseSideFiles(library).logMark))
  } catch {
    return undefined
  }
}

export interface LostChanges {
  /** The number of missing commits, as far as they were counted; at least one. */
  readonly commits: number
  /** The period in which they were made, in milliseconds since 1970. */
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
      readSync(handle, page, 0, pageSize, (pageOf(frame) - 1) * pageSize) === pageSize &&
      isPageOf(frame, page)
    )
  } catch {
    return false
  } finally {
    closeSync(handle)
  }
}

/** A log restarted fewer times than this since the note is its successor: the earlier content is in the library. */
const MOST_GENERATIONS = 1_000

const isSuccessor = (log: LogContent, earlier: string) => {
  const count = generationsBetween(earlier, log.salts)
  return count > 0 && count < MOST_GENERATIONS
}

/** Compares an idle library's log with its note: lost changes, `"foreign"`, or undefined if nothing is missing. */
const compareLog = (library: string): LostChanges | "foreign" | undefined => {
  const noted = readMark(library)
  if (noted === undefined) return undefined
  const { commits, frames, last, pageSize, since, until } = noted
  const salts = saltsOf(last)
  const log = readLog(databaseSideFiles(library).log)
  if (log?.salts === salts && log.frames >= frames) return undefined
  if (log !== undefined && isSuccessor(log, salts)) return undefined
  // Already checkpointed: by another program that has since closed the library, or before the log was damaged.
  if (isInLibrary(library, last, pageSize)) return undefined
  if (log !== undefined && log.salts !== salts && log.frames > 0) return "foreign"
  const found = log?.salts === salts ? log.commits : 0
  return { commits: Math.max(1, commits - found), since, until }
}

/** Whether the open log holds every noted commit. SQLite skips checksums while it runs, and would write damage back. */
export const readsWhole = Effect.fn("WriteAheadLog.readsWhole")(function* (library: string) {
  const noted = readMark(library)
  if (noted === undefined) return true
  const walk = walkLog(databaseSideFiles(library).log)
  let step = walk.next()
  for (; !step.done; step = walk.next()) yield* Effect.yieldNow()
  const log = step.value
  return log === undefined || log.salts !== saltsOf(noted.last) || log.frames >= noted.frames
})

/** Returns when the first migration ran, which identifies a library: no two were created in the same second. */
const createdAtOf = (ask: RunQuery) =>
  Effect.map(
    ask<{ born: string }>(
      "SELECT created_at AS born FROM effect_sql_migrations ORDER BY migration_id LIMIT 1"
    ),
    ([row]) => row?.born
  )

/** Whether the library differs when read with its log and without it. False if either read fails. */
const logBelongsElsewhere = (library: string) =>
  Effect.map(
    Effect.all([
      Effect.option(queryWithoutLog(library, createdAtOf)),
      Effect.option(queryFile(library, createdAtOf))
    ]),
    ([without, whole]) => Option.isSome(without) && Option.isSome(whole) && without.value !== whole.value
  )

/** Reports changes lost from a log, and refuses another library's log. Changes nothing. */
export const checkLog = Effect.fn("WriteAheadLog.checkLog")(function* (library: string) {
  const result = yield* Effect.sync(() => compareLog(library))
  if (result === "foreign") return yield* new ForeignLog({ file: library })
  const isFilled = yield* Effect.sync(() => (readLog(databaseSideFiles(library).log)?.frames ?? 0) > 0)
  if (isFilled && (yield* logBelongsElsewhere(library))) return yield* new ForeignLog({ file: library })
  return Option.fromNullable(result)
})

interface LogMark {
  /** Records the last commit; `frames` are in the log. False if the log lacks this commit or the one before. */
  readonly committed: (frames: number, now: number) => boolean
  /** Whether the log still holds the last commit made here, as it was written; false before the first one. */
  readonly isIntact: () => boolean
  /** Whether the log can hold this many frames: its header, its length and the last of the frames are right. */
  readonly holds: (frames: number) => boolean
  /** Removes the note if the log is gone because the library contains everything, and closes the open files. */
  readonly close: () => void
}

export const openLogMark = (library: string): LogMark => {
  const { log, logMark } = databaseSideFiles(library)
  let [reading, writing] = [-1, -1]
  const earlier = readMark(library)
  let noted: Omit<LogNote, "last"> | undefined = earlier
  let salts = earlier === undefined ? "" : saltsOf(earlier.last)
  const bytes = Buffer.alloc(LENGTH)
  const frame = bytes.subarray(FIELDS)

  const attempt = (work: () => void) => {
    try {
      work()
    } catch {
      // On a full disk the old note stays.
    }
  }

  /** The last commit that was made here. */
  let own: { readonly frames: number; readonly bytes: Buffer } | undefined
  const found = Buffer.alloc(Math.max(FRAME_BYTES, LOG_HEADER))

  const isSalted = (handle: number, given: string) =>
    readSync(handle, found, 0, 8, 16) === 8 && found.toString("hex", 0, 8) === given

  /** Whether the last commit that was made here still stands; not asked of a log that SQLite has restarted since. */
  const ownStands = (handle: number, pageSize: number) =>
    own === undefined ||
    (readFrame(handle, own.frames, pageSize, found) &&
      found.compare(own.bytes, 0, FRAME_BYTES, 0, FRAME_BYTES) === 0)

  const trying = (work: () => boolean, otherwise: boolean) => {
    try {
      return work()
    } catch {
      return otherwise
    }
  }

  return {
    committed: (frames, now) => {
      if (frames <= 0) return true
      return trying(() => {
        if (reading < 0) reading = openSync(log, "r")
        const pageSize = noted?.pageSize ?? readPageSize(reading)
        if (pageSize === undefined || !readFrame(reading, frames, pageSize, frame)) return false
        const written = saltsOf(frameOf(frame))
        const isRestarted = written !== salts
        if (!isSalted(reading, written) || !(isRestarted || ownStands(reading, pageSize))) return false
        const same = isRestarted ? undefined : noted
        salts = written
        noted = {
          since: same?.since ?? now,
          until: now,
          frames,
          commits: (same?.commits ?? 0) + 1,
          pageSize
        }
        own = { frames, bytes: Buffer.from(frame) }
        encode(bytes, noted)
        attempt(() => {
          if (writing < 0) writing = openSync(logMark, existsSync(logMark) ? "r+" : "w", 0o600)
          writeSync(writing, bytes, 0, LENGTH, 0)
        })
        return true
      }, true)
    },
    isIntact: () =>
      trying(() => {
        if (own === undefined || noted === undefined) return false
        const { pageSize } = noted
        return (
          fstatSync(reading).size >= lengthOf(own.frames, pageSize) &&
          isSalted(reading, salts) &&
          ownStands(reading, pageSize)
        )
      }, false),
    holds: (frames) =>
      frames <= 0 ||
      trying(() => {
        if (reading < 0) reading = openSync(log, "r")
        const header = readHeader(reading)
        return (
          header !== undefined &&
          fstatSync(reading).size >= lengthOf(frames, header.pageSize) &&
          readFrame(reading, frames, header.pageSize, found) &&
          saltsOf(frameOf(found)) === header.salts
        )
      }, true),
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
