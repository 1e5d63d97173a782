import type { Job } from "../api.ts"
import { progressOf } from "../jobText.ts"

/** The progress bar of a running job; indeterminate if the job counts nothing. */
export const JobProgress = ({ job }: { readonly job: Job }) =>
  job.total > 1 ? (
    <progress aria-label={progressOf(job)} max={job.total} value={Math.min(job.done, job.total)} />
  ) : (
    <progress aria-label={progressOf(job)} />
  )
