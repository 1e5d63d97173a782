import { computed, signal } from "@preact/signals"
import type { Job } from "../api.ts"
import { firstApi } from "../service.ts"

/** The jobs, newest first; full results are loaded on demand. */
export const jobs = signal<ReadonlyArray<Job>>([])

export const running = computed(() => jobs.value.filter(({ state }) => state === "running"))

/** The job that ended last while the page was open. */
export const ended = signal<Job | null>(null)

/** The links being refreshed, by their job's number. */
export const refreshing = signal<ReadonlyMap<number, number>>(new Map())

export const refreshingLinks = computed(() => new Set(refreshing.value.values()))

/**
 * Stores a job's new state. A late `running` state does not reopen a job that is done or has failed; one that a restart of
 * the service interrupted may run again.
 */
export const storeJob = (job: Job): void => {
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
    jobs.value = (await firstApi.jobs()).jobs
    ended.value = jobs.value.find(({ id, state }) => state !== "running" && before.has(id)) ?? ended.value
  } catch {
    // If the list cannot be loaded, the header shows the jobs from events.
  }
}
