import { HttpLayerRouter, HttpServerResponse } from "@effect/platform"
import { Effect, Layer } from "effect"
import { downloads, files, serviceWorker, shellAssets } from "../../dist/app/assets.ts"
import { Access } from "../gates/AccessGate.ts"
import { forEver, load, readEmbedded } from "./EmbeddedFile.ts"
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

/** The app's embedded files, the packed extensions, and nothing else: a path is one of theirs, or unknown. */
export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const router = yield* HttpLayerRouter.HttpRouter
    const access = yield* Access
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
