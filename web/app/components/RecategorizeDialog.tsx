import { useState } from "preact/hooks"
import { close, dialog } from "../state/dialogs.ts"
import { jobs, start } from "../state/jobs.ts"
import { meta } from "../state/meta.ts"
import { Dialog } from "./Dialog.tsx"

/** Where the last run stopped, if it did not finish. */
const LastRun = () => {
  const last = jobs.value.find(({ action }) => action === "recategorize")
  return last === undefined || last.state === "done" || last.state === "running" || last.done === 0 ? null : (
    <p>
      The last run stopped at {last.done.toLocaleString("en")} of {last.total.toLocaleString("en")}. With the
      same choice below, this run continues from there.
    </p>
  )
}

const Method = () => {
  const model = meta.value?.model
  if (model === undefined) return null
  return model.configured ? (
    <p>
      The language model ({model.id}) chooses every link’s category again, from its stored title, description,
      summary, tags and page text. No page is fetched.
    </p>
  ) : (
    <p>
      No language model is set up (<code>ANTHROPIC_API_KEY</code>), so each link gets the most common category
      of the most similar links. A language model chooses better.
    </p>
  )
}

const Content = () => {
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
      <Method />
      <LastRun />
      <label class="job-choice">
        <input type="checkbox" checked={all} onChange={(event) => setAll(event.currentTarget.checked)} />
        Include categories I set by hand
      </label>
      <p class="hint">
        You can keep working in the meantime. Undo reverses the whole run, and restores your own categories as
        yours.
      </p>
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

/** Asks before all categories are chosen again, and whether to include those set by hand. */
export const RecategorizeDialog = () => (dialog.value?.kind === "recategorize" ? <Content /> : null)
