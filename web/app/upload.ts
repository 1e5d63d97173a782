import { ApiError, type Job, refusal } from "./api.ts"

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
