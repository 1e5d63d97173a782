import type { Job } from "./api.ts"
import { outcomeOf } from "./jobOutcome.ts"
import { hrefOfJob, isPausable, nameOf } from "./jobText.ts"
import { dialog } from "./state/dialogs.ts"
import { navigate, route } from "./state/route.ts"
import { tell } from "./state/toasts.ts"

const isShown = (job: Job) => {
  const now = route.peek()
  if (job.action === "import" && dialog.peek()?.kind === "import") return true
  return now.page === "job" ? now.id === job.id : now.page === "duplicates" && job.action === "dupes"
}

/** Announces that a job has ended, unless its page is open. */
export const announceEnd = (job: Job) => {
  // A refreshed link shows its result itself, and index jobs are not started by the user.
  const isSmall = (job.action === "refresh" && job.total === 1) || job.action === "reindex"
  if (job.state === "done" && isSmall) return
  if (!isShown(job))
    tell(`${nameOf(job)}: ${outcomeOf(job)}`, {
      // An interrupted job that reads pages was paused by the user.
      isAside: true,
      kind: job.state === "done" || (job.state === "interrupted" && isPausable(job)) ? "done" : "failed",
      action: { label: "Open", run: () => navigate(hrefOfJob(job)) }
    })
}
