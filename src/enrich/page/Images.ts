import { Data, Effect, Option } from "effect"
import type { SizedPicture } from "../../domain/ArticlePictures.ts"
import { type Picture, type PictureKind, type PictureUse, pictureOf } from "../../domain/Picture.ts"
import { parseWebUrl } from "../../domain/WebUrl.ts"
import { Service } from "../../runtime/Services.ts"
import { Measure } from "../../telemetry/Metrics.ts"
import { FetchError, type FetchLimits, type FetchOptions, isExempt, make } from "../fetch/Fetcher.ts"
import { imageSizeOf } from "./files/ImageSize.ts"
import { Sandbox } from "./Sandbox.ts"
import { MAX_PICTURE } from "./Shrink.ts"

/** Why a picture is not shown; `reason` is safe to log. */
export class PictureError extends Data.TaggedError("PictureError")<{
  readonly reason: "cut" | "no-picture" | "too-large" | "undecodable" | "too-heavy" | "reader-ended"
}> {
  /** Whether the failure is permanent: a busy machine may not have had the time to decode a picture. */
  get lasting(): boolean {
    return this.reason !== "too-heavy" && this.reason !== "reader-ended"
  }
}

const failed = (reason: PictureError["reason"]) => new PictureError({ reason })

const undecodedTypes: ReadonlySet<string> = new Set(["image/svg+xml", "image/x-icon"])

const bounded = (use: PictureUse, picture: Picture) =>
  picture.bytes.length <= MAX_PICTURE[use] ? Effect.succeed(picture) : Effect.fail(failed("too-large"))

const webpOf = (use: PictureUse, bytes: Uint8Array) =>
  Option.filter(pictureOf(use, bytes), ({ type }) => type === "image/webp")

/** WebP without metadata. Undecodable types stay, up to 256 KiB; an article's fail, as a stranger sent them. */
export const shrink = (use: PictureUse, picture: Picture): Effect.Effect<Picture, PictureError, Sandbox> => {
  const unchanged = use === "article" ? Effect.fail(failed("undecodable")) : bounded(use, picture)
  if (undecodedTypes.has(picture.type)) return unchanged
  return Effect.flatMap(Sandbox, (sandbox) => sandbox.shrink(use, picture.bytes)).pipe(
    Effect.matchEffect({
      onSuccess: (bytes) => Effect.mapError(webpOf(use, bytes), () => failed("undecodable")),
      onFailure: (reason) => {
        switch (reason) {
          case "unsupported":
            return unchanged
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
const articleLimits: FetchLimits = { timeout: "15 seconds", redirects: 5, addresses: 3, perHost: 2, inAll: 4 }

/** In bytes. */
const MAX_SENT: Record<PictureUse, number> = {
  image: 5 * 1024 * 1024,
  favicon: 5 * 1024 * 1024,
  article: 8 * 1024 * 1024
}

const optionsFor = (use: PictureUse, referer: URL | undefined): FetchOptions => ({
  ...(referer === undefined ? {} : { referer }),
  // Omits AVIF, which most systems cannot decode and so cannot shrink.
  accept:
    use === "article"
      ? "image/webp, image/png, image/jpeg, image/*;q=0.8, */*;q=0.1"
      : "image/webp, image/png, image/jpeg, image/svg+xml, image/*;q=0.8, */*;q=0.1",
  // The bytes decide the type, not the header.
  readable: () => true,
  maxBytes: MAX_SENT[use]
})

export const makeImages = Effect.fnUntraced(function* (
  within: FetchLimits,
  articlesWithin: FetchLimits = within
) {
  const fetcher = yield* make(within)
  const articleFetcher = yield* make(articlesWithin)
  const sandbox = yield* Sandbox
  // The pictures of links, which somebody waits for, are decoded between those of articles.
  const articleTurn = yield* Effect.makeSemaphore(1)

  /** The page to name to the server of a picture: on a FETCH_ALLOW host, to that host alone, as its name is private. */
  const refererOf = Effect.fnUntraced(function* (picture: URL, page: string) {
    const url = URL.parse(page)
    return !url?.protocol.startsWith("http") || (url.host !== picture.host && (yield* isExempt(url)))
      ? undefined
      : url
  })

  const read = Effect.fnUntraced(function* (use: PictureUse, address: string, page: string) {
    const url = yield* Effect.mapError(parseWebUrl(address), () => new FetchError({ reason: "bad-address" }))
    const { body, cut } = yield* (use === "article" ? articleFetcher : fetcher).fetch(
      url,
      optionsFor(use, yield* refererOf(url, page))
    )
    if (cut) return yield* new PictureError({ reason: "cut" })
    const picture = yield* Effect.mapError(
      pictureOf(use, body),
      () => new PictureError({ reason: "no-picture" })
    )
    const shrunk = Effect.provideService(shrink(use, picture), Sandbox, sandbox)
    return yield* use === "article" ? articleTurn.withPermits(1)(shrunk) : shrunk
  })

  const readArticle = Effect.fnUntraced(function* (address: string, page: string) {
    const picture = yield* read("article", address, page)
    const size = imageSizeOf(picture.bytes)
    if (size === undefined) return yield* new PictureError({ reason: "undecodable" })
    const sized: SizedPicture = { ...picture, ...size }
    return sized
  })

  const counted = <A, E extends FetchError | PictureError>(what: string, effect: Effect.Effect<A, E>) =>
    effect.pipe(
      Effect.tap(() => Measure.images.count("shown")),
      Effect.tapError(({ reason }) =>
        Effect.zipRight(Measure.images.count(reason), Effect.logDebug(`no ${what}: ${reason}`))
      )
    )

  return {
    /** Takes pictures of FETCH_ALLOW hosts for their pages only, or a stranger's page could reach into the network. */
    mayTake: Effect.fn("Images.mayTake")(function* (address: string, pages: ReadonlyArray<string>) {
      const isOnAllowList = (one: string) =>
        Option.match(Option.fromNullable(URL.parse(one)), {
          onNone: () => Effect.succeed(false),
          onSome: isExempt
        })
      return !(yield* isOnAllowList(address)) || (yield* Effect.exists(pages, isOnAllowList))
    }),
    /** None if it is no such picture or too large. Its server learns the page's origin, as many require it. */
    find: Effect.fn("Images.find")((kind: PictureKind, address: string, page: string) =>
      Effect.option(counted(kind, read(kind, address, page)))
    ),
    ofArticle: Effect.fn("Images.ofArticle")((address: string, page: string) =>
      counted("picture of an article", readArticle(address, page))
    )
  }
})

export class Images extends Service<Images>()("Images", makeImages(limits, articleLimits)) {}
