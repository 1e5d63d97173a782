import type { PictureUse } from "../../domain/Picture.ts"

/** Maximum dimensions in pixels, and quality from 1 to 100. */
interface Form {
  readonly width: number
  readonly height: number
  readonly quality?: number
}

/** The first form that is small enough is taken. Smaller pictures keep their size. */
const forms: Record<PictureUse, ReadonlyArray<Form>> = {
  image: [{ width: 480, height: 270, quality: 80 }],
  favicon: [{ width: 64, height: 64 }],
  article: [
    { width: 1_600, height: 3_200, quality: 80 },
    { width: 1_200, height: 2_400, quality: 60 }
  ]
}

/** Four bytes a pixel: about 160 MB of memory, and for an article as much again. */
const MAX_PIXELS: Record<PictureUse, number> = {
  image: 40_000_000,
  favicon: 40_000_000,
  article: 25_000_000
}

/** In bytes. */
export const MAX_PICTURE: Record<PictureUse, number> = {
  image: 256 * 1024,
  favicon: 256 * 1024,
  article: 1024 * 1024
}

const codeOf = (error: unknown) =>
  typeof error === "object" && error !== null && "code" in error ? String(error.code) : ""

export const shrinkPicture = async (
  use: PictureUse,
  bytes: Uint8Array
): Promise<Uint8Array | "too-large" | "undecodable" | "unsupported"> => {
  try {
    for (const { height, quality, width } of forms[use]) {
      const small = await new Bun.Image(bytes, { maxPixels: MAX_PIXELS[use] })
        .resize(width, height, { fit: "inside", withoutEnlargement: true })
        .webp(quality === undefined ? { lossless: true } : { quality })
        .bytes()
      if (small.length <= MAX_PICTURE[use]) return small
    }
    return "too-large"
  } catch (error) {
    const code = codeOf(error)
    if (code === "ERR_IMAGE_FORMAT_UNSUPPORTED") return "unsupported"
    return code === "ERR_IMAGE_TOO_MANY_PIXELS" ? "too-large" : "undecodable"
  }
}
