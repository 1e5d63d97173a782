import { useId, useLayoutEffect, useRef } from "preact/hooks"
import { sizeText } from "../../../src/shared/Format.ts"
import type { Job } from "../api.ts"
import { keptBy, outcomeOf } from "../jobOutcome.ts"
import { close, dialog } from "../state/dialogs.ts"
import {
  chosen,
  importChosen,
  importing,
  keepShared,
  problem,
  readNow,
  resetImport,
  sending,
  sharedIn
} from "../state/imports.ts"
import { Button } from "./Button.tsx"
import { Dialog, focusOnMount } from "./Dialog.tsx"
import { CheckBox } from "./Fields.tsx"
import { ImportOutcome } from "./ImportOutcome.tsx"
import { JobProgress, UndoJob, useWholeJob } from "./JobParts.tsx"

/** The sources that most people come from; the documentation lists them all. */
const SOURCES =
  "bookmarks of any browser, Pocket, Raindrop, Karakeep, Linkwarden, Omnivore, Readeck, Instapaper, wallabag, linkding, Pinboard, Readwise, OneTab, feed readers, GitHub stars, X, Reddit, YouTube, Mastodon, Telegram Desktop"

/** The file field; a dropped file appears in it as if it had been chosen there. */
const FileField = ({ describedBy, wrong }: { readonly describedBy: string; readonly wrong: boolean }) => {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const file = chosen.value
  useLayoutEffect(() => {
    if (file === null || input.current === null || input.current.files?.[0] === file) return
    const transfer = new DataTransfer()
    transfer.items.add(file)
    input.current.files = transfer.files
  }, [file])
  return (
    <div class="field">
      <label for={id}>File</label>
      <input
        ref={input}
        id={id}
        class="input"
        type="file"
        aria-describedby={describedBy}
        aria-invalid={wrong}
        onChange={({ currentTarget }) => {
          chosen.value = currentTarget.files?.[0] ?? null
          problem.value = ""
        }}
      />
    </div>
  )
}

/** Asks whether to share the links that the file marks as shared; only if there are any. */
const SharedChoice = () => {
  const count = sharedIn.value
  if (count === 0) return null
  const one = count === 1
  return (
    <CheckBox
      checked={keepShared.value}
      onChange={(isKept) => {
        keepShared.value = isKept
      }}
      about={`Anyone can then see ${one ? "it" : "them"} on your public list. Otherwise ${one ? "it stays" : "they stay"} private.`}
    >
      Share {one ? "the link" : `the ${count.toLocaleString("en")} links`} that {one ? "is" : "are"} shared in
      this file
    </CheckBox>
  )
}

/** The form to choose a file and when to read its pages. After a failure it shows the reason, and the file stays chosen. */
const ImportForm = ({ failed }: { readonly failed: Job | undefined }) => {
  const id = useId()
  const start = useRef<HTMLButtonElement>(null)
  const file = chosen.value
  const dropped = dialog.value?.kind === "import" ? dialog.value.file : undefined
  const wrong =
    problem.value ||
    (failed === undefined ? "" : `${failed.error ?? "See the log for the reason."} ${keptBy(failed)}`)
  // After a drop or a failed upload, this button is the next step.
  useLayoutEffect(() => {
    if (chosen.peek() !== null) start.current?.focus()
  }, [dropped])
  return (
    <form
      class="import-form stack"
      onSubmit={(event) => {
        event.preventDefault()
        void importChosen()
      }}
    >
      <FileField describedBy={`${id}-hint ${id}-problem`} wrong={wrong !== ""} />
      <p id={`${id}-hint`} class="hint">
        {file === null
          ? `Supported: ${SOURCES}, and any table, JSON or text with addresses, zipped or not.`
          : sizeText(file.size)}
      </p>
      <p class="hint">
        Folders become collections; tags, notes and dates are kept. Links already in your library are merged.
      </p>
      <CheckBox
        checked={readNow.value}
        onChange={(isNow) => {
          readNow.value = isNow
        }}
        about="Adds summaries, pictures and full-text search. Runs in the background; you can pause it or start it later from “Jobs”."
      >
        Read the pages now
      </CheckBox>
      <SharedChoice />
      <p id={`${id}-problem`} class="problem" role="alert">
        {wrong}
      </p>
      <div class="row end">
        <Button onClick={close}>Cancel</Button>
        <Button
          ref={start}
          type="submit"
          kind="primary"
          disabled={file === null}
          {...(file === null ? {} : { "data-autofocus": true })}
        >
          Import
        </Button>
      </div>
    </form>
  )
}

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
      <div class="row end">
        <Button onClick={stop}>Stop</Button>
        <Button ref={focusOnMount} onClick={close}>
          Close
        </Button>
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
    <div class="row end">
      <Button ref={focusOnMount} onClick={close}>
        Close
      </Button>
    </div>
  </>
)

const Ended = ({ job }: { readonly job: Job }) => {
  const { live, problem: unknown, whole = job } = useWholeJob(job.id)
  return (
    <>
      <p class="problem">{unknown}</p>
      <ImportOutcome job={whole} />
      <p class="take-back hint">
        <UndoJob job={live ?? whole} kind="link-button" label="Undo" />
      </p>
      <div class="row end">
        <Button onClick={() => resetImport()}>Import another file</Button>
        <Button kind="primary" ref={focusOnMount} onClick={close}>
          Close
        </Button>
      </div>
    </>
  )
}

/** The phase to announce to screen readers; the changing numbers are not announced. */
const phaseOf = (job: Job | undefined): string => {
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

export const ImportDialog = () => {
  const job = importing.value
  return (
    <Dialog label="Import a file" class="import-dialog" onClose={close}>
      <h2>Import a file</h2>
      <p class="import-phase" role="status">
        {phaseOf(job)}
      </p>
      <Content job={job} />
    </Dialog>
  )
}
