import { constants, crc32, inflateRawSync } from "node:zlib"
import { Either } from "effect"
import { FormatError } from "../Format.ts"

/**
 * Reads zips (PKWARE's APPNOTE.TXT 6.3.10, with Zip64) by their central directory. A zip is a stranger's: nothing is
 * written to disk, nothing is unpacked before all sizes are known and small enough, and no entry becomes larger than
 * the directory says.
 */

export interface ZipEntry {
  /** Steps are separated by slashes. */
  readonly path: string
  /** In bytes when unpacked, as the directory says. */
  readonly size: number
  readonly problem: string | undefined
  readonly start: () => Uint8Array
  /** Fails if the file is damaged or does not have the size that the directory says. */
  readonly unpack: () => Either.Either<Uint8Array, FormatError>
}

export interface ZipLimits {
  readonly entries: number
  readonly entry: number
  /** How many times larger than packed a file may be, from 1 MiB on. */
  readonly ratio: number
}

const END = 0x06054b50
const END_64 = 0x06064b50
const LOCATOR_64 = 0x07064b50
const CENTRAL = 0x02014b50
const LOCAL = 0x04034b50

const END_LENGTH = 22
const LOCATOR_LENGTH = 20
const CENTRAL_LENGTH = 46
const LOCAL_LENGTH = 30

const MAX_COMMENT = 0xffff
/** A value that stands in the Zip64 field instead. */
const ELSEWHERE = 0xffffffff

/** In bytes: a small file of blanks is not a bomb. */
export const RATIO_FROM = 1024 * 1024

const failure = (message: string) => Either.left(new FormatError({ message }))
const damaged = "The zip is damaged. Download or export it again."
const cutOff = "The zip is cut off: its end is missing. Download or export it again."
const bomb = "The zip is built to fill the memory when it is unpacked. It was not opened."

/** An empty zip included. */
export const isZip = (bytes: Uint8Array): boolean => {
  const [p, k, a, b] = bytes
  return p === 0x50 && k === 0x4b && ((a === 3 && b === 4) || (a === 5 && b === 6) || (a === 7 && b === 8))
}

interface Located {
  readonly path: string
  readonly isEncrypted: boolean
  readonly method: number
  readonly checksum: number
  readonly packed: number
  readonly size: number
  readonly from: number
  readonly data: number
  readonly to: number
}

const directoryOf = (zip: Buffer): { readonly at: number; readonly count: number } | undefined => {
  const last = zip.length - END_LENGTH
  for (let at = last; at >= Math.max(0, last - MAX_COMMENT); at--) {
    if (zip.readUInt32LE(at) !== END) continue
    const locator = at - LOCATOR_LENGTH
    if (locator < 0 || zip.readUInt32LE(locator) !== LOCATOR_64)
      return { count: zip.readUInt16LE(at + 10), at: zip.readUInt32LE(at + 16) }
    const end = Number(zip.readBigUInt64LE(locator + 8))
    if (end + 56 > zip.length || zip.readUInt32LE(end) !== END_64) return undefined
    return { count: Number(zip.readBigUInt64LE(end + 32)), at: Number(zip.readBigUInt64LE(end + 48)) }
  }
  return undefined
}

/** In the order of the Zip64 field: unpacked, packed, offset. */
const withWideSizes = (extra: Buffer, sizes: ReadonlyArray<number>): ReadonlyArray<number> => {
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) !== 1) continue
    let next = at + 4
    return sizes.map((size) => {
      if (size !== ELSEWHERE || next + 8 > extra.length) return size
      next += 8
      return Number(extra.readBigUInt64LE(next - 8))
    })
  }
  return sizes
}

const pathOf = (raw: Uint8Array): string => {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(raw).replaceAll("\\", "/")
  } catch {
    return new TextDecoder("windows-1252").decode(raw).replaceAll("\\", "/")
  }
}

const readDirectory = (
  zip: Buffer,
  limits: ZipLimits
): Either.Either<ReadonlyArray<Located>, FormatError> => {
  const directory = directoryOf(zip)
  if (directory === undefined) return failure(cutOff)
  if (directory.count > limits.entries)
    return failure(
      `The zip has more than ${limits.entries.toLocaleString("en")} files. Import only the file with the links.`
    )
  const entries: Array<Located> = []
  let at = directory.at
  for (let left = directory.count; left > 0; left--) {
    if (at + CENTRAL_LENGTH > zip.length || zip.readUInt32LE(at) !== CENTRAL) return failure(damaged)
    const name = at + CENTRAL_LENGTH
    const extra = name + zip.readUInt16LE(at + 28)
    const comment = extra + zip.readUInt16LE(at + 30)
    const [size = 0, packed = 0, from = 0] = withWideSizes(zip.subarray(extra, comment), [
      zip.readUInt32LE(at + 24),
      zip.readUInt32LE(at + 20),
      zip.readUInt32LE(at + 42)
    ])
    if (from + LOCAL_LENGTH > zip.length || zip.readUInt32LE(from) !== LOCAL) return failure(damaged)
    const data = from + LOCAL_LENGTH + zip.readUInt16LE(from + 26) + zip.readUInt16LE(from + 28)
    if (data + packed > zip.length) return failure(damaged)
    entries.push({
      path: pathOf(zip.subarray(name, extra)),
      isEncrypted: (zip.readUInt16LE(at + 8) & 1) === 1,
      method: zip.readUInt16LE(at + 10),
      checksum: zip.readUInt32LE(at + 16),
      packed,
      size,
      from,
      data,
      to: data + packed
    })
    at = comment + zip.readUInt16LE(at + 32)
  }
  return Either.right(entries)
}

/** Some bombs unpack one piece of data many times. */
const overlap = (entries: ReadonlyArray<Located>): boolean => {
  const sorted = entries.toSorted((a, b) => a.from - b.from)
  return sorted.some(({ from }, index) => from < (sorted[index - 1]?.to ?? 0))
}

const inflated = (data: Uint8Array, size: number): Uint8Array | undefined => {
  try {
    return inflateRawSync(data, { maxOutputLength: Math.max(size, 1) })
  } catch {
    return undefined
  }
}

/** Packed bytes; they become 66 MB at most. */
const START = 64 * 1024

const unpackStart = (zip: Buffer, { data, isEncrypted, method, to }: Located): Uint8Array => {
  const packed = zip.subarray(data, Math.min(to, data + START))
  if (isEncrypted || method !== 8) return packed
  try {
    return inflateRawSync(packed, { finishFlush: constants.Z_SYNC_FLUSH })
  } catch {
    return new Uint8Array()
  }
}

const unpackEntry = (
  zip: Buffer,
  { checksum, data, method, size, to }: Located
): Either.Either<Uint8Array, FormatError> => {
  const packed = zip.subarray(data, to)
  const bytes = method === 0 ? packed : inflated(packed, size)
  return bytes === undefined || bytes.length !== size || crc32(bytes) !== checksum
    ? failure("It is damaged, or larger than the zip says.")
    : Either.right(bytes)
}

const problemOf = ({ isEncrypted, method, packed, size }: Located, limits: ZipLimits): string | undefined => {
  if (isEncrypted) return "It is protected with a password. Unpack it and import it by itself."
  if (method !== 0 && method !== 8)
    return "It is packed with an unusual method. Unpack it and import it by itself."
  if (size > limits.entry) return "It is too large to be read from a zip. Unpack it and import it by itself."
  return method === 0 && size !== packed ? "It is damaged." : undefined
}

/**
 * The files, without folders, in the directory's order. Fails, with a sentence for people, if the zip is damaged, has
 * too many files, or is a bomb: files that share data, or are packed too well to be texts.
 */
export const openZip = (
  bytes: Uint8Array,
  limits: ZipLimits
): Either.Either<ReadonlyArray<ZipEntry>, FormatError> => {
  const zip = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return Either.flatMap(readDirectory(zip, limits), (entries) =>
    overlap(entries) || entries.some(({ packed, size }) => size > RATIO_FROM && size > packed * limits.ratio)
      ? failure(bomb)
      : Either.right(
          entries
            .filter(({ path }) => !path.endsWith("/"))
            .map((entry) => ({
              path: entry.path,
              size: entry.size,
              problem: problemOf(entry, limits),
              start: () => unpackStart(zip, entry),
              unpack: () => unpackEntry(zip, entry)
            }))
        )
  )
}
