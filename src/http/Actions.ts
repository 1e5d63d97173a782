import { HttpServerResponse } from "@effect/platform"
import { Effect, Schema } from "effect"
import { type Job, type ShownJob, summaryOf } from "../domain/Job.ts"
import { FindDuplicates } from "../library/Duplicates.ts"
import { Jobs } from "../library/Jobs.ts"
import { JobViews } from "../library/JobViews.ts"
import { Organize } from "../library/Organize.ts"
import { ReadPages } from "../library/ReadPages.ts"
import { Recategorize } from "../library/Recategorize.ts"
import { Refresh } from "../library/Refresh.ts"
import { RetryLinks } from "../library/RetryLinks.ts"
import { Action, actions, type JobAnswer, type JobsAnswer } from "./api/Answers.ts"
import { BadRequest, badInput, NotFound, Unavailable } from "./api/Failures.ts"
import { readJson } from "./Body.ts"

const Named = Schema.Struct({ action: Schema.String })
const decode = Schema.decodeUnknown(Action)

const readAction = Effect.gen(function* () {
  const body = yield* readJson(Schema.Unknown)
  const { action } = yield* Effect.mapError(Schema.decodeUnknown(Named)(body), badInput)
  if (!(action in actions))
    return yield* new BadRequest(`The field "action" must be one of ${Object.keys(actions).join(", ")}.`)
  return yield* Effect.mapError(decode(body), badInput)
})

/** A job as the API returns it, without what only this program needs. */
const published = ({ resume: _, subject: __, undo, ...job }: ShownJob): JobAnswer["job"] => ({
  ...job,
  ...(undo === null ? {} : { undo })
})

/** A job as events report it: without the lists of its result, which `GET /dashboard/api/jobs/{id}` returns. */
export const jobSummary = (job: Job): JobAnswer["job"] => published(summaryOf(job))

/** A job as the API returns it, with its result. */
export const jobAnswer = Effect.fnUntraced(function* (views: JobViews["Type"], job: Job) {
  const answer: JobAnswer = { job: published(yield* views.shown(job)) }
  return answer
})

/** Starts the dashboard's jobs and reports their state. */
export const makeActions = Effect.gen(function* () {
  const jobs = yield* Jobs
  const views = yield* JobViews
  const refresh = yield* Refresh
  const recategorize = yield* Recategorize
  const organize = yield* Organize
  const duplicates = yield* FindDuplicates
  const pages = yield* ReadPages
  const retries = yield* RetryLinks

  const start = (action: Action) => {
    switch (action.action) {
      case "refresh":
        return refresh.start(action.id)
      case "recategorize":
        return recategorize.start(action)
      case "organize":
        return organize.start(action)
      case "dupes":
        return duplicates.start
      case "read":
        return action.pause ? pages.pause : pages.start
      case "retry":
        return retries.start
    }
  }

  return {
    start: Effect.gen(function* () {
      const job = yield* Effect.catchTags(start(yield* readAction), {
        LinkNotFound: ({ message }) => new NotFound(message),
        StoreUnavailable: () => new Unavailable()
      })
      return HttpServerResponse.unsafeJson(yield* jobAnswer(views, job), { status: 202 })
    }).pipe(Effect.withSpan("Actions.start")),
    show: Effect.fn("Actions.show")(function* (id: string) {
      if (!/^\d{1,15}$/.test(id)) return yield* new BadRequest("A job has a number.")
      const job = yield* Effect.mapError(jobs.get(Number(id)), ({ message }) => new NotFound(message))
      return HttpServerResponse.unsafeJson(yield* jobAnswer(views, job))
    }),
    list: Effect.gen(function* () {
      const answer: JobsAnswer = { jobs: (yield* jobs.recent).map(published) }
      return HttpServerResponse.unsafeJson(answer)
    }).pipe(Effect.withSpan("Actions.list"))
  }
})
