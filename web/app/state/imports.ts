import { ApiError, type Job, refusal } from "../api.ts"
import { computed, signal } from "@preact/signals"
import { MAX_UPLOAD } from "../../../src/shared/Limits.ts"
import { dialog, open } from "./dialogs.ts"
import { jobs, running, takeJob } from "./jobs.ts"
import { reasonOf, tell } from "./toasts.ts"

interface Options {
  /** Told how many bytes have been sent. */
  readonly onProgress: (sent: number) => void
  readonly signal: AbortSignal
}

const answerOf = async (request: XMLHttpRequest): Promise<Job> => {
  const { responseText, status } = request
  if (status === 0) throw new ApiError(0, "unreachable", "The library cannot be reached.")
  const type = request.getResponseHeader("content-type") ?? ""
  const response = new Response(responseText, { status, headers: { "content-type": type } })
  if (!response.ok) throw await refusal(response)
  const { job }: { readonly job: Job } = await response.json()
  return job
}

/** How a file is imported: when its pages are read, and whether links it marks as shared are shared here. */
export interface ImportChoices {
  readonly pages: "now" | "later"
  readonly shared: "keep" | "drop"
}

/** Sends a file to be imported; the job that does so. Rejects with an `ApiError`, or as the signal says. */
export const sendFile = async (file: File, choices: ImportChoices, { onProgress, signal }: Options) => {
  signal.throwIfAborted()
  // `fetch` tells nothing of how far a body has been sent.
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
  return answerOf(request)
}

interface Sending {
  readonly file: File
  /** In bytes. */
  readonly sent: number
  readonly stop: () => void
}

/** The file to be imported. It stays chosen where that fails. */
export const chosen = signal<File | null>(null)

/** Whether the pages of its links are read as soon as they are there. */
export const readNow = signal(true)

/** How many links the chosen file marks as shared: 0 until that is known, and where another program wrote the file. */
export const sharedIn = signal(0)

/** Whether those are shared here too. */
export const keepShared = signal(false)

/** As an export writes it; within a text of a link the quotation marks are escaped. */
const SHARED = /[{,]"shareable":true/g
const MARK_LENGTH = ',"shareable":true'.length
const OWN = '{"format":"linkbower"'

/** Counts the links that Linkbower's own export marks as shared, a piece at a time. */
const countShared = async (file: File): Promise<number> => {
  if ((await file.slice(0, OWN.length).text()) !== OWN) return 0
  let count = 0
  let rest = ""
  const reader = file.stream().pipeThrough(new TextDecoderStream()).getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return count
    const text = rest + value
    count += text.match(SHARED)?.length ?? 0
    // May begin a mark that the next piece ends; too short to hold one that was counted.
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
    // Sending it says what is wrong with it.
    () => {}
  )
})

/** The file on its way to the service. */
export const sending = signal<Sending | null>(null)

/** Why the chosen file was not taken; empty where nothing is wrong. */
export const problem = signal("")

const followed = signal<number | null>(null)

const isImport = ({ action }: { readonly action: string }) => action === "import"

/** The import that is looked at: the one that was begun here while it runs or waits, else another that runs. */
export const importing = computed(() => {
  const own = jobs.value.find(({ id }) => id === followed.value)
  return own?.state === "running" ? own : (running.value.find(isImport) ?? own)
})

/** Begins anew, with another file if one is given; what runs is not touched. */
export const begin = (file?: File): void => {
  const before = importing.peek()
  if (file !== undefined) {
    chosen.value = file
    problem.value = ""
  } else if (before?.state === "done") chosen.value = null
  if (before?.state !== "running") followed.value = null
}

// Before the dialog is drawn, which may be open by the time this is loaded.
dialog.subscribe((now) => {
  if (now?.kind === "import") begin(now.file)
})

/** Why this file cannot be sent; undefined where it can. */
const whyNot = async (file: File): Promise<string | undefined> => {
  if (file.size > MAX_UPLOAD) return "The file is larger than 128 MiB: import it on the command line."
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

/** Sends the chosen file and follows what comes of it. */
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
    const why = await whyNot(file)
    if (why !== undefined) return fail(`Not imported. ${why}`)
    const choices: ImportChoices = {
      pages: readNow.peek() ? "now" : "later",
      shared: keepShared.peek() ? "keep" : "drop"
    }
    const job = await sendFile(file, choices, {
      onProgress: show,
      signal: controller.signal
    })
    takeJob(job)
    followed.value = job.id
  } catch (error) {
    if (!controller.signal.aborted) fail(`Not imported. ${reasonOf(error)}`)
  } finally {
    sending.value = null
  }
}
