import { HttpLayerRouter, type HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Effect } from "effect"
import { downloads, files, serviceWorker, shellAssets } from "../../dist/app/assets.ts"
import { Access } from "../gates/AccessGate.ts"
import { lazily } from "../shared/Lazily.ts"
import { embeddedAnswer, embeddedBytes, embeddedRoute, immutableHeaders } from "./EmbeddedFile.ts"
import { isOwners, leadTo, varyByCaller } from "./Onboarding.tsx"
import { makeListPage } from "./PublicPages.tsx"
import { renderAppPage } from "./Shell.tsx"

/** Headers of the service worker: it may fetch only from this origin, and its scope is the dashboard. */
const workerHeaders = {
  "content-security-policy": "default-src 'none'; connect-src 'self'; script-src 'self'",
  "service-worker-allowed": "/dashboard"
}

/** Serves a file as a download; its name stays the same across versions. */
const download = (path: string, bytes: () => Uint8Array) => () =>
  HttpServerResponse.uint8Array(bytes(), {
    contentType: "application/zip",
    headers: { "content-disposition": `attachment; filename="${path.slice(path.lastIndexOf("/") + 1)}"` }
  })

/** Redirects the owner to the dashboard and shows everyone else the public list. */
const makeAppPage = Effect.gen(function* () {
  const access = yield* Access
  const list = yield* makeListPage
  return (request: HttpServerRequest.HttpServerRequest) =>
    Effect.if(isOwners(access, request), {
      onTrue: () => Effect.succeed(leadTo("/dashboard")),
      onFalse: () => Effect.map(list.respond, HttpServerResponse.setHeaders(varyByCaller))
    })
})

const shellPage = lazily(() =>
  HttpServerResponse.html(renderAppPage({ app: "dashboard", title: "Linkbower" })).pipe(
    HttpServerResponse.setHeaders(immutableHeaders)
  )
)

export const routes = Effect.gen(function* () {
  const router = yield* HttpLayerRouter.HttpRouter
  const access = yield* Access
  // The router ignores the trailing slash of `/app/`.
  yield* router.add("GET", "/app", yield* makeAppPage)
  yield* router.addAll([
    ...files.map((file) => embeddedRoute(file.path, embeddedAnswer(file, immutableHeaders))),
    ...downloads.map(({ file, path }) => embeddedRoute(path, download(path, embeddedBytes(file))))
  ])
  yield* router.add("GET", shellAssets.page, Effect.sync(shellPage))
  const answerWorker = embeddedAnswer(serviceWorker, workerHeaders)
  yield* router.add("GET", "/dashboard/service-worker.js", (request) =>
    Effect.map(access.pass, () => answerWorker(request))
  )
})
