import { HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { DateTime, Effect, Stream } from "effect"
import { type Job, type ShownJob, summaryOf } from "../domain/Job.ts"
import { BackfillPages } from "../library/BackfillPages.ts"
import { CheckLinks } from "../library/CheckLinks.ts"
import { Duplicates } from "../library/Duplicates.ts"
import { ExportLinks, exportName, mediaTypes } from "../library/ExportLinks.ts"
import { ImportLinks } from "../library/ImportLinks.ts"
import { Jobs } from "../library/Jobs.ts"
import { Organize } from "../library/Organize.ts"
import { ReadPages } from "../library/ReadPages.ts"
import { Recategorize } from "../library/Recategorize.ts"
import { Refresh } from "../library/Refresh.ts"
import { RetryLinks } from "../library/RetryLinks.ts"
import { MAX_UPLOAD } from "../shared/Limits.ts"
import type { Action, JobAnswer, JobsAnswer } from "./api/Bodies.ts"
import { BadRequest, TooLarge, Unavailable } from "./api/Failures.ts"
import type { ExportParameters, ImportParameters } from "./api/Parameters.ts"
import { bodyStream } from "./Body.ts"

const published = ({ resume: _, subject: __, undo, ...job }: ShownJob): JobAnswer["job"] => ({
  ...job,
  ...(undo === null ? {} : { undo })
})

/** A job as events report it: without the lists of its result, which `GET /dashboard/api/jobs/{id}` returns. */
export const jobSummary = (job: Job): JobAnswer["job"] => published(summaryOf(job))

/** A job as the API returns it, with its result. */
export const jobAnswer = Effect.fnUntraced(function* (jobs: Jobs["Type"], job: Job) {
  const answer: JobAnswer = { job: published(yield* jobs.shown(job)) }
  return answer
})

export const makeActions = Effect.gen(function* () {
  const jobs = yield* Jobs
  const refresh = yield* Refresh
  const recategorize = yield* Recategorize
  const organize = yield* Organize
  const duplicates = yield* Duplicates
  const pages = yield* ReadPages
  const missing = yield* BackfillPages
  const retries = yield* RetryLinks
  const checks = yield* CheckLinks

  const startJob = (action: Action) => {
    switch (action.action) {
      case "refresh":
        return action.id === undefined ? refresh.startOtherModels : refresh.start(action.id)
      case "recategorize":
        return recategorize.start(action)
      case "organize":
        return organize.start(action)
      case "dupes":
        return duplicates.start
      case "read":
        return action.pause ? pages.pause : pages.start
      case "keep":
        return action.pause ? missing.pause : missing.start
      case "retry":
        return retries.start
      case "check":
        return checks.start(action.id)
    }
  }

  return {
    start: Effect.fn("Actions.start")(function* (action: Action) {
      return yield* jobAnswer(jobs, yield* startJob(action))
    }),
    estimateRecategorize: recategorize.estimate,
    show: Effect.fn("Actions.show")(function* (id: number) {
      return yield* jobAnswer(jobs, yield* jobs.get(id))
    }),
    list: Effect.gen(function* () {
      const answer: JobsAnswer = { jobs: (yield* jobs.recent).map(published) }
      return answer
    }).pipe(Effect.withSpan("Actions.list"))
  }
})

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
