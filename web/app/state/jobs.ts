import { computed, signal } from "@preact/signals"
import { type Action, type Job, api } from "../api.ts"
import { tellFailure } from "./toasts.ts"
import { meta } from "./meta.ts"

/** The jobs, newest first; full results are loaded on demand. */
export const jobs = signal<ReadonlyArray<Job>>([])

export const running = computed(() => jobs.value.filter(({ state }) => state === "running"))

/** The job that ended last while the page was open. */
export const ended = signal<Job | null>(null)

/** The links being refreshed, by their job's number. */
const refreshing = signal<ReadonlyMap<number, number>>(new Map())

/** The links being refreshed. */
export const refreshingLinks = computed(() => new Set(refreshing.value.values()))

/**
 * Takes over how a job stands. One that has ended does not run again, whatever was on its way, but for one that a restart
 * of the service interrupted.
 */
export const takeJob = (job: Job): void => {
  const known = jobs.value.find(({ id }) => id === job.id)
  if (job.state === "running" && (known?.state === "done" || known?.state === "failed")) return
  jobs.value = known ? jobs.value.map((one) => (one.id === job.id ? job : one)) : [job, ...jobs.value]
  if (job.state !== "running" && (known === undefined || known.state === "running")) ended.value = job
  if (job.state !== "running" && refreshing.value.has(job.id))
    refreshing.value = new Map([...refreshing.value].filter(([id]) => id !== job.id))
}

export const loadJobs = async (): Promise<void> => {
  try {
    const before = new Set(running.peek().map(({ id }) => id))
    jobs.value = (await api.jobs()).jobs
    ended.value = jobs.value.find(({ id, state }) => state !== "running" && before.has(id)) ?? ended.value
  } catch {
    // If the list cannot be loaded, the header shows the jobs from events.
  }
}

/** Starts a job and returns it; shows an error and returns undefined if the service rejects it. */
export const start = async (action: Action, refused = "Not started."): Promise<Job | undefined> => {
  try {
    const { job } = await api.act(action)
    takeJob(job)
    // Its end may be reported before the response to its start.
    return jobs.peek().find(({ id }) => id === job.id) ?? job
  } catch (error) {
    tellFailure(refused, error)
    return undefined
  }
}

/** Refreshes one link; returns whether the refresh has started. */
export const refreshLink = async (id: number): Promise<boolean> => {
  const job = await start({ action: "refresh", id })
  if (job?.state === "running") refreshing.value = new Map([...refreshing.value, [job.id, id]])
  return job !== undefined
}

/** How many imported links there are whose pages are still to be read. */
export const unread = computed(() => meta.value?.unread ?? 0)

/** The job that reads them, while it runs. */
export const reading = computed(() => running.value.find(({ action }) => action === "read"))

/** Begins to read them, or goes on. */
export const readPages = () => start({ action: "read" })

export const pauseReading = () => start({ action: "read", pause: true }, "Not paused.")
