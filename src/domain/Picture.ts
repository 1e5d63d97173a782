import { Option } from "effect"
import { characters, rasterTypes } from "./PictureType.ts"

/** One of a link's two pictures: the preview that its page names, or the icon of its site. */
export type PictureKind = "image" | "favicon"

/** What a picture is fetched for: to stand for its link, or as part of a kept page. */
export type PictureUse = PictureKind | "article"

/** A picture to serve; `type` is its media type, detected from the bytes. */
export interface Picture {
  readonly type: string
  readonly bytes: Uint8Array
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

const types: Record<PictureUse, typeof rasterTypes> = {
  image: rasterTypes,
  article: rasterTypes,
  favicon: [...rasterTypes, ["image/x-icon", isIcon], ["image/svg+xml", isSvg]]
}

/** Detects a picture's type from its bytes, whatever type the server claims; none if `use` does not allow the type. */
export const pictureOf = (use: PictureUse, bytes: Uint8Array): Option.Option<Picture> =>
  Option.map(Option.fromNullable(types[use].find(([, test]) => test(bytes))), ([type]) => ({ type, bytes }))
