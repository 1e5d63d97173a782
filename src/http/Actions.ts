import { Effect } from "effect"
import { type Job, type ShownJob, summaryOf } from "../domain/Job.ts"
import { BackfillPages } from "../library/BackfillPages.ts"
import { CheckLinks } from "../library/CheckLinks.ts"
import { Duplicates } from "../library/Duplicates.ts"
import { Jobs } from "../library/Jobs.ts"
import { Organize } from "../library/Organize.ts"
import { ReadPages } from "../library/ReadPages.ts"
import { Recategorize } from "../library/Recategorize.ts"
import { Refresh } from "../library/Refresh.ts"
import { RetryLinks } from "../library/RetryLinks.ts"
import type { Action, JobAnswer, JobsAnswer } from "./api/Bodies.ts"

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
