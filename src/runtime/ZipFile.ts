import { promisify } from "node:util"
import { deflateRaw } from "node:zlib"
import { Effect, Stream } from "effect"

/** A file to put into a zip. */
export interface ZipEntry {
  /** Its path in the zip. */
  readonly name: string
  readonly bytes: Uint8Array
  /** Whether its bytes are kept as they are, not compressed. */
  readonly isStored?: boolean
}

/** Compresses on the runtime's own threads, so that the event loop does not wait. */
const deflate = promisify(deflateRaw)

/** 1 January 1980, the first day that a zip can name: the same files give the same bytes. */
const DATE = 0x21
/** Names are in UTF-8 (APPNOTE 4.4.4, bit 11). */
const FLAGS = 0x08_00
/** Version 2.0 is needed to extract: the method is deflate. */
const VERSION = 20

interface Written {
  readonly name: Uint8Array
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

/** The fields that the local header of a file and its entry in the directory share (APPNOTE 4.3.7). */
const writeShared = (view: DataView, at: number, { crc, method, name, packed, size }: Written) => {
  view.setUint16(at, VERSION, true)
  view.setUint16(at + 2, FLAGS, true)
  view.setUint16(at + 4, method, true)
  view.setUint16(at + 8, DATE, true)
  view.setUint32(at + 10, crc, true)
  view.setUint32(at + 14, packed, true)
  view.setUint32(at + 18, size, true)
  view.setUint16(at + 22, name.length, true)
}

const localHeader = (file: Written) =>
  record(30, (view) => {
    view.setUint32(0, 0x04_03_4b_50, true)
    writeShared(view, 4, file)
  })

const directoryEntry = (file: Written) =>
  record(46, (view) => {
    view.setUint32(0, 0x02_01_4b_50, true)
    view.setUint16(4, VERSION, true)
    writeShared(view, 6, file)
    view.setUint32(42, file.offset, true)
  })

const endOfDirectory = (files: number, size: number, offset: number) =>
  record(22, (view) => {
    view.setUint32(0, 0x06_05_4b_50, true)
    view.setUint16(8, files, true)
    view.setUint16(10, files, true)
    view.setUint32(12, size, true)
    view.setUint32(16, offset, true)
  })

/**
 * Writes files into a zip, one after another: at most 65,535 files and 4 GiB. The sizes stand before each file and
 * nothing else does, so that the first file of an EPUB can be found at its place (https://www.w3.org/TR/epub-33/,
 * 4.2.3), which the data descriptors of fflate's streams prevent for strict readers. The same files give the same bytes.
 */
export const zipOf = <E, R>(files: Stream.Stream<ZipEntry, E, R>): Stream.Stream<Uint8Array, E, R> =>
  Stream.suspend(() => {
    const written: Array<Written> = []
    let offset = 0
    const local = Stream.mapEffect(files, ({ bytes, isStored = false, name: text }) =>
      Effect.map(
        isStored ? Effect.succeed(bytes) : Effect.promise(() => deflate(bytes, { level: 6 })),
        (packed) => {
          const name = new TextEncoder().encode(text)
          const file: Written = {
            name,
            crc: Bun.hash.crc32(bytes),
            method: isStored ? 0 : 8,
            packed: packed.length,
            size: bytes.length,
            offset
          }
          const pieces = [localHeader(file), name, packed]
          offset += pieces.reduce((sum, piece) => sum + piece.length, 0)
          written.push(file)
          return pieces
        }
      )
    )
    const directory = Stream.suspend(() => {
      const entries = written.flatMap((file) => [directoryEntry(file), file.name])
      const size = entries.reduce((sum, piece) => sum + piece.length, 0)
      return Stream.fromIterable([...entries, endOfDirectory(written.length, size, offset)])
    })
    return Stream.concat(
      Stream.flatMap(local, (pieces) => Stream.fromIterable(pieces)),
      directory
    )
  })
