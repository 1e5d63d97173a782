import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { crc32, deflateSync } from "node:zlib"
import { Effect } from "effect"

/** A part of a PNG (https://www.w3.org/TR/png-3/#5Chunk-layout). */
const chunk = (type: string, data: Uint8Array) => {
  const named = Buffer.concat([Buffer.from(type, "latin1"), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}

/** A PNG of this size in one colour, half transparent; the larger it is the better it packs. */
export const png = (width: number, height: number, grey = 128): Buffer<ArrayBuffer> => {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  // Eight bits each of grey and opacity.
  header.set([8, 4], 8)
  const row = Buffer.alloc(1 + 2 * width, grey)
  row[0] = 0
  const pixels = deflateSync(Buffer.concat(Array.from({ length: height }, () => row)), { level: 1 })
  const signature = Buffer.from("\x89PNG\r\n\x1a\n", "latin1")
  return Buffer.concat([
    signature,
    chunk("IHDR", header),
    chunk("IDAT", pixels),
    chunk("IEND", Buffer.alloc(0))
  ])
}

/** A PNG that says it is of this size and holds one pixel. */
export const boastful = (width: number, height: number): Buffer<ArrayBuffer> => {
  const small = png(1, 1)
  const header = Buffer.from(small.subarray(16, 29))
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  return Buffer.concat([small.subarray(0, 8), chunk("IHDR", header), small.subarray(33)])
}

/** An icon file with one entry that holds `image`. */
export const icon = (image: Uint8Array): Buffer<ArrayBuffer> => {
  const head = Buffer.from([0, 0, 1, 0, 1, 0, 16, 16, 0, 0, 1, 0, 32, 0, 0, 0, 0, 0, 22, 0, 0, 0])
  head.writeUInt32LE(image.length, 14)
  return Buffer.concat([head, image])
}

/** The beginning of an AVIF file, and `length` bytes in all. */
export const avif = (length: number): Buffer<ArrayBuffer> => {
  const file = Buffer.alloc(length)
  file.write("\0\0\0\x1cftypmif1\0\0\0\0mif1avifmiaf", "latin1")
  return file
}

/** A vector picture that would like to run and to call home. */
export const svg = `<?xml version="1.0"?><!-- a --><svg xmlns="http://www.w3.org/2000/svg" width="8" height="8">
<script>document.title = "run"</script><image href="https://tracker.example/a.png"/><rect width="8" height="8"/></svg>`

export const gif = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64")

/** A bitmap of one pixel. */
export const bmp = Buffer.from(
  "Qk06AAAAAAAAADYAAAAoAAAAAQAAAAEAAAABABgAAAAAAAQAAAAAAAAAAAAAAAAAAAAAAAAA/wAAAA==",
  "base64"
)

/** What an encoded picture is. */
export const metadata = (bytes: Uint8Array) => Effect.promise(() => new Bun.Image(bytes).metadata())

/** A folder for as long as the scope lasts. */
export const temporaryFolder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "linkbower-images-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
)
