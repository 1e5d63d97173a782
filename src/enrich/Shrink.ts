import { Data, Effect, Predicate } from "effect"
import type { Picture, PictureKind } from "../domain/Picture.ts"

/** Why a picture is not shown; `reason` is safe to log. */
export class PictureError extends Data.TaggedError("PictureError")<{
  readonly reason: "cut" | "no-picture" | "too-large" | "undecodable"
}> {}

/** What a picture is made to fit, in pixels; a smaller one is left as large as it is. */
const boxes: Record<PictureKind, { readonly width: number; readonly height: number }> = {
  image: { width: 480, height: 270 },
  favicon: { width: 64, height: 64 }
}

/** The most pixels that are decoded: about 160 MB of memory for the moment. */
const MAX_PIXELS = 40_000_000
/** The largest picture that is kept, in bytes. */
const MAX_BYTES = 256 * 1024

/** Types that nothing here decodes. */
const untouched: ReadonlySet<string> = new Set(["image/svg+xml", "image/x-icon"])

/** The runtime's own word for what went wrong (`Bun.Image.ErrorCode`); empty where it has none. */
const codeOf = (error: unknown) => (Predicate.hasProperty(error, "code") ? String(error.code) : "")

/** Decodes, fits and encodes on a thread of the runtime's; the size is read before a pixel is. */
const encoded = (kind: PictureKind, bytes: Uint8Array) => {
  const { height, width } = boxes[kind]
  return Effect.tryPromise({
    try: async () =>
      new Bun.Image(bytes, { maxPixels: MAX_PIXELS })
        .resize(width, height, { fit: "inside", withoutEnlargement: true })
        .webp(kind === "favicon" ? { lossless: true } : { quality: 80 })
        .bytes(),
    catch: codeOf
  })
}

const bounded = (picture: Picture) =>
  picture.bytes.length <= MAX_BYTES
    ? Effect.succeed(picture)
    : Effect.fail(new PictureError({ reason: "too-large" }))

/**
 * The picture as small as it is shown, as WebP, without what its maker wrote beside the pixels. What cannot be decoded
 * here for being of another type (SVG, ICO, on most systems AVIF) stays as it is, up to 256 KiB.
 */
export const shrink = (kind: PictureKind, picture: Picture): Effect.Effect<Picture, PictureError> =>
  untouched.has(picture.type)
    ? bounded(picture)
    : encoded(kind, picture.bytes).pipe(
        Effect.map((bytes): Picture => ({ type: "image/webp", bytes })),
        Effect.catchAll((code) => {
          if (code === "ERR_IMAGE_FORMAT_UNSUPPORTED") return Effect.succeed(picture)
          const reason = code === "ERR_IMAGE_TOO_MANY_PIXELS" ? "too-large" : "undecodable"
          return Effect.fail(new PictureError({ reason }))
        }),
        Effect.flatMap(bounded)
      )
