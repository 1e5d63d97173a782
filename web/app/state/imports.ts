import { computed, signal } from "@preact/signals"
import { MAX_UPLOAD } from "../../../src/shared/Limits.ts"
import type { Job } from "../api.ts"
import { ApiError, errorOf } from "../service.ts"
import { dialog, open } from "./dialogs.ts"
import { jobs, running, storeJob } from "./jobs.ts"
import { reasonOf, tell } from "./toasts.ts"

interface UploadOptions {
  /** Called with the number of bytes sent so far. */
  readonly onProgress: (sent: number) => void
  readonly signal: AbortSignal
}

const jobOf = async (request: XMLHttpRequest): Promise<Job> => {
  const { responseText, status } = request
  if (status === 0) throw new ApiError(0, "unreachable", "The library cannot be reached.")
  const type = request.getResponseHeader("content-type") ?? ""
  const response = new Response(responseText, { status, headers: { "content-type": type } })
  if (!response.ok) throw await errorOf("/dashboard/api/import", response)
  const { job }: { readonly job: Job } = await response.json()
  return job
}

/** How to import a file: when to read its pages, and whether links that it marks as shared stay shared. */
interface ImportChoices {
  readonly pages: "now" | "later"
  readonly shared: "keep" | "drop"
}

/** Uploads a file and returns its import job; rejects with an `ApiError`, or with the signal's reason. */
const sendFile = async (file: File, choices: ImportChoices, { onProgress, signal }: UploadOptions) => {
  signal.throwIfAborted()
  // `fetch` does not report upload progress.
  const request = new XMLHttpRequest()
  const { promise, resolve } = Promise.withResolvers<void>()
  const abort = () => request.abort()
  request.upload.addEventListener("progress", ({ loaded }) => onProgress(loaded))
  request.addEventListener("loadend", () => resolve())
  signal.addEventListener("abort", abort)
  request.open("POST", `/dashboard/api/import?${new URLSearchParams({ name: file.name, ...choices })}`)
  request.setRequestHeader("content-type", "application/octet-stream")
  request.send(file)
  await promise
  signal.removeEventListener("abort", abort)
  signal.throwIfAborted()
  return jobOf(request)
}

interface Upload {
  readonly file: File
  /** In bytes. */
  readonly sent: number
  readonly stop: () => void
}

/** The chosen file; it stays chosen if the import fails. */
export const chosen = signal<File | null>(null)

/** Whether to read the pages of the imported links at once. */
export const readNow = signal(true)

/** How many links the chosen file marks as shared: 0 until counted, and for files of other programs. */
export const sharedIn = signal(0)

/** Whether to share those links here too. */
export const keepShared = signal(false)

/** The mark as an export writes it; in a link's texts, the quotation marks would be escaped. */
const SHARED = /[{,]"shareable":true/g
const MARK_LENGTH = ',"shareable":true'.length
const OWN_FORMAT = '{"format":"linkbower"'

/** Counts the links that Linkbower's own export marks as shared, reading the file in chunks. */
const countShared = async (file: File): Promise<number> => {
  if ((await file.slice(0, OWN_FORMAT.length).text()) !== OWN_FORMAT) return 0
  let count = 0
  let rest = ""
  const reader = file.stream().pipeThrough(new TextDecoderStream()).getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return count
    const text = rest + value
    count += text.match(SHARED)?.length ?? 0
    // The rest may start a mark that the next chunk completes; it is too short to contain one already counted.
    rest = text.slice(1 - MARK_LENGTH)
  }
}

chosen.subscribe((file) => {
  keepShared.value = false
  sharedIn.value = 0
  if (file === null) return
  countShared(file).then(
    (count) => {
      if (chosen.peek() === file) sharedIn.value = count
    },
    // An unreadable file is reported when it is sent.
    () => {}
  )
})

export const sending = signal<Upload | null>(null)

/** Why the chosen file was not imported; empty if nothing is wrong. */
export const problem = signal("")

const startedJob = signal<number | null>(null)

const isImport = ({ action }: { readonly action: string }) => action === "import"

const ownImport = computed(() => jobs.value.find(({ id }) => id === startedJob.value))

/** The import to show: the one started here while it runs, or else another running one, or else the one started here. */
export const importing = computed(() => {
  const own = ownImport.value
  return own?.state === "running" ? own : (running.value.find(isImport) ?? own)
})

/** Resets the dialog, with a new file if one is given; a running import is not affected. */
export const resetImport = (file?: File): void => {
  // Not the one that is shown: after another's import, the dialog would show the result of an earlier one from here.
  const before = ownImport.peek()
  if (file !== undefined) {
    chosen.value = file
    problem.value = ""
  } else if (before?.state === "done") chosen.value = null
  if (before?.state !== "running") startedJob.value = null
}

// Runs before the dialog renders, which may already be open when this module loads.
dialog.subscribe((now) => {
  if (now?.kind === "import") resetImport(now.file)
})

/** Why a file cannot be sent; undefined if it can. */
const problemWith = async (file: File): Promise<string | undefined> => {
  if (file.size > MAX_UPLOAD) return "The file is larger than 128 MiB. Import it on the command line."
  const readable = await file
    .slice(0, 1)
    .arrayBuffer()
    .catch(() => undefined)
  if (readable === undefined) return "The file cannot be read: it was moved or changed, or it is a folder."
  return readable.byteLength === 0 ? "The file is empty." : undefined
}

const fail = (why: string) => {
  problem.value = why
  if (dialog.peek()?.kind !== "import")
    tell(problem.value, { kind: "failed", action: { label: "Open", run: () => open({ kind: "import" }) } })
}

/** Sends the chosen file and follows its import job. */
export const importChosen = async (): Promise<void> => {
  const file = chosen.peek()
  if (file === null || sending.peek() !== null) return
  problem.value = ""
  const controller = new AbortController()
  const show = (sent: number) => {
    sending.value = { file, sent, stop: () => controller.abort() }
  }
  show(0)
  try {
    const why = await problemWith(file)
    if (why !== undefined) return fail(`Not imported. ${why}`)
    const choices: ImportChoices = {
      pages: readNow.peek() ? "now" : "later",
      shared: keepShared.peek() ? "keep" : "drop"
    }
    const job = await sendFile(file, choices, {
      onProgress: show,
      signal: controller.signal
    })
    storeJob(job)
    startedJob.value = job.id
  } catch (error) {
    if (!controller.signal.aborted) fail(`Not imported. ${reasonOf(error)}`)
  } finally {
    sending.value = null
  }
}
