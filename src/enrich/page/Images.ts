import { Context, Data, Effect, Layer, Option } from "effect"
import { type Picture, type PictureKind, pictureOf } from "../../domain/Picture.ts"
import { parseWebUrl } from "../../domain/WebUrl.ts"
import { Measure } from "../../telemetry/Metrics.ts"
import { FetchError, type FetchLimits, type FetchOptions, isExempt, make } from "../fetch/Fetcher.ts"
import { Sandbox } from "./Sandbox.ts"
import { MAX_PICTURE } from "./Shrink.ts"

/** Why a picture is not shown; `reason` is safe to log. */
class PictureError extends Data.TaggedError("PictureError")<{
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

/** Of their own, so that a page full of pictures holds up no page that is being saved. */
const limits: FetchLimits = { timeout: "8 seconds", redirects: 5, addresses: 3, perHost: 4, inAll: 6 }

const options: FetchOptions = {
  // AVIF is not asked for by name: what is sent as such stays as large as it is.
  accept: "image/webp, image/png, image/jpeg, image/svg+xml, image/*;q=0.8, */*;q=0.1",
  // What is sent decides, not what it is called.
  readable: () => true,
  maxBytes: 5 * 1024 * 1024
}

/** Pictures fetched within limits of the caller's choosing. */
export const imagesWithin = Effect.fnUntraced(function* (within: FetchLimits) {
  const fetcher = yield* make(within)
  const sandbox = yield* Sandbox

  const read = Effect.fnUntraced(function* (kind: PictureKind, address: string) {
    const url = yield* Effect.mapError(parseWebUrl(address), () => new FetchError({ reason: "bad-address" }))
    const { body, cut } = yield* fetcher.fetch(url, options)
    if (cut) return yield* new PictureError({ reason: "cut" })
    const picture = yield* Effect.mapError(
      pictureOf(kind, body),
      () => new PictureError({ reason: "no-picture" })
    )
    return yield* Effect.provideService(shrink(kind, picture), Sandbox, sandbox)
  })

  return {
    mayTake: Effect.fn("Images.mayTake")(function* (address: string, pages: ReadonlyArray<string>) {
      const isOnList = (one: string) =>
        Option.match(Option.fromNullable(URL.parse(one)), {
          onNone: () => Effect.succeed(false),
          onSome: isExempt
        })
      return !(yield* isOnList(address)) || (yield* Effect.exists(pages, isOnList))
    }),
    find: Effect.fn("Images.find")((kind: PictureKind, address: string) =>
      read(kind, address).pipe(
        Effect.tap(() => Measure.images.count("shown")),
        Effect.tapError(({ reason }) =>
          Effect.zipRight(Measure.images.count(reason), Effect.logDebug(`no ${kind}: ${reason}`))
        ),
        Effect.option
      )
    )
  }
})

/** Fetches what pages show of themselves, checked and made small. */
export class Images extends Context.Tag("Images")<
  Images,
  {
    /**
     * Whether these pages may name a picture at this address: one on a host of FETCH_ALLOW is taken only for a page that
     * was itself saved from such a host, for otherwise a stranger's page would reach into the owner's network.
     */
    readonly mayTake: (address: string, pages: ReadonlyArray<string>) => Effect.Effect<boolean>
    /** None where the address cannot be fetched, is no picture of this kind, or is too large a one. */
    readonly find: (kind: PictureKind, address: string) => Effect.Effect<Option.Option<Picture>>
  }
>() {
  static readonly layer = Layer.effect(this, imagesWithin(limits))
}
