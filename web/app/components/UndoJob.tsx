import type { Job } from "../api.ts"
import { nameOf } from "../jobText.ts"
import { undoJob } from "../state/history.ts"
import { takeBack, takingBack } from "../state/takeBack.ts"
import { Button } from "./Button.tsx"

interface Props {
  readonly job: Job
  /** The class of the button. */
  readonly kind: "button" | "link-button"
  /** What it says for any job but an import. */
  readonly label: string
}

/** Undoes everything that a job has changed, if that is possible; takes an import back, which it asks about first. */
export const UndoJob = ({ job, kind, label }: Props) => {
  const { action, id, state, undo } = job
  if (takingBack.value.has(id)) return <span class="hint">Taking back…</span>
  if (undo === undefined || state === "running") return null
  return action === "import" ? (
    <Button class={kind} needsService onClick={() => takeBack(job)}>
      Take back…
    </Button>
  ) : (
    <Button class={kind} needsService onClick={() => void undoJob(nameOf(job), undo)}>
      {label}
    </Button>
  )
}
