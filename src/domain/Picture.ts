import { Option } from "effect"

/** One of a link's two pictures: the preview that its page names, or the icon of its site. */
export type PictureKind = "image" | "favicon"

/** A picture to serve; `type` is its media type, detected from the bytes. */
export interface Picture {
  readonly type: string
  readonly bytes: Uint8Array
}

/** The bytes from `start` to `end` as a string, one character per byte. */
const characters = (bytes: Uint8Array, start: number, end: number) =>
  String.fromCharCode(...bytes.subarray(start, end))

/** Whether a media file (ISO/IEC 14496-12, 4.3) has an AVIF brand (https://aomediacodec.github.io/av1-avif/#brands). */
const isAvif = (bytes: Uint8Array): boolean => {
  if (bytes.length < 16 || characters(bytes, 4, 8) !== "ftyp") return false
  const size = Buffer.from(bytes.subarray(0, 4)).readUInt32BE()
  const brands = characters(bytes, 8, Math.min(size, 256)).match(/.{4}/gs) ?? []
  return brands.some((brand, index) => index !== 1 && (brand === "avif" || brand === "avis"))
}

/** Whether it is an icon file with all entries inside the file (https://en.wikipedia.org/wiki/ICO_(file_format)). */
const isIcon = (bytes: Uint8Array): boolean => {
  if (bytes.length < 22 || characters(bytes, 0, 4) !== "\0\0\x01\0") return false
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const count = file.readUInt16LE(4)
  if (count === 0 || file.length < 6 + 16 * count) return false
  return Array.from({ length: count }, (_, index) => 6 + 16 * index).every(
    (entry) => file.readUInt32LE(entry + 8) + file.readUInt32LE(entry + 12) <= file.length
  )
}

/** Maximum number of bytes searched for a text's root element. */
const PROLOG = 4_096

/** Whether the first element, after declarations and comments, is `svg`. */
const isSvg = (bytes: Uint8Array): boolean => {
  let rest = new TextDecoder().decode(bytes.subarray(0, PROLOG)).trimStart()
  while (/^<[?!]/.test(rest)) {
    const close = rest.startsWith("<!--") ? "-->" : ">"
    const end = rest.indexOf(close)
    if (end === -1) return false
    rest = rest.slice(end + close.length).trimStart()
  }
  return /^<svg[\s/>]/.test(rest)
}

type Test = (bytes: Uint8Array) => boolean

const begins =
  (...beginnings: ReadonlyArray<string>): Test =>
  (bytes) =>
    beginnings.some((beginning) => characters(bytes, 0, beginning.length) === beginning)

/** File signatures as in https://mimesniff.spec.whatwg.org/#matching-an-image-type-pattern. */
const raster: ReadonlyArray<readonly [type: string, test: Test]> = [
  ["image/png", begins("\x89PNG\r\n\x1a\n")],
  ["image/jpeg", begins("\xff\xd8\xff")],
  ["image/gif", begins("GIF87a", "GIF89a")],
  ["image/webp", (bytes) => characters(bytes, 0, 4) === "RIFF" && characters(bytes, 8, 14) === "WEBPVP"],
  ["image/avif", isAvif],
  ["image/bmp", begins("BM")]
]

const types: Record<PictureKind, typeof raster> = {
  image: raster,
  favicon: [...raster, ["image/x-icon", isIcon], ["image/svg+xml", isSvg]]
}

/** Detects a picture's type from its bytes, whatever type the server claims; none if `kind` does not allow the type. */
export const pictureOf = (kind: PictureKind, bytes: Uint8Array): Option.Option<Picture> =>
  Option.map(Option.fromNullable(types[kind].find(([, test]) => test(bytes))), ([type]) => ({ type, bytes }))
