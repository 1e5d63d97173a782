import { HttpApiBuilder, HttpServerResponse } from "@effect/platform"
import { Effect } from "effect"
import { Api } from "../api/Api.ts"
import { LinkImages } from "../library/LinkImages.ts"
import { SearchLinks } from "../library/SearchLinks.ts"
import { PublicFacets } from "../store/PublicFacets.ts"
import { makeFeed } from "./Feed.ts"
import { sharedImage } from "./Images.ts"
import { linkJsonPage } from "./LinkJsonPage.ts"
import { makeListPage } from "./ListPage.ts"

/** What anybody may see: the shared links, whatever the request asks for. */
export const layer = HttpApiBuilder.group(
  Api,
  "list",
  Effect.fn(function* (handlers) {
    const list = yield* SearchLinks
    const facets = yield* PublicFacets
    const feed = yield* makeFeed
    const page = yield* makeListPage
    const images = yield* LinkImages
    return handlers
      .handleRaw("links", () => linkJsonPage(list, "public"))
      .handleRaw("meta", () => Effect.map(facets.facets, (answer) => HttpServerResponse.unsafeJson(answer)))
      .handleRaw("image", () => sharedImage(images, "image"))
      .handleRaw("favicon", () => sharedImage(images, "favicon"))
      .handleRaw("feed", () => feed.respond)
      .handleRaw("page", () => page.respond)
  })
)
