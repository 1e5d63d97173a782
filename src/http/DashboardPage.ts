import { HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Effect } from "effect"
import { SearchLinks } from "../library/SearchLinks.ts"
import { pageJson } from "./LinkJsonPage.ts"
import { listQuery, searchParams } from "./ListParams.ts"
import { makeMeta } from "./Meta.ts"
import { renderAppPage } from "./Shell.tsx"

/** Number of links embedded in the page. */
const FIRST = "48"

/**
 * Serves the app with the counts and the links for its address embedded, so that they appear with the first paint. For
 * an invalid address it embeds no links, and the app reports the error.
 */
export const makeDashboardPage = Effect.gen(function* () {
  const list = yield* SearchLinks
  const meta = yield* makeMeta
  const respond = Effect.gen(function* () {
    const { url } = yield* HttpServerRequest.HttpServerRequest
    const params = yield* searchParams
    const page = yield* isLibrary(url)
      ? Effect.orElseSucceed(
          Effect.flatMap(listQuery({ ...params, limit: FIRST, cursor: undefined }), (query) =>
            pageJson(list, query, params)
          ),
          () => "null"
        )
      : Effect.succeed("null")
    const data: unknown = { meta: yield* meta.answer, page: JSON.parse(page) }
    return HttpServerResponse.html(
      renderAppPage({ app: "dashboard", title: "Linkbower", description: "Your link library.", data })
    )
  }).pipe(Effect.withSpan("DashboardPage.respond"))
  return { respond }
})

/** Whether the address is the library's, not that of another page of the app. */
const isLibrary = (url: string) => /^\/dashboard\/?(\?|$)/.test(url)
