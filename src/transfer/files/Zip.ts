import { closeSync, fstatSync, openSync, readSync } from "node:fs"
import { pipeline } from "node:stream/promises"
import { constants, crc32, createInflateRaw, inflateRawSync } from "node:zlib"
import { Effect, Either, Stream } from "effect"
import { grouped } from "../../shared/Format.ts"
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
  readonly packed: number
  readonly problem: string | undefined
  readonly start: () => Uint8Array
  /** Fails if the file is damaged or does not have the size that the directory says. */
  readonly unpack: () => Either.Either<Uint8Array, FormatError>
  /** The same in pieces; its last failure may come after all of them. */
  readonly stream: Stream.Stream<Uint8Array, FormatError>
}

/** Where a zip is: bytes in memory, or a file that is read piece by piece. Fewer bytes are read at its end. */
export interface ZipSource {
  readonly size: number
  readonly read: (from: number, to: number) => Buffer
}

export const zipInMemory = (bytes: Uint8Array): ZipSource => {
  const zip = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return { size: zip.length, read: (from, to) => zip.subarray(Math.min(from, zip.length), to) }
}

/** Opens a zip in a file for as long as the scope. Reading blocks, so that it belongs in a thread. */
export const zipInFile = (path: string) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.try({
        try: () => openSync(path, "r"),
        catch: () => new FormatError({ message: "The file cannot be read." })
      }),
      (file) => Effect.sync(() => closeSync(file))
    ),
    (file): ZipSource => ({
      size: fstatSync(file).size,
      read: (from, to) => {
        const bytes = Buffer.alloc(Math.max(to - from, 0))
        return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, from))
      }
    })
  )

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
const END_64_LENGTH = 56
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
const wrongBytes = "It is damaged, or larger than the zip says."
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

const directoryOf = (zip: ZipSource): { readonly at: number; readonly count: number } | undefined => {
  const from = Math.max(0, zip.size - END_LENGTH - MAX_COMMENT - LOCATOR_LENGTH)
  const tail = zip.read(from, zip.size)
  for (let at = tail.length - END_LENGTH; at >= 0; at--) {
    if (tail.readUInt32LE(at) !== END) continue
    const locator = at - LOCATOR_LENGTH
    if (locator < 0 || tail.readUInt32LE(locator) !== LOCATOR_64)
      return { count: tail.readUInt16LE(at + 10), at: tail.readUInt32LE(at + 16) }
    const end = Number(tail.readBigUInt64LE(locator + 8))
    const end64 = end < zip.size ? zip.read(end, end + END_64_LENGTH) : tail.subarray(0, 0)
    if (end64.length < END_64_LENGTH || end64.readUInt32LE(0) !== END_64) return undefined
    return { count: Number(end64.readBigUInt64LE(32)), at: Number(end64.readBigUInt64LE(48)) }
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

/** Bytes read at a time of pieces that follow each other. */
const WINDOW = 256 * 1024
const windowed = (zip: ZipSource): ZipSource => {
  let begin = 0
  let held: Buffer = Buffer.alloc(0)
  return {
    size: zip.size,
    read: (from, to) => {
      if (from < begin || to > begin + held.length) {
        begin = from
        held = zip.read(from, Math.max(to, from + WINDOW))
      }
      return held.subarray(from - begin, to - begin)
    }
  }
}

const readDirectory = (
  zip: ZipSource,
  limits: ZipLimits
): Either.Either<ReadonlyArray<Located>, FormatError> => {
  const directory = directoryOf(zip)
  if (directory === undefined) return failure(cutOff)
  if (directory.count > limits.entries)
    return failure(
      `The zip has more than ${grouped(limits.entries)} files. Import only the file with the links.`
    )
  const entries: Array<Located> = []
  const listing = windowed(zip)
  let at = directory.at
  for (let left = directory.count; left > 0; left--) {
    const header = listing.read(at, at + CENTRAL_LENGTH)
    if (header.length < CENTRAL_LENGTH || header.readUInt32LE(0) !== CENTRAL) return failure(damaged)
    const name = at + CENTRAL_LENGTH
    const extra = name + header.readUInt16LE(28)
    const comment = extra + header.readUInt16LE(30)
    const [size = 0, packed = 0, from = 0] = withWideSizes(listing.read(extra, comment), [
      header.readUInt32LE(24),
      header.readUInt32LE(20),
      header.readUInt32LE(42)
    ])
    const local = from < zip.size ? zip.read(from, from + LOCAL_LENGTH) : header.subarray(0, 0)
    if (local.length < LOCAL_LENGTH || local.readUInt32LE(0) !== LOCAL) return failure(damaged)
    const data = from + LOCAL_LENGTH + local.readUInt16LE(26) + local.readUInt16LE(28)
    if (data + packed > zip.size) return failure(damaged)
    entries.push({
      path: pathOf(listing.read(name, extra)),
      isEncrypted: (header.readUInt16LE(8) & 1) === 1,
      method: header.readUInt16LE(10),
      checksum: header.readUInt32LE(16),
      packed,
      size,
      from,
      data,
      to: data + packed
    })
    at = comment + header.readUInt16LE(32)
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

const unpackStart = (zip: ZipSource, { data, isEncrypted, method, to }: Located): Uint8Array => {
  const packed = zip.read(data, Math.min(to, data + START))
  if (isEncrypted || method !== 8) return packed
  try {
    return inflateRawSync(packed, { finishFlush: constants.Z_SYNC_FLUSH })
  } catch {
    return new Uint8Array()
  }
}

const unpackEntry = (
  zip: ZipSource,
  { checksum, data, method, size, to }: Located
): Either.Either<Uint8Array, FormatError> => {
  const packed = zip.read(data, to)
  const bytes = method === 0 ? packed : inflated(packed, size)
  return bytes === undefined || bytes.length !== size || crc32(bytes) !== checksum
    ? failure(wrongBytes)
    : Either.right(bytes)
}

async function* packedPieces(zip: ZipSource, { data, to }: Located) {
  for (let at = data; at < to; at += WINDOW) yield zip.read(at, Math.min(at + WINDOW, to))
}

async function* inflatedPieces(zip: ZipSource, entry: Located) {
  const inflater = createInflateRaw()
  const feeding = pipeline(packedPieces(zip, entry), inflater).catch((cause: unknown) => {
    inflater.destroy(cause instanceof Error ? cause : new Error("not inflated"))
  })
  try {
    for await (const piece of inflater) yield piece
    await feeding
  } finally {
    inflater.destroy()
  }
}

const streamEntry = (zip: ZipSource, entry: Located): Stream.Stream<Uint8Array, FormatError> =>
  Stream.suspend(() => {
    const wrong = new FormatError({ message: wrongBytes })
    let [size, checksum] = [0, 0]
    return Stream.fromAsyncIterable(
      entry.method === 0 ? packedPieces(zip, entry) : inflatedPieces(zip, entry),
      () => wrong
    ).pipe(
      Stream.tap((piece) => {
        size += piece.length
        checksum = crc32(piece, checksum)
        return size > entry.size ? wrong : Effect.void
      }),
      Stream.concat(
        Stream.suspend(() =>
          size === entry.size && checksum === entry.checksum ? Stream.empty : Stream.fail(wrong)
        )
      )
    )
  })

const problemOf = ({ isEncrypted, method, packed, size }: Located, limits: ZipLimits): string | undefined => {
  if (isEncrypted) return "It is protected with a password. Unpack it and import it by itself."
  if (method !== 0 && method !== 8)
    return "It is packed with an unusual method. Unpack it and import it by itself."
  if (size > limits.entry) return "It is too large to be read from a zip. Unpack it and import it by itself."
  // Deflate adds a few bytes to each block that it cannot compress.
  return (method === 0 && size !== packed) || packed > size * 1.01 + 1024 ? "It is damaged." : undefined
}

/** Without folders, in the directory's order. Fails with a sentence if damaged, too many, or a bomb. */
export const openZip = (
  zip: ZipSource,
  limits: ZipLimits
): Either.Either<ReadonlyArray<ZipEntry>, FormatError> =>
  Either.flatMap(readDirectory(zip, limits), (entries) =>
    overlap(entries) || entries.some(({ packed, size }) => size > RATIO_FROM && size > packed * limits.ratio)
      ? failure(bomb)
      : Either.right(
          entries
            .filter(({ path }) => !path.endsWith("/"))
            .map((entry) => ({
              path: entry.path,
              size: entry.size,
              packed: entry.packed,
              problem: problemOf(entry, limits),
              start: () => unpackStart(zip, entry),
              unpack: () => unpackEntry(zip, entry),
              stream: streamEntry(zip, entry)
            }))
        )
  )
