import { useState } from "preact/hooks"
import { count } from "../../../src/shared/Format.ts"
import { close, dialog } from "../state/dialogs.ts"
import { meta } from "../state/meta.ts"
import { navigate } from "../state/route.ts"
import { start } from "../state/startJobs.ts"
import { Dialog } from "./Dialog.tsx"

const Unfiled = () => {
  const unfiled = meta.value?.uncollected
  if (unfiled === undefined) return null
  if (unfiled === 0) return <p>Every link is already in a collection.</p>
  return (
    <p>
      {unfiled === 1 ? "One link is" : `${count(unfiled, "link")} are`} in no collection. Each is filed with
      the most similar links, if they are similar enough. Groups of similar links without a collection get a
      new one.
    </p>
  )
}

const Content = () => {
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
    <Dialog label="Organize" onClose={close}>
      <h2>Organize</h2>
      <Unfiled />
      <p>
        <b>Preview</b> lists the moves so that you can choose among them. <b>Organize</b> makes all of them at
        once.
      </p>
      <p class="hint">Links that you filed yourself stay in place, and everything can be undone at once.</p>
      <div class="row end">
        <button type="button" class="button" onClick={close}>
          Cancel
        </button>
        <button type="button" class="button" disabled={busy} onClick={() => void organize(false)}>
          Organize
        </button>
        <button
          type="button"
          class="button"
          data-kind="primary"
          data-autofocus
          disabled={busy}
          onClick={() => void organize(true)}
        >
          Preview
        </button>
      </div>
    </Dialog>
  )
}

/** Asks before filing the unfiled links, and offers a preview. */
export const OrganizeDialog = () => (dialog.value?.kind === "organize" ? <Content /> : null)
