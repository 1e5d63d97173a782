import { escapeText } from "../shared/Text.ts"
import { decodeEntities } from "./Article.ts"
import type { Picture } from "./Picture.ts"

export interface SizedPicture extends Picture {
  readonly width: number
  readonly height: number
}

/** A picture of an article as it is shown: where it is served, and its size in pixels. */
export interface ShownPicture {
  readonly path: string
  readonly width: number
  readonly height: number
}

export type MissingPicture = "waiting" | "failed"

/** A picture of an article, which has the canonical form of `Article.ts`: nothing else in it looks like this. */
const picture = /<img((?: [a-z]{1,8}="[^"<>]*"){0,7})>/g
const attribute = / ([a-z]{1,8})="([^"<>]*)"/g

const attributesOf = (written: string): ReadonlyMap<string, string> => {
  const found = new Map<string, string>()
  for (const [, name = "", value = ""] of written.matchAll(attribute)) found.set(name, value)
  return found
}

export const pictureAddresses = (html: string, limit: number): ReadonlyArray<string> => {
  const addresses = new Set<string>()
  for (const [, attributes = ""] of html.matchAll(picture)) {
    if (addresses.size >= limit) break
    const address = decodeEntities(attributesOf(attributes).get("src") ?? "")
    if (address !== "") addresses.add(address)
  }
  return [...addresses]
}

/** A side that an article states, in pixels; undefined unless it is a whole number. */
const sideOf = (written: string | undefined) => {
  const side = /^\d{1,5}$/.test(written ?? "") ? Number(written) : 0
  return side > 0 ? side : undefined
}

/** The width that the page states if the picture has it, in the picture's own proportions. */
const sizeOf = (attributes: ReadonlyMap<string, string>, { height, width }: ShownPicture) => {
  const stated = sideOf(attributes.get("width")) ?? width
  const shown = Math.min(stated, width)
  return `width="${shown}" height="${Math.max(1, Math.round((height * shown) / width))}"`
}

/** Kept pictures get their `path` and size, others lose their address and get `data-missing`; texts stay. */
export const withPictures = (
  html: string,
  find: (address: string) => ShownPicture | MissingPicture
): string =>
  html.replace(picture, (_, written: string) => {
    const attributes = attributesOf(written)
    const found = find(decodeEntities(attributes.get("src") ?? ""))
    const others = [...attributes]
      .filter(([name]) => name !== "src" && name !== "width" && name !== "height")
      .map(([name, value]) => ` ${name}="${value}"`)
      .join("")
    if (typeof found === "string") return `<img${others} data-missing="${found}">`
    return `<img src="${escapeText(found.path).replaceAll('"', "&quot;")}"${others} ${sizeOf(attributes, found)}>`
  })
