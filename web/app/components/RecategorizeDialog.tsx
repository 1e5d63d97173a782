import { useState } from "preact/hooks"
import { close, dialog } from "../state/dialogs.ts"
import { jobs, start } from "../state/jobs.ts"
import { meta } from "../state/meta.ts"
import { Dialog } from "./Dialog.tsx"

/** Where the last one stopped, if it did not come to its end. */
const CutOff = () => {
  const last = jobs.value.find(({ action }) => action === "recategorize")
  return last === undefined || last.state === "done" || last.state === "running" || last.done === 0 ? null : (
    <p>
      The last one stopped at {last.done.toLocaleString("en")} of {last.total.toLocaleString("en")}. Asked for
      in the same way, this one goes on from there.
    </p>
  )
}

const Means = () => {
  const model = meta.value?.model
  if (model === undefined) return null
  return model.configured ? (
    <p>
      Every link’s category is found anew by the language model ({model.id}), from what is stored of it. No
      page is read again.
    </p>
  ) : (
    <p>
      No language model is set up (<code>ANTHROPIC_API_KEY</code>), so each link gets the category that most
      of the links like it have. With a model the categories are better.
    </p>
  )
}

const Question = () => {
  const [all, setAll] = useState(false)
  const [busy, setBusy] = useState(false)
  const recategorize = async () => {
    setBusy(true)
    const job = await start({ action: "recategorize", all })
    setBusy(false)
    if (job !== undefined) close()
  }
  return (
    <Dialog label="Recategorize" class="job-dialog" onClose={close}>
      <h2>Recategorize</h2>
      <Means />
      <CutOff />
      <label class="job-choice">
        <input type="checkbox" checked={all} onChange={(event) => setAll(event.currentTarget.checked)} />
        Also categories I set by hand
      </label>
      <p class="hint">You can go on working meanwhile, and undo all of it at once.</p>
      <div class="dialog-actions">
        <button type="button" class="button" onClick={close}>
          Cancel
        </button>
        <button
          type="button"
          class="button"
          data-kind="primary"
          data-autofocus
          disabled={busy}
          onClick={() => void recategorize()}
        >
          Recategorize
        </button>
      </div>
    </Dialog>
  )
}

/** Asks before every link's category is found anew. */
export const RecategorizeDialog = () => (dialog.value?.kind === "recategorize" ? <Question /> : null)
