import { gzipSync } from "node:zlib"

/** A file of an archive, with its path in the archive. */
export interface ArchivedFile {
  readonly path: string
  readonly bytes: Uint8Array
  readonly executable?: boolean
}

const BLOCK = 512

/** The modification time of every file, in Unix seconds: a constant, so that builds are reproducible. */
const MODIFIED = Date.UTC(1980, 0, 1) / 1000

const octal = (value: number, length: number) => `${value.toString(8).padStart(length - 1, "0")}\0`

/** The header of a file in the ustar format (POSIX.1-1988); owner and group are root. */
const header = ({ bytes, executable = false, path }: ArchivedFile): Uint8Array => {
  if (Buffer.byteLength(path) > 100) throw new Error(`${path} is too long a path for an archive`)
  const block = Buffer.alloc(BLOCK)
  block.write(path, 0)
  block.write(octal(executable ? 0o755 : 0o644, 8), 100)
  block.write(octal(0, 8), 108)
  block.write(octal(0, 8), 116)
  block.write(octal(bytes.length, 12), 124)
  block.write(octal(MODIFIED, 12), 136)
  // The checksum is computed with spaces in its own field.
  block.write(" ".repeat(8), 148)
  block.write("0", 156)
  block.write("ustar\x0000", 257)
  block.write("root", 265)
  block.write("root", 297)
  const sum = block.reduce((total, byte) => total + byte, 0)
  block.write(`${octal(sum, 7)} `, 148)
  return block
}

const padding = (length: number) => new Uint8Array((BLOCK - (length % BLOCK)) % BLOCK)

/** Packs the files as a reproducible `.tar.gz`, sorted by path. */
export const archive = (files: ReadonlyArray<ArchivedFile>): Uint8Array => {
  const sorted = files.toSorted((a, b) => (a.path < b.path ? -1 : 1))
  const blocks = sorted.flatMap((file) => [header(file), file.bytes, padding(file.bytes.length)])
  const packed = gzipSync(Buffer.concat([...blocks, new Uint8Array(2 * BLOCK)]), { level: 9 })
  // The tenth byte names the operating system: 255 means "unknown".
  packed[9] = 255
  return packed
}
