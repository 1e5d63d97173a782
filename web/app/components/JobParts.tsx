import { useEffect, useState } from "preact/hooks"
import { count } from "../../../src/shared/Format.ts"
import { api, type Job } from "../api.ts"
import { nameOf, progressOf } from "../jobText.ts"
import { undoJob } from "../state/history.ts"
import { jobs } from "../state/jobs.ts"
import { pause, readingJob, readPages, unreadPages } from "../state/startJobs.ts"
import { takeBack, takingBack } from "../state/takeBack.ts"
import { reasonOf } from "../state/toasts.ts"
import { Button } from "./Button.tsx"

interface WholeJob {
  /** The job as last reported; its result may lack its lists. */
  readonly live: Job | undefined
  /** The job with its complete result. */
  readonly whole: Job | undefined
  /** Why the job could not be loaded; empty if it could. */
  readonly problem: string
}

const isSame = (one: Job, other: Job) => one.state === other.state && one.undo === other.undo

/** Follows a job and requests its complete result once it has ended, because events contain counts only. */
export const useWholeJob = (id: number): WholeJob => {
  const [loaded, setLoaded] = useState<Job>()
  const [problem, setProblem] = useState("")
  const live = jobs.value.find((job) => job.id === id)
  useEffect(() => {
    if (live?.state === "running" || (loaded !== undefined && live !== undefined && isSame(loaded, live)))
      return
    api.job(id).then(
      ({ job }) => {
        setLoaded(job)
        setProblem("")
      },
      (error: unknown) => setProblem(reasonOf(error))
    )
  }, [id, live?.state, live?.undo])
  const isRunning = live?.state === "running"
  return { live: live ?? loaded, whole: isRunning ? undefined : loaded, problem }
}

interface Props {
  readonly job: Job
  readonly kind: "button" | "link-button"
  /** What it says for any job but an import. */
  readonly label: string
}

/** Undoes everything that a job has changed, if that is possible; takes an import back, which it asks about first. */
export const UndoJob = ({ job, kind, label }: Props) => {
  const { action, id, state, undo } = job
  if (takingBack.value.has(id)) return <span class="hint">Taking back…</span>
  if (undo === undefined || state === "running") return null
  return action === "import" ? (
    <Button class={kind} needsService onClick={() => takeBack(job)}>
      Take back…
    </Button>
  ) : (
    <Button class={kind} needsService onClick={() => void undoJob(nameOf(job), undo)}>
      {label}
    </Button>
  )
}

export const JobProgress = ({ job }: { readonly job: Job }) =>
  job.total > 1 ? (
    <progress aria-label={progressOf(job)} max={job.total} value={Math.min(job.done, job.total)} />
  ) : (
    <progress aria-label={progressOf(job)} />
  )

/** Pauses a job that reads pages; nothing for other jobs, and for those that do not run. */
export const PauseButton = ({ job: { action, state } }: { readonly job: Pick<Job, "action" | "state"> }) =>
  state === "running" && (action === "read" || action === "keep") ? (
    <Button class="link-button" onClick={() => void pause(action)}>
      Pause
    </Button>
  ) : null

/** The progress of reading imported links' pages, or a button to read those left; nothing if none are left. */
export const ReadPages = () => {
  const job = readingJob.value
  if (job !== undefined)
    return (
      <p class="row hint read-pages">
        <span>{progressOf(job)}</span> <PauseButton job={job} />
      </p>
    )
  return unreadPages.value === 0 ? null : (
    <p class="row hint read-pages">
      <Button class="link-button" onClick={() => void readPages()}>
        Read the {unreadPages.value === 1 ? "page" : "pages"} of {count(unreadPages.value, "imported link")}
      </Button>
    </p>
  )
}
