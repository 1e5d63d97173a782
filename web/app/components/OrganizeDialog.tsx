import { count } from "../../../src/shared/Format.ts"
import { close } from "../state/dialogs.ts"
import { meta } from "../state/meta.ts"
import { navigate } from "../state/route.ts"
import { start } from "../state/startJobs.ts"
import { Button } from "./Button.tsx"
import { FormDialog } from "./FormDialog.tsx"

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

const organize = async (dryRun: boolean) => {
  const job = await start({ action: "organize", dryRun })
  if (job === undefined) return false
  close()
  navigate(`/dashboard/jobs/${job.id}`)
  return false
}

/** Asks before filing the unfiled links, and offers a preview. */
export const OrganizeDialog = () => (
  <FormDialog
    title="Organize"
    confirm="Preview"
    focus="confirm"
    onSubmit={(by) => organize(by !== "all")}
    onClose={close}
    beside={
      <Button type="submit" value="all">
        Organize
      </Button>
    }
  >
    <Unfiled />
    <p>
      <b>Preview</b> lists the moves so that you can choose among them. <b>Organize</b> makes all of them at
      once.
    </p>
    <p class="hint">Links that you filed yourself stay in place, and everything can be undone at once.</p>
  </FormDialog>
)
