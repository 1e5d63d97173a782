import type { Job } from "./api.ts"

/** Whether the owner can pause the job: it reads pages. */
export const isPausable = ({ action }: Job): boolean => action === "read" || action === "keep"

/** Whether the job was a preview, which changes nothing. */
export const isPreview = (job: Job): boolean =>
  (job.action === "organize" || job.action === "undo") && job.result?.dryRun === true

const names: Readonly<Record<Job["action"], string>> = {
  refresh: "Read a page again",
  recategorize: "Recategorize",
  organize: "Organize",
  dupes: "Find duplicates",
  reindex: "Prepare the search",
  import: "Import",
  read: "Reading pages",
  keep: "Keeping pages",
  retry: "Retry what is incomplete",
  check: "Look at a page",
  undo: "Undo changes"
}

export const nameOf = (job: Job): string => `${names[job.action]}${isPreview(job) ? ", a preview" : ""}`

export const progress = ({ done, total }: Job): string =>
  `${done.toLocaleString("en")} of ${total.toLocaleString("en")}`

/** What a running job does, and its progress. */
export const progressOf = (job: Job): string =>
  job.total > 1 ? `${names[job.action]} ${progress(job)}` : `${names[job.action]}…`

/** The address of the page with a job's result. */
export const hrefOfJob = ({ action, id }: Job): string =>
  action === "dupes" ? "/dashboard/duplicates" : `/dashboard/jobs/${id}`

/** Whether the owner sees the job: of the index, which the service prepares by itself, only while it runs or if it failed. */
export const isListed = ({ action, state }: Job): boolean => action !== "reindex" || state !== "done"
