import { HttpLayerRouter, type HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Effect, Layer } from "effect"
import { downloads, files, serviceWorker, shellAssets } from "../../dist/app/assets.ts"
import { Access } from "../gates/AccessGate.ts"
import { forEver, load, readEmbedded } from "./EmbeddedFile.ts"
import { makeListPage } from "./ListPage.ts"
import { groups } from "./RouteGroups.ts"
import { shell } from "./Shell.ts"

/** What the worker may do: fetch from here. Its own scope is the dashboard. */
const workerHeaders = {
  "content-security-policy": "default-src 'none'; connect-src 'self'; script-src 'self'",
  "service-worker-allowed": "/dashboard"
}

/** A file to be kept, not shown; its name stays the same from version to version. */
const download = (path: string, bytes: Uint8Array) =>
  HttpServerResponse.uint8Array(bytes, {
    contentType: "application/zip",
    headers: { "content-disposition": `attachment; filename="${path.slice(path.lastIndexOf("/") + 1)}"` }
  })

/** The answer depends on who asks, which the gateway says in one of these. */
const byWhoAsks = { vary: "accept-encoding, cookie, cf-access-jwt-assertion" }

const toDashboard = HttpServerResponse.redirect("/dashboard", {
  status: 303,
  headers: { ...byWhoAsks, "cache-control": "no-store" }
})

/**
 * Makes the answer at the app's own address: sends the owner on to the dashboard and shows everybody else the public list.
 * A request that another site causes without leaving its page gets the list too, so that it cannot tell who is signed in.
 */
const makeAppPage = Effect.gen(function* () {
  const access = yield* Access
  const list = yield* makeListPage
  return (request: HttpServerRequest.HttpServerRequest) =>
    Effect.if(groups.dashboard.admits(request) ? access.admits : Effect.succeed(false), {
      onTrue: () => Effect.succeed(toDashboard),
      onFalse: () => Effect.map(list.respond, HttpServerResponse.setHeaders(byWhoAsks))
    })
})

/** The app's own address, its embedded files, the packed extensions, and nothing else: a path is one of theirs, or unknown. */
export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const router = yield* HttpLayerRouter.HttpRouter
    const access = yield* Access
    // The router ignores the slash of `/app/`.
    yield* router.add("GET", "/app", yield* makeAppPage)
    for (const file of files) {
      const { answerTo } = yield* load(file, forEver)
      yield* router.add("GET", file.path, (request) => Effect.succeed(answerTo(request)))
    }
    for (const { file, path } of downloads)
      yield* router.add("GET", path, download(path, yield* readEmbedded(file)))
    yield* router.add(
      "GET",
      shellAssets.page,
      HttpServerResponse.html(shell({ app: "dashboard", title: "Linkbower" })).pipe(
        HttpServerResponse.setHeaders(forEver)
      )
    )
    const worker = yield* load(serviceWorker, workerHeaders)
    yield* router.add("GET", "/dashboard/service-worker.js", (request) =>
      Effect.as(access.pass, worker.answerTo(request))
    )
  })
)
