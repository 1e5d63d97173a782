import { Data, Effect, Option } from "effect"
import { type Picture, type PictureKind, pictureOf } from "../domain/Picture.ts"
import { Sandbox } from "./Sandbox.ts"
import { MAX_PICTURE } from "./Shrink.ts"

/** Why a picture is not shown; `reason` is safe to log. */
export class PictureError extends Data.TaggedError("PictureError")<{
  readonly reason: "cut" | "no-picture" | "too-large" | "undecodable" | "too-heavy" | "reader-ended"
}> {}

const failed = (reason: PictureError["reason"]) => new PictureError({ reason })

/** Types that nothing here decodes. */
const untouched: ReadonlySet<string> = new Set(["image/svg+xml", "image/x-icon"])

const bounded = (picture: Picture) =>
  picture.bytes.length <= MAX_PICTURE ? Effect.succeed(picture) : Effect.fail(failed("too-large"))

/** The sandbox's answer as a picture; what is no WebP was not made by our decoder. */
const webpOf = (kind: PictureKind, bytes: Uint8Array) =>
  Option.filter(pictureOf(kind, bytes), ({ type }) => type === "image/webp")

/**
 * The picture as small as it is shown, as WebP, without what its maker wrote beside the pixels. What cannot be decoded
 * here for being of another type (SVG, ICO, on most systems AVIF) stays as it is, up to 256 KiB.
 */
export const shrink = (
  kind: PictureKind,
  picture: Picture
): Effect.Effect<Picture, PictureError, Sandbox> => {
  if (untouched.has(picture.type)) return bounded(picture)
  return Effect.flatMap(Sandbox, (sandbox) => sandbox.shrink(kind, picture.bytes)).pipe(
    Effect.matchEffect({
      onSuccess: (bytes) => Effect.mapError(webpOf(kind, bytes), () => failed("undecodable")),
      onFailure: (reason) => {
        switch (reason) {
          case "unsupported":
            return bounded(picture)
          case "too-large":
          case "undecodable":
            return Effect.fail(failed(reason))
          case "deadline":
          case "memory":
            return Effect.fail(failed("too-heavy"))
          default:
            return Effect.fail(failed("reader-ended"))
        }
      }
    })
  )
}
