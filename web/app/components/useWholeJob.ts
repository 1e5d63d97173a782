import { useEffect, useState } from "preact/hooks"
import { api, type Job } from "../api.ts"
import { jobs } from "../state/jobs.ts"
import { reasonOf } from "../state/toasts.ts"

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
