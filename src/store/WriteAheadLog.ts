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

/** A frame of a log, which is a page as a commit left it: its header, and the checksum of everything before it. */
export interface Frame {
  readonly before: Buffer
  readonly header: Buffer
}

/** How many bytes a frame's checksum before it and its header take, in this order. */
export const FRAME_BYTES = 8 + FRAME_HEADER

/** A frame from the bytes that `readFrame` wrote. */
export const frameOf = (bytes: Buffer): Frame => ({
  before: bytes.subarray(0, 8),
  header: bytes.subarray(8, FRAME_BYTES)
})

/** The two salts of the log's generation, as 16 hexadecimal digits. */
export const saltsOf = ({ header }: Frame): string => header.toString("hex", 8, 16)

export const pageOf = ({ header }: Frame): number => header.readUInt32BE(0)

/** The size of a page in an open log; undefined where its header was not written yet. */
export const readPageSize = (handle: number): number | undefined => bytesAt(handle, 4, 8)?.readUInt32BE(0)

/**
 * Reads the checksum before frame number `n`, counted from 1, of an open log and its header into the first `FRAME_BYTES` of
 * `bytes`. Says whether the log is long enough.
 */
export const readFrame = (handle: number, n: number, pageSize: number, bytes: Buffer): boolean => {
  const at = LOG_HEADER + (n - 1) * (FRAME_HEADER + pageSize)
  // The first frame continues the checksum of the log's own header.
  return (
    readSync(handle, bytes, 0, 8, n === 1 ? 24 : at - pageSize - 8) === 8 &&
    readSync(handle, bytes, 8, FRAME_HEADER, at) === FRAME_HEADER
  )
}

/** Whether a page of the database is what the frame says it was; for logs written by this machine's processor family. */
export const isPageOf = ({ before, header }: Frame, page: Buffer): boolean =>
  isSame(checksum(page, checksum(header.subarray(0, 8), checksumAt(before, 0))), checksumAt(header, 16))

/** What a log holds that SQLite would read: the frames up to the last whole commit. */
export interface LogContent {
  readonly salts: string
  readonly pageSize: number
  readonly frames: number
  readonly commits: number
}

/** Reads a log as SQLite recovers it; undefined if there is no log or its header is damaged. */
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
