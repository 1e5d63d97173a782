import { HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { DateTime, Effect, Schema, Stream } from "effect"
import { ExportFormat, ExportLinks, exportName, mediaTypes } from "../library/ExportLinks.ts"
import { ImportLinks } from "../library/ImportLinks.ts"
import { JobViews } from "../library/JobViews.ts"
import { MAX_UPLOAD } from "../shared/Limits.ts"
import { jobAnswer } from "./Actions.ts"
import { BadRequest, TooLarge, Unavailable } from "./api/Failures.ts"
import { bodyStream } from "./Body.ts"
import { paramValue, searchParams } from "./ListParams.ts"

/** Maximum length of a file name, which is only shown and used to detect the format. */
const MAX_NAME = 255

const isFormat = Schema.is(ExportFormat)

const badPages = new BadRequest('The parameter "pages" must be now or later.')
const badShared = new BadRequest('The parameter "shared" must be keep or drop.')
const badFormat = new BadRequest('The parameter "format" must be json, html or csv.')

/** The failures of an upload, by reason. */
const uploadFailures = {
  "too-large": new TooLarge("The file is larger than 128 MiB: import it on the command line."),
  "cut-off": new BadRequest("The file did not arrive whole."),
  disk: new Unavailable()
}

/** Imports files of links, and exports the library as a file. */
export const makeTransfer = Effect.gen(function* () {
  const imports = yield* ImportLinks
  const exports = yield* ExportLinks
  const views = yield* JobViews

  return {
    /** Imports the request's body, which is the file itself. */
    take: Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      const params = yield* searchParams
      const pages = paramValue(params, "pages") ?? "now"
      if (pages !== "now" && pages !== "later") return yield* badPages
      const shared = paramValue(params, "shared") ?? "drop"
      if (shared !== "keep" && shared !== "drop") return yield* badShared
      if (Number(request.headers["content-length"] ?? 0) > MAX_UPLOAD)
        return yield* uploadFailures["too-large"]
      const about = {
        name: (paramValue(params, "name") ?? "").slice(0, MAX_NAME),
        later: pages === "later",
        keepShared: shared === "keep"
      }
      const job = yield* Effect.catchTags(imports.start(bodyStream(request), about), {
        UploadFailed: ({ reason }) => uploadFailures[reason],
        StoreUnavailable: () => new Unavailable()
      })
      return HttpServerResponse.unsafeJson(yield* jobAnswer(views, job), { status: 202 })
    }).pipe(Effect.withSpan("Transfer.take")),
    give: Effect.gen(function* () {
      const format = paramValue(yield* searchParams, "format") ?? "json"
      if (!isFormat(format)) return yield* badFormat
      const name = exportName(format, yield* DateTime.now)
      return HttpServerResponse.stream(Stream.encodeText(exports.write(format)), {
        contentType: mediaTypes[format],
        headers: { "content-disposition": `attachment; filename="${name}"`, "cache-control": "no-store" }
      })
    }).pipe(Effect.withSpan("Transfer.give"))
  }
})
