import type { Job } from "../api.ts"
import { progressOf } from "../jobText.ts"

/** How far a running job has come; without an end where nothing is counted. */
export const JobProgress = ({ job }: { readonly job: Job }) =>
  job.total > 1 ? (
    <progress aria-label={progressOf(job)} max={job.total} value={Math.min(job.done, job.total)} />
  ) : (
    <progress aria-label={progressOf(job)} />
  )
