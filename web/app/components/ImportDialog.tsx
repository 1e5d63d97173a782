import { sizeText } from "../../../src/shared/Format.ts"
import type { Job } from "../api.ts"
import { outcomeOf } from "../jobText.ts"
import { close, dialog } from "../state/dialogs.ts"
import { begin, importing, problem, sending } from "../state/imports.ts"
import { Dialog } from "./Dialog.tsx"
import { ImportForm } from "./ImportForm.tsx"
import { ImportOutcome } from "./ImportOutcome.tsx"
import { JobProgress } from "./JobProgress.tsx"
import { useWholeJob } from "./useWholeJob.ts"

const focus = (button: HTMLElement | null) => button?.focus()

const Sending = () => {
  const now = sending.value
  if (now === null) return null
  const { file, sent, stop } = now
  return (
    <>
      <p class="import-figures" dir="auto">
        {file.name}: {sizeText(Math.min(sent, file.size))} of {sizeText(file.size)}
      </p>
      <progress aria-label={`Sending ${file.name}`} max={file.size} value={Math.min(sent, file.size)} />
      <div class="dialog-actions">
        <button type="button" class="button" onClick={stop}>
          Stop
        </button>
        <button type="button" class="button" ref={focus} onClick={close}>
          Close
        </button>
      </div>
    </>
  )
}

const Running = ({ job }: { readonly job: Job }) => (
  <>
    <p class="import-figures">
      {job.total > 1 || job.waiting !== null ? outcomeOf(job) : "Reading the file…"}
    </p>
    <JobProgress job={job} />
    <p class="problem">{problem}</p>
    <p class="hint">You can close this dialog: “Jobs” shows the progress and then the result.</p>
    <div class="dialog-actions">
      <button type="button" class="button" ref={focus} onClick={close}>
        Close
      </button>
    </div>
  </>
)

const Ended = ({ job }: { readonly job: Job }) => {
  const { problem: unknown, whole = job } = useWholeJob(job.id)
  return (
    <>
      <p class="problem">{unknown}</p>
      <ImportOutcome job={whole} />
      <div class="dialog-actions">
        <button type="button" class="button" onClick={() => begin()}>
          Import another file
        </button>
        <button type="button" class="button" data-kind="primary" ref={focus} onClick={close}>
          Close
        </button>
      </div>
    </>
  )
}

/** What is said of it as it changes; the figures are for who looks. */
const phase = (job: Job | undefined): string => {
  if (sending.value !== null) return "Sending the file"
  if (job?.state === "running") return "The file is being imported"
  return job === undefined || job.state === "failed" ? "" : outcomeOf(job)
}

const Content = ({ job }: { readonly job: Job | undefined }) => {
  if (sending.value !== null) return <Sending />
  if (job?.state === "running") return <Running job={job} />
  if (job === undefined || job.state === "failed") return <ImportForm failed={job} />
  return <Ended key={job.id} job={job} />
}

const Import = () => {
  const job = importing.value
  return (
    <Dialog label="Import a file" class="job-dialog import-dialog" onClose={close}>
      <h2>Import a file</h2>
      <p class="import-phase" role="status">
        {phase(job)}
      </p>
      <Content job={job} />
    </Dialog>
  )
}

/** Takes in a file of bookmarks: chosen here or dropped on the page, sent, followed, and what came of it. */
export const ImportDialog = () => (dialog.value?.kind === "import" ? <Import /> : null)
