import { HttpApiBuilder, HttpServerResponse } from "@effect/platform"
import { Effect } from "effect"
import { Api } from "../api/Api.ts"
import { Unavailable } from "../api/Failures.ts"
import { LinkImages } from "../library/LinkImages.ts"
import { PublicListBusy, PublicSearch } from "../search/PublicSearch.ts"
import { makeFeed } from "./Feed.ts"
import { sharedImage } from "./Images.ts"
import { publicJsonPage } from "./LinkJsonPage.ts"
import { makeListPage } from "./ListPage.ts"
import { makePublicRate } from "./PublicRate.ts"

const orUnavailable = <A, E, R>(answer: Effect.Effect<A, E | PublicListBusy, R>) =>
  Effect.catchIf(
    answer,
    (error): error is PublicListBusy => error instanceof PublicListBusy,
    () => new Unavailable()
  )

/** What anybody may see: the shared links, read from their projection at a fair rate. */
export const layer = HttpApiBuilder.group(
  Api,
  "list",
  Effect.fn(function* (handlers) {
    const search = yield* PublicSearch
    const feed = yield* makeFeed
    const page = yield* makeListPage
    const images = yield* LinkImages
    const rate = yield* makePublicRate
    const facets = Effect.map(search.facets, (answer) => HttpServerResponse.unsafeJson(answer))
    return handlers
      .handleRaw("links", () => rate.reading(orUnavailable(publicJsonPage(search))))
      .handleRaw("meta", () => rate.reading(orUnavailable(facets)))
      .handleRaw("image", () => rate.looking(orUnavailable(sharedImage(images, "image"))))
      .handleRaw("favicon", () => rate.looking(orUnavailable(sharedImage(images, "favicon"))))
      .handleRaw("feed", () => rate.reading(orUnavailable(feed.respond)))
      .handleRaw("page", () => rate.reading(orUnavailable(page.respond)))
  })
)
