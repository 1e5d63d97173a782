import { closeSync, fstatSync, openSync, readSync } from "node:fs"

/**
 * The parts of SQLite's write-ahead log that are needed to say what it holds
 * (https://www.sqlite.org/fileformat2.html#the_write_ahead_log).
 */

const LOG_HEADER = 32
const FRAME_HEADER = 24
/** The two magic numbers; the last bit says that checksums read words with the most significant byte first. */
const MAGIC = 0x377f0682

/** A running checksum over pairs of 32-bit words. */
export type Checksum = readonly [number, number]

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

/** One frame of a log: a page as a commit left it. */
export interface Frame {
  /** The two salts of the log's generation, as 16 hexadecimal digits. */
  readonly salts: string
  readonly page: number
  /** The checksum before the frame, and with it. */
  readonly before: Checksum
  readonly after: Checksum
  /** The first 8 bytes of its header, which the checksum covers too, as hexadecimal digits. */
  readonly head: string
}

/** The size of a page in an open log; undefined where its header was not written yet. */
export const readPageSize = (handle: number): number | undefined => bytesAt(handle, 4, 8)?.readUInt32BE(0)

/** Reads the header of frame number `n`, counted from 1, of an open log; undefined where the log is shorter. */
export const readFrame = (handle: number, n: number, pageSize: number): Frame | undefined => {
  const at = LOG_HEADER + (n - 1) * (FRAME_HEADER + pageSize)
  const header = bytesAt(handle, FRAME_HEADER, at)
  // The first frame continues the checksum of the log's own header.
  const before = bytesAt(handle, 8, n === 1 ? 24 : at - pageSize - 8)
  if (header === undefined || before === undefined) return undefined
  return {
    salts: header.toString("hex", 8, 16),
    page: header.readUInt32BE(0),
    before: checksumAt(before, 0),
    after: checksumAt(header, 16),
    head: header.toString("hex", 0, 8)
  }
}

/** Whether a page of the database is what the frame says it was; for logs written by this machine's processor family. */
export const isPageOf = (frame: Frame, page: Buffer): boolean =>
  isSame(checksum(page, checksum(Buffer.from(frame.head, "hex"), frame.before)), frame.after)

/** What a log holds that SQLite would read: the frames up to the last whole commit. */
export interface LogContent {
  readonly salts: string
  readonly pageSize: number
  readonly frames: number
  readonly commits: number
}

/** Reads a log as SQLite recovers it; undefined where there is none, or no sound header. */
export const readLog = (file: string): LogContent | undefined => {
  let handle: number
  try {
    handle = openSync(file, "r")
  } catch {
    return undefined
  }
  try {
    const header = bytesAt(handle, LOG_HEADER, 0)
    if (header === undefined || (header.readUInt32BE(0) & ~1) >>> 0 !== MAGIC) return undefined
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
export const generationsBetween = (earlier: string, later: string): number =>
  (Number.parseInt(later.slice(0, 8), 16) - Number.parseInt(earlier.slice(0, 8), 16)) >>> 0
