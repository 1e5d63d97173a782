import { HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { DateTime, Effect, Stream } from "effect"
import { ExportLinks, exportName, mediaTypes } from "../library/ExportLinks.ts"
import { ImportLinks } from "../library/ImportLinks.ts"
import { Jobs } from "../library/Jobs.ts"
import { MAX_UPLOAD } from "../shared/Limits.ts"
import { jobAnswer } from "./Actions.ts"
import { BadRequest, TooLarge, Unavailable } from "./api/Failures.ts"
import type { ExportParameters, ImportParameters } from "./api/Parameters.ts"
import { bodyStream } from "./Body.ts"

/** Maximum length of a file name, which is only shown and used to detect the format. */
const MAX_NAME = 255

const uploadFailures = {
  "too-large": new TooLarge("The file is larger than 128 MiB. Import it on the command line."),
  "cut-off": new BadRequest("The upload was interrupted. Try again."),
  disk: new Unavailable()
}

export const makeTransfer = Effect.gen(function* () {
  const imports = yield* ImportLinks
  const exports = yield* ExportLinks
  const jobs = yield* Jobs

  return {
    /** Imports the request's body, which is the file itself. */
    importFile: Effect.fn("Transfer.importFile")(function* ({
      name,
      pages,
      shared
    }: typeof ImportParameters.Type) {
      const request = yield* HttpServerRequest.HttpServerRequest
      if (Number(request.headers["content-length"] ?? 0) > MAX_UPLOAD)
        return yield* uploadFailures["too-large"]
      const about = {
        name: name.slice(0, MAX_NAME),
        later: pages === "later",
        keepShared: shared === "keep"
      }
      const job = yield* Effect.catchTags(imports.start(bodyStream(request), about), {
        StreamNotSaved: ({ reason }) => uploadFailures[reason]
      })
      return yield* jobAnswer(jobs, job)
    }),
    exportLibrary: Effect.fn("Transfer.exportLibrary")(function* ({ format }: typeof ExportParameters.Type) {
      const name = exportName(format === "full" ? "zip" : format, yield* DateTime.now)
      const bytes = format === "full" ? exports.writeFull() : Stream.encodeText(exports.write(format))
      return HttpServerResponse.stream(bytes, {
        contentType: format === "full" ? "application/zip" : mediaTypes[format],
        headers: { "content-disposition": `attachment; filename="${name}"`, "cache-control": "no-store" }
      })
    })
  }
})
