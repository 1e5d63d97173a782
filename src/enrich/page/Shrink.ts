import type { PictureKind } from "../../domain/Picture.ts"

/** The maximum dimensions of a picture, in pixels; smaller pictures keep their size. */
const boxes: Record<PictureKind, { readonly width: number; readonly height: number }> = {
  image: { width: 480, height: 270 },
  favicon: { width: 64, height: 64 }
}

/** Maximum pixels to decode: about 160 MB of memory while decoding. */
const MAX_PIXELS = 40_000_000
/** Maximum size of a stored picture, in bytes. */
export const MAX_PICTURE = 256 * 1024

/** The runtime's error code (`Bun.Image.ErrorCode`), or an empty string. */
const codeOf = (error: unknown) =>
  typeof error === "object" && error !== null && "code" in error ? String(error.code) : ""

/**
 * Shrinks a picture to display size as WebP and drops its metadata, or returns the reason for failure. `unsupported`:
 * this system cannot decode its type.
 */
export const shrinkPicture = async (
  kind: PictureKind,
  bytes: Uint8Array
): Promise<Uint8Array | "too-large" | "undecodable" | "unsupported"> => {
  const { height, width } = boxes[kind]
  try {
    // Bun reads the dimensions and enforces `maxPixels` before it decodes.
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
