import { HttpLayerRouter, type HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Effect, Layer } from "effect"
import { downloads, files, serviceWorker, shellAssets } from "../../dist/app/assets.ts"
import { Access } from "../gates/AccessGate.ts"
import { takes } from "./Compressed.ts"
import { shell } from "./Shell.ts"
import { welcomePage } from "./Welcome.ts"

type File = (typeof files)[number]

const read = (path: string) => Effect.promise(() => Bun.file(path).bytes())

/** One file's answers, of which a request gets the smallest it takes; the bytes are held from the start. */
const load = Effect.fnUntraced(function* (file: File, headers: Record<string, string>) {
  const forms = [
    ...(file.br === undefined ? [] : [{ encoding: "br", bytes: yield* read(file.br) }]),
    ...(file.gzip === undefined ? [] : [{ encoding: "gzip", bytes: yield* read(file.gzip) }])
  ]
  const identity = yield* read(file.identity)
  const answerTo = (request: HttpServerRequest.HttpServerRequest) => {
    const form = forms.find(({ encoding }) => takes(request, encoding))
    return HttpServerResponse.uint8Array(form?.bytes ?? identity, {
      contentType: file.type,
      headers: {
        ...headers,
        ...(form === undefined ? {} : { "content-encoding": form.encoding }),
        vary: "accept-encoding"
      }
    })
  }
  return { answerTo }
})

const forEver = { "cache-control": "public, max-age=31536000, immutable" }

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
    for (const { file, path } of downloads) yield* router.add("GET", path, download(path, yield* read(file)))
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
    yield* router.add("GET", "/", welcomePage)
  })
)
