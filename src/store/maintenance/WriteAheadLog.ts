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
import { besides } from "../DataFolder.ts"
import { type Ask, reading, readingWithoutLog } from "./ReadOnlyFile.ts"

/**
 * The parts of SQLite's write-ahead log that are needed to say what it holds
 * (https://www.sqlite.org/fileformat2.html#the_write_ahead_log).
 */

const LOG_HEADER = 32
const FRAME_HEADER = 24
/** The two magic numbers; the last bit says that checksums read words with the most significant byte first. */
const WRITE_AHEAD_LOG_MAGIC = 0x377f0682

/** A running checksum over pairs of 32-bit words. */
type Checksum = readonly [number, number]

/** Continues a checksum over bytes, whose number must be a multiple of 8. */
const checksum = (bytes: Buffer, [first, second]: Checksum, isBigEndian = false): Checksum => {
  let [a, b] = [first, second]
  for (let at = 0; at < bytes.length; at += 8) {
    a = (a + (isBigEndian ? bytes.readUInt32BE(at) : bytes.readUInt32LE(at)) + b) >>> 0
    b = (b + (isBigEndian ? bytes.readUInt32BE(at + 4) : bytes.readUInt32LE(at + 4)) + a) >>> 0
  }
  return [a, b]
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

/** A frame of a log, which is a page as a commit left it: its header, and the checksum of everything before it. */
interface Frame {
  readonly before: Buffer
  readonly header: Buffer
}

/** How many bytes a frame's checksum before it and its header take, in this order. */
const FRAME_BYTES = 8 + FRAME_HEADER

/** A frame from the bytes that `readFrame` wrote. */
const frameOf = (bytes: Buffer): Frame => ({
  before: bytes.subarray(0, 8),
  header: bytes.subarray(8, FRAME_BYTES)
})

/** The two salts of the log's generation, as 16 hexadecimal digits. */
const saltsOf = ({ header }: Frame): string => header.toString("hex", 8, 16)

const pageOf = ({ header }: Frame): number => header.readUInt32BE(0)

/** The size of a page in an open log; undefined where its header was not written yet. */
const readPageSize = (handle: number): number | undefined => bytesAt(handle, 4, 8)?.readUInt32BE(0)

/**
 * Reads the checksum before frame number `n`, counted from 1, of an open log and its header into the first `FRAME_BYTES` of
 * `bytes`. Says whether the log is long enough.
 */
const readFrame = (handle: number, n: number, pageSize: number, bytes: Buffer): boolean => {
  const at = LOG_HEADER + (n - 1) * (FRAME_HEADER + pageSize)
  // The first frame continues the checksum of the log's own header.
  return (
    readSync(handle, bytes, 0, 8, n === 1 ? 24 : at - pageSize - 8) === 8 &&
    readSync(handle, bytes, 8, FRAME_HEADER, at) === FRAME_HEADER
  )
}

/** Whether a page of the database is what the frame says it was; for logs written by this machine's processor family. */
const isPageOf = ({ before, header }: Frame, page: Buffer): boolean =>
  isSame(checksum(page, checksum(header.subarray(0, 8), checksumAt(before, 0))), checksumAt(header, 16))

/** What a log holds that SQLite would read: the frames up to the last whole commit. */
interface LogContent {
  readonly salts: string
  readonly pageSize: number
  readonly frames: number
  readonly commits: number
}

/** Reads a log as SQLite recovers it; undefined if there is no log or its header is damaged. */
const readLog = (file: string): LogContent | undefined => {
  let handle: number
  try {
    handle = openSync(file, "r")
  } catch {
    return undefined
  }
  try {
    const header = bytesAt(handle, LOG_HEADER, 0)
    if (header === undefined || (header.readUInt32BE(0) & ~1) >>> 0 !== WRITE_AHEAD_LOG_MAGIC)
      return undefined
    const isBigEndian = (header.readUInt32BE(0) & 1) === 1
    const pageSize = header.readUInt32BE(8)
    let running = checksum(header.subarray(0, 24), [0, 0], isBigEndian)
    if (!isSame(running, checksumAt(header, 24)) || pageSize < 512 || pageSize > 65_536) return undefined
    const salts = header.toString("hex", 16, 24)
    const { size } = fstatSync(handle)
    let [frames, commits] = [0, 0]
    const frame = Buffer.allocUnsafe(FRAME_HEADER + pageSize)
    for (let n = 1, at = LOG_HEADER; at + frame.length <= size; n++, at += frame.length) {
      if (readSync(handle, frame, 0, frame.length, at) < frame.length) break
      if (frame.toString("hex", 8, 16) !== salts) break
      running = checksum(frame.subarray(0, 8), running, isBigEndian)
      running = checksum(frame.subarray(FRAME_HEADER), running, isBigEndian)
      if (!isSame(running, checksumAt(frame, 16))) break
      // A commit's last frame says how large the database is after it.
      if (frame.readUInt32BE(4) > 0) {
        frames = n
        commits++
      }
    }
    return { salts, pageSize, frames, commits }
  } finally {
    closeSync(handle)
  }
}

/** How many times SQLite has begun the log again between two salts: it adds one to the first each time. */
const generationsBetween = (earlier: string, later: string): number =>
  (Number.parseInt(later.slice(0, 8), 16) - Number.parseInt(earlier.slice(0, 8), 16)) >>> 0

/**
 * The note beside the library of the last commit in its log. SQLite drops whatever it cannot read of a log without a
 * word; with the note the next start can say what is missing.
 *
 * It is written after each commit, before the commit is acknowledged, and never synced: a killed process has written it, and
 * after a power cut it may be older than the log, never newer. So a torn end of the log that was never acknowledged is no
 * loss.
 */
interface Noted {
  /** Milliseconds since 1970 of the first and the last commit in the log. */
  readonly since: number
  readonly until: number
  /** How many frames the log has, and how many commits of ours are among them. */
  readonly frames: number
  readonly commits: number
  readonly pageSize: number
  /** The frame of the last commit. */
  readonly last: Frame
}

/** The file begins with this, then come the fields in the order of `decode`, then the frame. */
const MAGIC = "LINKMARK"
const FIELDS = 40
const LENGTH = FIELDS + FRAME_BYTES

const encode = (bytes: Buffer, { commits, frames, pageSize, since, until }: Omit<Noted, "last">) => {
  bytes.write(MAGIC, 0, "latin1")
  bytes.writeUInt32BE(pageSize, 8)
  bytes.writeUInt32BE(frames, 12)
  bytes.writeUInt32BE(commits, 16)
  bytes.writeDoubleBE(since, 24)
  bytes.writeDoubleBE(until, 32)
}

const decode = (bytes: Buffer): Noted | undefined =>
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

const readMark = (library: string): Noted | undefined => {
  try {
    return decode(readFileSync(besides(library).logMark))
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
      readSync(handle, page, 0, pageSize, (pageOf(frame) - 1) * pageSize) === pageSize &&
      isPageOf(frame, page)
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
 * Compares the log of a library without a writer with its note: what was lost of it, or `"foreign"` where the log belongs
 * to another library. Undefined where everything noted is there.
 */
const compareLog = (library: string): LostChanges | "foreign" | undefined => {
  const noted = readMark(library)
  if (noted === undefined) return undefined
  const { commits, frames, last, pageSize, since, until } = noted
  const salts = saltsOf(last)
  const log = readLog(besides(library).log)
  if (log?.salts === salts && log.frames >= frames) return undefined
  if (log !== undefined && isSuccessor(log, salts)) return undefined
  // Written back: by another program that has closed the library since, or before the log was damaged.
  if (isInLibrary(library, last, pageSize)) return undefined
  if (log !== undefined && log.salts !== salts && log.frames > 0) return "foreign"
  const found = log?.salts === salts ? log.commits : 0
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
interface LogMark {
  /** Notes the last commit; `frames` is how many the log has. */
  readonly committed: (frames: number, now: number) => void
  /** Removes the note if the log is gone because the library has everything; closes what is open. */
  readonly close: () => void
}

export const openLogMark = (library: string): LogMark => {
  const { log, logMark } = besides(library)
  let [reading, writing] = [-1, -1]
  const earlier = readMark(library)
  let noted: Omit<Noted, "last"> | undefined = earlier
  let salts = earlier === undefined ? "" : saltsOf(earlier.last)
  const bytes = Buffer.alloc(LENGTH)
  const frame = bytes.subarray(FIELDS)

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
        const pageSize = noted?.pageSize ?? readPageSize(reading)
        if (pageSize === undefined || !readFrame(reading, frames, pageSize, frame)) return
        const found = saltsOf(frameOf(frame))
        const same = found === salts ? noted : undefined
        salts = found
        noted = {
          since: same?.since ?? now,
          until: now,
          frames,
          commits: (same?.commits ?? 0) + 1,
          pageSize
        }
        encode(bytes, noted)
        if (writing < 0) writing = openSync(logMark, existsSync(logMark) ? "r+" : "w", 0o600)
        writeSync(writing, bytes, 0, LENGTH, 0)
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
