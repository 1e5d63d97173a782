import type { Job } from "../api.ts"
import { outcomeOf } from "../jobOutcome.ts"
import { hrefOfJob, isListed, nameOf } from "../jobText.ts"
import { type Dialog, open } from "../state/dialogs.ts"
import { jobs } from "../state/jobs.ts"
import { navigate } from "../state/route.ts"
import { readingJob, start } from "../state/startJobs.ts"
import { Button } from "./Button.tsx"
import { JobProgress, PauseButton, ReadPages, UndoJob } from "./JobParts.tsx"
import { Age } from "./Times.tsx"

interface Props {
  /** Hides the menu. */
  readonly hide: () => void
}

const Row = ({ hide, job }: Props & { readonly job: Job }) => {
  const isRunning = job.state === "running"
  return (
    <li>
      <p class="job-row-head">
        <a href={hrefOfJob(job)} onClick={hide}>
          {nameOf(job)}
        </a>
        <Age of={job.startedAt} />
      </p>
      <p class="job-row-outcome" data-state={job.state}>
        <span>{outcomeOf(job)}</span>
        <PauseButton job={job} />
        <UndoJob job={job} kind="link-button" label="Undo" />
      </p>
      {isRunning ? <JobProgress job={job} /> : null}
    </li>
  )
}

const Starters = ({ hide }: Props) => {
  const ask = (dialog: Dialog) => {
    hide()
    open(dialog)
  }
  const findDuplicates = async () => {
    hide()
    if ((await start({ action: "dupes" })) !== undefined) navigate("/dashboard/duplicates")
  }
  return (
    <div class="job-starters">
      <Button needsService onClick={() => ask({ kind: "organize" })}>
        Organize…
      </Button>
      <Button needsService onClick={() => ask({ kind: "recategorize" })}>
        Recategorize…
      </Button>
      <Button needsService onClick={() => void findDuplicates()}>
        Find duplicates
      </Button>
      <Button needsService onClick={() => ask({ kind: "import" })}>
        Import…
      </Button>
    </div>
  )
}

/** The contents of the jobs menu: actions, running jobs and recent results. */
export const JobsPanel = ({ hide }: Props) => {
  const shown = jobs.value.filter(isListed)
  return (
    <>
      <Starters hide={hide} />
      {readingJob.value === undefined ? <ReadPages /> : null}
      {shown.length === 0 ? (
        <p class="hint">Nothing has run yet.</p>
      ) : (
        <ul class="divided">
          {shown.map((job) => (
            <Row key={job.id} job={job} hide={hide} />
          ))}
        </ul>
      )}
    </>
  )
}
