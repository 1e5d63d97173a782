import { useState } from "preact/hooks"
import { count } from "../../../src/shared/Format.ts"
import { close, dialog } from "../state/dialogs.ts"
import { start } from "../state/jobs.ts"
import { meta } from "../state/meta.ts"
import { navigate } from "../state/place.ts"
import { Dialog } from "./Dialog.tsx"

const Unfiled = () => {
  const unfiled = meta.value?.uncollected
  if (unfiled === undefined) return null
  if (unfiled === 0) return <p>Every link is in a collection: there is nothing to file.</p>
  return (
    <p>
      {unfiled === 1 ? "One link is" : `${count(unfiled, "link")} are`} in no collection. Each is filed where
      the links most like it are, if they are near enough. Links that belong together but have no collection
      yet get a new one.
    </p>
  )
}

const Question = () => {
  const [busy, setBusy] = useState(false)
  const organize = async (dryRun: boolean) => {
    setBusy(true)
    const job = await start({ action: "organize", dryRun })
    setBusy(false)
    if (job === undefined) return
    close()
    navigate(`/dashboard/jobs/${job.id}`)
  }
  return (
    <Dialog label="Organize" class="job-dialog" onClose={close}>
      <h2>Organize</h2>
      <Unfiled />
      <p class="hint">What you have filed yourself stays where it is, and all of it can be undone at once.</p>
      <div class="dialog-actions">
        <button type="button" class="button" onClick={close}>
          Cancel
        </button>
        <button
          type="button"
          class="button"
          data-autofocus
          disabled={busy}
          onClick={() => void organize(true)}
        >
          Preview
        </button>
        <button
          type="button"
          class="button"
          data-kind="primary"
          disabled={busy}
          onClick={() => void organize(false)}
        >
          Organize
        </button>
      </div>
    </Dialog>
  )
}

/** Asks before the unfiled links are filed, and offers to show first where they would go. */
export const OrganizeDialog = () => (dialog.value?.kind === "organize" ? <Question /> : null)
