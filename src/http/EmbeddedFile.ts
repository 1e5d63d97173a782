import { type HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Effect } from "effect"
import { takes } from "./Compressed.ts"

/** A file of the program: as it is, and packed where that is worth it; each is a path that only the program can read. */
export interface EmbeddedFile {
  readonly type: string
  readonly identity: string
  readonly br?: string
  readonly gzip?: string
}

/** The bytes of an embedded file. */
export const readEmbedded = (path: string) => Effect.promise(() => Bun.file(path).bytes())

/** One file's answers, of which a request gets the smallest it takes; the bytes are held from the start. */
export const load = Effect.fnUntraced(function* (file: EmbeddedFile, headers: Record<string, string>) {
  const forms = [
    ...(file.br === undefined ? [] : [{ encoding: "br", bytes: yield* readEmbedded(file.br) }]),
    ...(file.gzip === undefined ? [] : [{ encoding: "gzip", bytes: yield* readEmbedded(file.gzip) }])
  ]
  const identity = yield* readEmbedded(file.identity)
  const answerTo = (request: HttpServerRequest.HttpServerRequest, status = 200) => {
    const form = forms.find(({ encoding }) => takes(request, encoding))
    return HttpServerResponse.uint8Array(form?.bytes ?? identity, {
      status,
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

/** For what changes its name with its content. */
export const forEver = { "cache-control": "public, max-age=31536000, immutable" }
