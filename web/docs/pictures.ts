import { readdirSync, readFileSync } from "node:fs"
import { basename, join } from "node:path"
import { type Asset, hashed } from "../files.ts"
import { type Element, h } from "./tree.ts"

/** A picture of the documentation, with its path and its size in pixels. */
export interface Picture {
  /** The file name, such as `search-desktop-light.webp`. */
  readonly name: string
  readonly path: string
  readonly width: number
  readonly height: number
  readonly asset: Asset
}

export type Pictures = ReadonlyMap<string, Picture>

/** The path below which the documentation's own files are served. */
export const ASSETS = "/docs/assets"

const isPicture = (name: string) => /\.(webp|png)$/.test(name)

const readPicture = async (folder: string, name: string): Promise<Picture> => {
  const bytes = new Uint8Array(readFileSync(join(folder, name)))
  const { height, width } = await new Bun.Image(bytes).metadata()
  const asset = hashed(name, bytes)
  return { name, path: `${ASSETS}/${asset.name}`, width, height, asset }
}

const namesIn = (folder: string): ReadonlyArray<string> => {
  try {
    return readdirSync(folder).filter(isPicture).sort()
  } catch {
    return []
  }
}

/** Reads all pictures in the folders, keyed by name; folders that cannot be read count as empty. */
export const readPictures = async (folders: ReadonlyArray<string>): Promise<Pictures> => {
  const read = folders.flatMap((folder) => namesIn(folder).map((name) => readPicture(folder, name)))
  return new Map((await Promise.all(read)).map((picture) => [picture.name, picture]))
}

/** The dark variant of a light picture (`a-dark.webp` for `a-light.webp`), if it exists. */
const darkVariant = (pictures: Pictures, name: string) => {
  const other = pictures.get(name.replace(/-light(?=\.\w+$)/, "-dark"))
  return other?.name === name ? undefined : other
}

/** The element of a picture, with its size set so that loading shifts nothing; null if no picture has that name. */
export const pictureElement = (pictures: Pictures, source: string, alt: string): Element | null => {
  const name = basename(source)
  const picture = pictures.get(name)
  if (picture === undefined) return null
  const size = (one: Picture) => ({ width: String(one.width), height: String(one.height) })
  const image = h("img", { src: picture.path, alt, ...size(picture), loading: "lazy", decoding: "async" })
  const dark = darkVariant(pictures, name)
  if (dark === undefined) return image
  const source_ = h("source", { srcset: dark.path, media: "(prefers-color-scheme: dark)", ...size(dark) })
  return h("picture", {}, source_, image)
}
