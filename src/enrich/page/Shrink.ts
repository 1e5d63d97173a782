import type { PictureKind } from "../../domain/Picture.ts"

/** What a picture is made to fit, in pixels; a smaller one is left as large as it is. */
const boxes: Record<PictureKind, { readonly width: number; readonly height: number }> = {
  image: { width: 480, height: 270 },
  favicon: { width: 64, height: 64 }
}

/** The most pixels that are decoded: about 160 MB of memory for the moment. */
const MAX_PIXELS = 40_000_000
/** The largest picture that is kept, in bytes. */
export const MAX_PICTURE = 256 * 1024

/** The runtime's own word for what went wrong (`Bun.Image.ErrorCode`); empty where it has none. */
const codeOf = (error: unknown) =>
  typeof error === "object" && error !== null && "code" in error ? String(error.code) : ""

/**
 * Returns the picture as small as it is shown, as WebP, without what its maker wrote beside the pixels; or why there is
 * none. `unsupported`: of a type that is not decoded on this system.
 */
export const shrinkPicture = async (
  kind: PictureKind,
  bytes: Uint8Array
): Promise<Uint8Array | "too-large" | "undecodable" | "unsupported"> => {
  const { height, width } = boxes[kind]
  try {
    // The size is read before a pixel is.
    const small = await new Bun.Image(bytes, { maxPixels: MAX_PIXELS })
      .resize(width, height, { fit: "inside", withoutEnlargement: true })
      .webp(kind === "favicon" ? { lossless: true } : { quality: 80 })
      .bytes()
    return small.length <= MAX_PICTURE ? small : "too-large"
  } catch (error) {
    const code = codeOf(error)
    if (code === "ERR_IMAGE_FORMAT_UNSUPPORTED") return "unsupported"
    return code === "ERR_IMAGE_TOO_MANY_PIXELS" ? "too-large" : "undecodable"
  }
}
