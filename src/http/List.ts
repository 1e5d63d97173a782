import { HttpApiBuilder, HttpServerResponse } from "@effect/platform"
import { Effect } from "effect"
import { LinkImages } from "../library/LinkImages.ts"
import { PublicSearch } from "../search/PublicSearch.ts"
import { Api } from "./api/Api.ts"
import { makeFeed } from "./Feed.ts"
import { sharedImage } from "./Images.ts"
import { publicJsonPage } from "./LinkJsonPage.ts"
import { makeListPage } from "./ListPage.tsx"
import { PublicRate } from "./PublicRate.ts"

/** Handles the public API: the shared links, read from their projection and rate-limited. */
export const layer = HttpApiBuilder.group(
  Api,
  "list",
  Effect.fn(function* (handlers) {
    const search = yield* PublicSearch
    const feed = yield* makeFeed
    const page = yield* makeListPage
    const images = yield* LinkImages
    const rate = yield* PublicRate
    const facets = Effect.map(search.facets, (answer) => HttpServerResponse.unsafeJson(answer))
    return handlers
      .handleRaw("links", () => rate.reading(publicJsonPage(search)))
      .handleRaw("meta", () => rate.reading(facets))
      .handleRaw("image", () => rate.looking(sharedImage(images, "image")))
      .handleRaw("favicon", () => rate.looking(sharedImage(images, "favicon")))
      .handleRaw("feed", () => rate.reading(feed.respond))
      .handleRaw("page", () => page.respond)
  })
)
