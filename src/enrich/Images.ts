import { Context, Effect, Layer, Option } from "effect"
import { Measure } from "../domain/Metrics.ts"
import { type Picture, type PictureKind, pictureOf } from "../domain/Picture.ts"
import { parseWebUrl } from "../domain/WebUrl.ts"
import { FetchError, type FetchLimits, type FetchOptions, isExempt, make } from "./Fetcher.ts"
import { Sandbox } from "./Sandbox.ts"
import { PictureError, shrink } from "./SmallPicture.ts"

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
