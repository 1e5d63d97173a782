import { useEffect, useState } from "preact/hooks"
import { api, type Job } from "../api.ts"
import { jobs } from "../state/jobs.ts"
import { reasonOf } from "../state/toasts.ts"

interface WholeJob {
  /** As it stands; its result may still be without its lists. */
  readonly live: Job | undefined
  /** With all of its result. */
  readonly whole: Job | undefined
  /** Why it cannot be had; empty where nothing is wrong. */
  readonly problem: string
}

const isSame = (one: Job, other: Job) => one.state === other.state && one.undo === other.undo

/** Follows a job, and asks for all that came of it when it has ended: what is told of every job holds counts alone. */
export const useWholeJob = (id: number): WholeJob => {
  const [told, setTold] = useState<Job>()
  const [problem, setProblem] = useState("")
  const live = jobs.value.find((job) => job.id === id)
  useEffect(() => {
    if (live?.state === "running" || (told !== undefined && live !== undefined && isSame(told, live))) return
    api.job(id).then(
      ({ job }) => {
        setTold(job)
        setProblem("")
      },
      (error: unknown) => setProblem(reasonOf(error))
    )
  }, [id, live?.state, live?.undo])
  const isRunning = live?.state === "running"
  return { live: live ?? told, whole: isRunning ? undefined : told, problem }
}
