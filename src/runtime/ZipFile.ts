import { promisify } from "node:util"
import { crc32, deflateRaw } from "node:zlib"
import { Chunk, Effect, Stream } from "effect"
import { Deflate } from "fflate"

/** A file to put into a zip. */
export interface ZipEntry<E = never, R = never> {
  /** Its path in the zip. */
  readonly name: string
  /** A stream is compressed as it comes; its size need not be known. */
  readonly bytes: Uint8Array | Stream.Stream<Uint8Array, E, R>
  /** Whether its bytes are kept as they are, not compressed. */
  readonly isStored?: boolean
}

/** Compresses on the runtime's own threads, so that the event loop does not wait. */
const deflate = promisify(deflateRaw)

/** 1 January 1980, the first day that a zip can name: the same files give the same bytes. */
const DATE = 0x21
/** Names are in UTF-8 (APPNOTE 4.4.4, bit 11). */
const UTF8 = 0x08_00
/** The sizes stand behind the file (bit 3). */
const SIZES_BEHIND = 0x8
/** The version that is needed to extract: 2.0 for deflate, 4.5 for Zip64. */
const [DEFLATED, ZIP64] = [20, 45]
/** A value that stands in the Zip64 field instead. */
const ELSEWHERE = 0xff_ff_ff_ff
const MOST_ENTRIES = 0xff_ff
/** Bytes compressed in one go, few enough that other work does not wait. */
const PIECE = 65_536

interface Written {
  readonly name: Uint8Array
  readonly flags: number
  readonly crc: number
  readonly method: number
  readonly packed: number
  readonly size: number
  readonly offset: number
}

const record = (size: number, write: (view: DataView) => void) => {
  const bytes = new Uint8Array(size)
  write(new DataView(bytes.buffer))
  return bytes
}

/** The Zip64 field of a header (APPNOTE 4.5.3); empty for no values. */
const wide = (values: ReadonlyArray<number>) =>
  record(values.length === 0 ? 0 : 4 + 8 * values.length, (view) => {
    if (values.length === 0) return
    view.setUint16(0, 1, true)
    view.setUint16(2, 8 * values.length, true)
    for (const [at, value] of values.entries()) view.setBigUint64(4 + 8 * at, BigInt(value), true)
  })

/** The fields that the local header of a file and its entry in the directory share (APPNOTE 4.3.7). */
const writeShared = (
  view: DataView,
  at: number,
  { crc, flags, method, name, packed, size }: Omit<Written, "offset">,
  extra: number
) => {
  view.setUint16(at, extra > 0 ? ZIP64 : DEFLATED, true)
  view.setUint16(at + 2, flags, true)
  view.setUint16(at + 4, method, true)
  view.setUint16(at + 8, DATE, true)
  view.setUint32(at + 10, crc, true)
  view.setUint32(at + 14, Math.min(packed, ELSEWHERE), true)
  view.setUint32(at + 18, Math.min(size, ELSEWHERE), true)
  view.setUint16(at + 22, name.length, true)
  view.setUint16(at + 24, extra, true)
}

const localHeader = (file: Omit<Written, "offset">, extra: Uint8Array = wide([])) => [
  record(30, (view) => {
    view.setUint32(0, 0x04_03_4b_50, true)
    writeShared(view, 4, file, extra.length)
  }),
  file.name,
  extra
]

/** The sizes of a file that did not have them in its local header, in their Zip64 form (APPNOTE 4.3.9). */
const descriptor = ({ crc, packed, size }: Pick<Written, "crc" | "packed" | "size">) =>
  record(24, (view) => {
    view.setUint32(0, 0x08_07_4b_50, true)
    view.setUint32(4, crc, true)
    view.setBigUint64(8, BigInt(packed), true)
    view.setBigUint64(16, BigInt(size), true)
  })

const directoryEntry = (file: Written) => {
  const extra = wide([file.size, file.packed, file.offset].filter((value) => value >= ELSEWHERE))
  const header = record(46, (view) => {
    view.setUint32(0, 0x02_01_4b_50, true)
    view.setUint16(4, ZIP64, true)
    writeShared(view, 6, file, extra.length)
    view.setUint32(42, Math.min(file.offset, ELSEWHERE), true)
  })
  return [header, file.name, extra]
}

/** The end of the directory, after that of Zip64 and its locator where the numbers need them (APPNOTE 4.3.14 to 4.3.16). */
const endOfDirectory = (files: number, size: number, offset: number) => {
  const end = record(22, (view) => {
    view.setUint32(0, 0x06_05_4b_50, true)
    view.setUint16(8, Math.min(files, MOST_ENTRIES), true)
    view.setUint16(10, Math.min(files, MOST_ENTRIES), true)
    view.setUint32(12, Math.min(size, ELSEWHERE), true)
    view.setUint32(16, Math.min(offset, ELSEWHERE), true)
  })
  if (files < MOST_ENTRIES && offset + size < ELSEWHERE) return [end]
  const end64 = record(76, (view) => {
    view.setUint32(0, 0x06_06_4b_50, true)
    view.setBigUint64(4, 44n, true)
    view.setUint16(12, ZIP64, true)
    view.setUint16(14, ZIP64, true)
    for (const [at, value] of [files, files, size, offset].entries())
      view.setBigUint64(24 + 8 * at, BigInt(value), true)
    view.setUint32(56, 0x07_06_4b_50, true)
    view.setBigUint64(64, BigInt(offset + size), true)
    view.setUint32(72, 1, true)
  })
  return [end64, end]
}

const lengthOf = (pieces: ReadonlyArray<Uint8Array>) => pieces.reduce((sum, piece) => sum + piece.length, 0)

const piecesOf = (bytes: Uint8Array) =>
  Array.from({ length: Math.ceil(bytes.length / PIECE) }, (_, n) =>
    bytes.subarray(n * PIECE, (n + 1) * PIECE)
  )

/**
 * Writes files into a zip, one after another. The sizes of a file whose bytes are given stand before it and nothing else
 * does, so that the first file of an EPUB can be found at its place (https://www.w3.org/TR/epub-33/, 4.2.3). The same
 * files give the same bytes.
 */
export const zipOf = <E, R, E2 = never, R2 = never>(
  files: Stream.Stream<ZipEntry<E2, R2>, E, R>
): Stream.Stream<Uint8Array, E | E2, R | R2> =>
  Stream.suspend(() => {
    const written: Array<Written> = []
    let offset = 0
    const finish = (file: Omit<Written, "offset">, length: number) => {
      written.push({ ...file, offset })
      offset += length
    }

    const whole = Effect.fnUntraced(function* (text: string, bytes: Uint8Array, isStored: boolean) {
      const packed = isStored ? bytes : yield* Effect.promise(() => deflate(bytes, { level: 6 }))
      const file = {
        name: new TextEncoder().encode(text),
        flags: UTF8,
        crc: crc32(bytes),
        method: isStored ? 0 : 8,
        packed: packed.length,
        size: bytes.length
      }
      const pieces = [...localHeader(file), packed]
      finish(file, lengthOf(pieces))
      return pieces
    })

    const streamed = (text: string, bytes: Stream.Stream<Uint8Array, E2, R2>) =>
      Stream.suspend(() => {
        const name = new TextEncoder().encode(text)
        const about = { name, flags: UTF8 | SIZES_BEHIND, method: 8 }
        const sizes = { crc: 0, packed: 0, size: 0 }
        const head = localHeader({ ...about, crc: 0, packed: ELSEWHERE, size: ELSEWHERE }, wide([0, 0]))
        let ready: Array<Uint8Array> = []
        const deflater = new Deflate({ level: 6 }, (piece) => {
          sizes.packed += piece.length
          ready.push(piece)
        })
        const push = (piece: Uint8Array, isLast: boolean) => {
          sizes.crc = crc32(piece, sizes.crc)
          sizes.size += piece.length
          deflater.push(piece, isLast)
          const taken = Chunk.unsafeFromArray(ready)
          ready = []
          return taken
        }
        const body = bytes.pipe(
          Stream.mapConcat(piecesOf),
          Stream.rechunk(1),
          Stream.mapChunks(Chunk.flatMap((piece) => push(piece, false)))
        )
        const end = Stream.suspend(() => {
          const last = push(new Uint8Array(), true)
          const behind = descriptor(sizes)
          finish({ ...about, ...sizes }, lengthOf(head) + sizes.packed + behind.length)
          return Stream.fromChunk(Chunk.append(last, behind))
        })
        return Stream.concat(Stream.concat(Stream.fromIterable(head), body), end)
      })

    const local = Stream.flatMap(files, ({ bytes, isStored = false, name }) =>
      bytes instanceof Uint8Array
        ? Stream.flatMap(Stream.fromEffect(whole(name, bytes, isStored)), (pieces) =>
            Stream.fromIterable(pieces)
          )
        : streamed(name, bytes)
    )
    const directory = Stream.suspend(() => {
      const entries = written.flatMap(directoryEntry)
      return Stream.fromIterable([...entries, ...endOfDirectory(written.length, lengthOf(entries), offset)])
    })
    return Stream.filter(Stream.concat(local, directory), (piece) => piece.length > 0)
  })

/** Compresses bytes as they come into a zip with one file of this name. */
export const zipped =
  (name: string) =>
  <E, R>(bytes: Stream.Stream<Uint8Array, E, R>): Stream.Stream<Uint8Array, E, R> =>
    zipOf(Stream.succeed({ name, bytes }))
