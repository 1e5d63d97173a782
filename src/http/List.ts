import { HttpApiBuilder } from "@effect/platform"
import { Effect } from "effect"
import { Api } from "../api/Api.ts"
import { SearchLinks } from "../library/SearchLinks.ts"
import { feed } from "./Feed.ts"
import { linkJsonPage } from "./LinkJsonPage.ts"
import { listPage } from "./Pages.ts"

/** What anybody may see: the shared links, whatever the request asks for. */
export const layer = HttpApiBuilder.group(
  Api,
  "list",
  Effect.fn(function* (handlers) {
    const list = yield* SearchLinks
    return handlers
      .handleRaw("links", () =>
        linkJsonPage(list, "public", (query) => ({
          ...query,
          favorite: undefined,
          shareable: undefined,
          // Links have no public number.
          like: undefined
        }))
      )
      .handleRaw("feed", () => feed(list))
      .handleRaw("page", () => listPage(list))
  })
)
