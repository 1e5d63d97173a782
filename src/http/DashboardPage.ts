import { HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Effect } from "effect"
import { SearchLinks } from "../library/SearchLinks.ts"
import { pageJson } from "./LinkJsonPage.ts"
import { listQuery, searchParams } from "./ListParams.ts"
import { makeMeta } from "./Meta.ts"
import { shell } from "./Shell.ts"

/** How many links the page comes with. */
const FIRST = "48"

/**
 * The app, with the links and counts its address asks for, so that they are there with the first paint. An address that
 * asks for something impossible gets the app alone, which says what is wrong.
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
            pageJson(list, query)
          ),
          () => "null"
        )
      : Effect.succeed("null")
    const data: unknown = { meta: yield* meta.answer, page: JSON.parse(page) }
    return HttpServerResponse.html(
      shell({ app: "dashboard", title: "Linkbower", description: "Your link library.", data })
    )
  }).pipe(Effect.withSpan("DashboardPage.respond"))
  return { respond }
})

/** Whether the address is the library's own, and not that of another page of the app. */
const isLibrary = (url: string) => /^\/dashboard\/?(\?|$)/.test(url)
