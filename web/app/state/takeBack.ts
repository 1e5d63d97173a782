import { effect, signal } from "@preact/signals"
import { count } from "../../../src/shared/Format.ts"
import { ApiError, api, type Job } from "../api.ts"
import { takeBackText } from "../importText.ts"
import { requireService } from "./connection.ts"
import { ask } from "./dialogs.ts"
import { done, type Step, settle } from "./history.ts"
import { ended, loadJobs } from "./jobs.ts"
import { reload } from "./list.ts"
import { refreshMeta } from "./meta.ts"
import { inOrder } from "./queue.ts"
import { tell, tellFailure } from "./toasts.ts"

/** The imports that are being undone, by the numbers of their jobs. */
export const takingBack = signal<ReadonlySet<number>>(new Set())

const isGoing = (id: number, isIt: boolean) => {
  const others = [...takingBack.peek()].filter((one) => one !== id)
  takingBack.value = new Set(isIt ? [...others, id] : others)
}

/** The steps of this tab's history that are imports. */
const steps = new Map<number, Step>()

const send = async (job: Job, token: string, force = false): Promise<void> => {
  if (takingBack.peek().has(job.id)) return
  isGoing(job.id, true)
  try {
    const { deleted = [] } = await inOrder("any", () => {
      requireService()
      return api.mutate({ op: "undo", token, ...(force ? { force } : {}) }, "none")
    })
    const step = steps.get(job.id)
    if (step !== undefined) settle(step, [])
    reload()
    tell(
      deleted.length === 0
        ? "The import was undone."
        : `The import was undone: ${count(deleted.length, "link")} deleted.`
    )
  } catch (error) {
    if (error instanceof ApiError && error.code === "changed_since")
      ask({
        title: "Take back the rest?",
        text: error.message,
        confirm: "Take back the rest",
        cancel: "Keep everything",
        run: () => void send(job, token, true)
      })
    else tellFailure("Not taken back.", error)
  } finally {
    isGoing(job.id, false)
  }
  await loadJobs()
  refreshMeta()
}

/** Asks whether to take an import back, and does so. */
export const takeBack = (job: Job): void => {
  const { undo } = job
  if (undo === undefined) return
  ask({
    title: "Take this import back?",
    text: takeBackText(job),
    confirm: "Take back",
    cancel: "Keep the links",
    run: () => void send(job, undo)
  })
}

// An import that ends while the page is open is a change among those made here.
effect(() => {
  const job = ended.value
  if (job?.action !== "import" || job.undo === undefined || steps.has(job.id)) return
  const added = job.result?.created ?? 0
  const step: Step = {
    name: added === 0 ? "Imported a file" : `Imported ${count(added, "link")}`,
    ids: "any",
    tokens: [job.undo],
    undo: () => takeBack(job)
  }
  steps.set(job.id, step)
  done.value = [...done.peek(), step]
})
