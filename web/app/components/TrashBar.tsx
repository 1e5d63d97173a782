import { useState } from "preact/hooks"
import { needsService } from "../state/connection.ts"
import { open } from "../state/dialogs.ts"
import { listing } from "../state/list.ts"
import { selectMatching } from "../state/matching.ts"
import { selectedIds } from "../state/selection.ts"

/** Says what the trash is, and empties it. */
export const TrashBar = () => {
  const [busy, setBusy] = useState(false)
  const empty = async () => {
    setBusy(true)
    await selectMatching()
    setBusy(false)
    const ids = selectedIds.peek()
    if (ids.length > 0) open({ kind: "deleteForever", ids })
  }
  return (
    <p class="trash-bar">
      <span class="hint">Links stay here for 30 days. Then they are deleted forever.</span>
      <button
        type="button"
        class="button"
        disabled={busy || (listing.value?.ids.length ?? 0) === 0}
        {...needsService()}
        onClick={() => void empty()}
      >
        Empty the trash…
      </button>
    </p>
  )
}
