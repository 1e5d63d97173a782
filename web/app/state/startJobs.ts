import { computed, effect, signal } from "@preact/signals"
import { count } from "../../../src/shared/Format.ts"
import { type Action, api, type Job } from "../api.ts"
import { jobs, refreshing, refreshingLinks, running, storeJob } from "./jobs.ts"
import { meta } from "./meta.ts"
import { tell, tellFailure } from "./toasts.ts"

/** The links that the owner has asked to look at, by their job's number, the last ones first. */
const checking = signal<ReadonlyMap<number, number>>(new Map())

/** The links whose pages are being looked at. */
export const checkingLinks = computed(
  () =>
    new Set(running.value.flatMap((job) => (job.action === "check" ? [checking.value.get(job.id) ?? 0] : [])))
)

/** Starts a job and returns it; shows an error and returns undefined if the service rejects it. */
export const start = async (action: Action, refused = "Not started."): Promise<Job | undefined> => {
  try {
    const { job } = await api.act(action)
    storeJob(job)
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

/** Looks whether the page behind a link is still there. */
export const checkLink = async (id: number): Promise<void> => {
  const job = await start({ action: "check", id })
  if (job?.state === "running") checking.value = new Map([[job.id, id], ...[...checking.value].slice(0, 20)])
  if (job?.state === "failed") tell(job.error ?? "The page could not be looked at.", { kind: "failed" })
}

/** Maximum number of links refreshed at once. */
const MAX_REFRESHED = 20
/** Timeout for one refresh before the next one starts, in milliseconds. */
const REFRESH_TIMEOUT = 60_000

const refreshEnd = (id: number): Promise<void> => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const stop = effect(() => {
    if (!refreshingLinks.value.has(id)) resolve()
  })
  const timer = setTimeout(resolve, REFRESH_TIMEOUT)
  return promise.finally(() => {
    stop()
    clearTimeout(timer)
  })
}

/** Refreshes links one after another, up to a limit; stops at the first that cannot be started. */
export const refreshAll = async (ids: ReadonlyArray<number>): Promise<void> => {
  if (ids.length > MAX_REFRESHED)
    return void tell(`Up to ${MAX_REFRESHED} pages can be read again at once.`, { kind: "failed" })
  for (const id of ids) {
    if (!(await refreshLink(id))) return
    await refreshEnd(id)
  }
  tell(`Read ${count(ids.length, "page")} again.`)
}

export const unreadPages = computed(() => meta.value?.unread ?? 0)

export const readingJob = computed(() => running.value.find(({ action }) => action === "read"))

export const readPages = () => start({ action: "read" })

export const keepingJob = computed(() => running.value.find(({ action }) => action === "keep"))

export const keepPages = () => start({ action: "keep" })

export const pause = (action: "keep" | "read") => start({ action, pause: true }, "Not paused.")
