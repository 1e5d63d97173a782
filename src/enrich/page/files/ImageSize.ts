import type { Facts } from "../../../domain/Link.ts"
import { webAddress } from "../WebAddress.ts"
import type { FetchedFile } from "./FileReader.ts"

/** In pixels. */
const MAX_SIDE = 1_000_000

interface ImageSize {
  readonly width: number
  readonly height: number
}

const latin1 = (view: DataView, at: number, length: number): string => {
  let text = ""
  for (let index = at; index < at + length; index++) text += String.fromCharCode(view.getUint8(index))
  return text
}

/** Markers of JPEG that begin a frame (ITU-T T.81, table B.1): all of C0 to CF but the tables. */
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)

const MAX_SEGMENTS = 1_000

const jpegSize = (view: DataView): ImageSize | undefined => {
  let at = 2
  for (let segment = 0; segment < MAX_SEGMENTS; segment++) {
    // Segments may be preceded by fill bytes.
    while (view.getUint8(at) === 0xff && view.getUint8(at + 1) === 0xff) at++
    const marker = view.getUint8(at + 1)
    if (view.getUint8(at) !== 0xff || marker === 0xda) return undefined
    if (isFrame(marker)) return { height: view.getUint16(at + 5), width: view.getUint16(at + 7) }
    at += 2 + Math.max(2, view.getUint16(at + 2))
  }
  return undefined
}

/** WebP in its three forms (RFC 9649, 2.5 to 2.7). */
const webpSize = (view: DataView): ImageSize | undefined => {
  switch (latin1(view, 12, 4)) {
    case "VP8 ":
      return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff }
    case "VP8L": {
      const bits = view.getUint32(21, true)
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
    }
    case "VP8X": {
      const threeBytes = (at: number) => view.getUint16(at, true) | (view.getUint8(at + 2) << 16)
      return { width: threeBytes(24) + 1, height: threeBytes(27) + 1 }
    }
    default:
      return undefined
  }
}

/** Boxes on the way to a picture's size, and the bytes between their header and the boxes in them. */
const containers: ReadonlyMap<string, number> = new Map([
  ["meta", 4],
  ["iprp", 0],
  ["ipco", 0]
])
const MAX_BOXES = 2_000

/** AVIF and HEIF: the largest of the sizes of their parts (`ispe`, ISO/IEC 23008-12, 6.5.3). */
const heifSize = (view: DataView): ImageSize | undefined => {
  let largest: ImageSize | undefined
  let at = 0
  for (let box = 0; box < MAX_BOXES && at + 8 <= view.byteLength; box++) {
    const name = latin1(view, at + 4, 4)
    const inner = containers.get(name)
    if (name === "ispe" && at + 20 <= view.byteLength) {
      const size = { width: view.getUint32(at + 12), height: view.getUint32(at + 16) }
      if (largest === undefined || size.width * size.height > largest.width * largest.height) largest = size
    }
    at += inner === undefined ? Math.max(8, view.getUint32(at)) : 8 + inner
  }
  return largest
}

/** BMP with a header of 40 bytes or more; a negative height says that the rows begin at the top. */
const bmpSize = (view: DataView): ImageSize => ({
  width: Math.abs(view.getInt32(18, true)),
  height: Math.abs(view.getInt32(22, true))
})

const sizeIn = (view: DataView): ImageSize | undefined => {
  const start = latin1(view, 0, 12)
  if (start.startsWith("\x89PNG")) return { width: view.getUint32(16), height: view.getUint32(20) }
  if (start.startsWith("\xff\xd8")) return jpegSize(view)
  if (start.startsWith("GIF8")) return { width: view.getUint16(6, true), height: view.getUint16(8, true) }
  if (start.startsWith("RIFF")) return webpSize(view)
  if (start.startsWith("BM")) return bmpSize(view)
  return start.slice(4, 8) === "ftyp" ? heifSize(view) : undefined
}

/** PNG, JPEG, GIF, WebP, AVIF, HEIF and BMP. Undefined if the header states no size. */
export const imageSizeOf = (bytes: Uint8Array): ImageSize | undefined => {
  try {
    const size = sizeIn(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength))
    const isReal = size !== undefined && Math.min(size.width, size.height) > 0
    return isReal && Math.max(size.width, size.height) <= MAX_SIDE ? size : undefined
  } catch {
    return undefined
  }
}

/** A picture is its own preview. `isTurned`: it is shown on its side. */
export const pictureFields = ({ bytes, url }: Pick<FetchedFile, "bytes" | "url">, isTurned = false) => {
  const size = imageSizeOf(bytes)
  const facts: Facts =
    size === undefined
      ? {}
      : { size: isTurned ? `${size.height} x ${size.width}` : `${size.width} x ${size.height}` }
  return { type: "image", image: webAddress(url.href), facts } as const
}
