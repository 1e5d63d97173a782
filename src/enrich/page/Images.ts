import { Context, Data, Effect, Layer, Option } from "effect"
import { type Picture, type PictureKind, type PictureUse, pictureOf } from "../../domain/Picture.ts"
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

/** Types that no decoder here supports. */
const undecodedTypes: ReadonlySet<string> = new Set(["image/svg+xml", "image/x-icon"])

const bounded = (use: PictureUse, picture: Picture) =>
  picture.bytes.length <= MAX_PICTURE[use] ? Effect.succeed(picture) : Effect.fail(failed("too-large"))

/** The sandbox's reply as a picture; none unless it is WebP, the only type the sandbox produces. */
const webpOf = (kind: PictureKind, bytes: Uint8Array) =>
  Option.filter(pictureOf(kind, bytes), ({ type }) => type === "image/webp")

/**
 * Shrinks a picture to display size as WebP and drops its metadata. Types that cannot be decoded here (SVG, ICO, on
 * most systems AVIF) stay unchanged, up to 256 KiB.
 */
export const shrink = (
  kind: PictureKind,
  picture: Picture
): Effect.Effect<Picture, PictureError, Sandbox> => {
  if (undecodedTypes.has(picture.type)) return bounded(picture)
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

/** Separate from the limits for pages, so that a page full of pictures does not delay pages being saved. */
const limits: FetchLimits = { timeout: "8 seconds", redirects: 5, addresses: 3, perHost: 4, inAll: 6 }

const options: FetchOptions = {
  // Omits AVIF, which most systems cannot decode and so cannot shrink.
  accept: "image/webp, image/png, image/jpeg, image/svg+xml, image/*;q=0.8, */*;q=0.1",
  // The bytes decide the type, not the header.
  readable: () => true,
  maxBytes: 5 * 1024 * 1024
}

/** Makes an image fetcher with these limits. */
export const makeImages = Effect.fnUntraced(function* (within: FetchLimits) {
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
      const isOnAllowList = (one: string) =>
        Option.match(Option.fromNullable(URL.parse(one)), {
          onNone: () => Effect.succeed(false),
          onSome: isExempt
        })
      return !(yield* isOnAllowList(address)) || (yield* Effect.exists(pages, isOnAllowList))
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

/** Fetches, checks and shrinks the pictures and favicons of pages. */
export class Images extends Context.Tag("Images")<
  Images,
  {
    /**
     * Whether these pages may use a picture at this address. A picture on a FETCH_ALLOW host requires a page from such
     * a host; otherwise a stranger's page could reach into the owner's network.
     */
    readonly mayTake: (address: string, pages: ReadonlyArray<string>) => Effect.Effect<boolean>
    /** Fetches a picture; none if the address cannot be fetched, is not a picture of this kind, or is too large. */
    readonly find: (kind: PictureKind, address: string) => Effect.Effect<Option.Option<Picture>>
  }
>() {
  static readonly layer = Layer.effect(this, makeImages(limits))
}
