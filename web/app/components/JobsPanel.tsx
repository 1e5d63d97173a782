import { useEffect, useRef, useState } from "preact/hooks"
import type { Job } from "../api.ts"
import { outcomeOf } from "../jobOutcome.ts"
import { hrefOfJob, isListed, nameOf, progressOf } from "../jobText.ts"
import { type Dialog, open } from "../state/dialogs.ts"
import { jobs, running } from "../state/jobs.ts"
import { navigate } from "../state/route.ts"
import { readingJob, start } from "../state/startJobs.ts"
import { Button } from "./Button.tsx"
import { JobProgress, PauseButton, ReadPages, UndoJob } from "./JobParts.tsx"
import { Age } from "./Times.tsx"

interface Props {
  readonly hide: () => void
}

const Row = ({ hide, job }: Props & { readonly job: Job }) => {
  const isRunning = job.state === "running"
  return (
    <li>
      <p class="job-row-head spread">
        <a href={hrefOfJob(job)} onClick={hide}>
          {nameOf(job)}
        </a>
        <Age of={job.startedAt} />
      </p>
      <p class="job-row-outcome spread hint" data-state={job.state}>
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

/** Minimum interval between progress announcements, in milliseconds. */
const ANNOUNCE_INTERVAL = 10_000

/** The text to announce, throttled. */
const useThrottled = (text: string): string => {
  const [said, setSaid] = useState("")
  const last = useRef(Number.NEGATIVE_INFINITY)
  useEffect(() => {
    if (text === "") return setSaid("")
    const wait = Math.max(0, last.current + ANNOUNCE_INTERVAL - performance.now())
    const timer = setTimeout(() => {
      last.current = performance.now()
      setSaid(text)
    }, wait)
    return () => clearTimeout(timer)
  }, [text])
  return said
}

/** Announces the progress of the first running job. */
export const JobsStatus = () => {
  const [first] = running.value
  const said = useThrottled(first === undefined ? "" : progressOf(first))
  return (
    <span class="visually-hidden" role="status">
      {said}
    </span>
  )
}

/** The first running job and the number of others, for the button of the menu. */
export const RunningJobs = () => {
  const [first, ...others] = running.value
  return first === undefined ? null : (
    <>
      <span class="jobs-now">
        <span class="jobs-text">{progressOf(first)}</span>
        <span class="jobs-bar" aria-hidden="true">
          <JobProgress job={first} />
        </span>
      </span>
      {others.length === 0 ? null : <span class="badge">+{others.length}</span>}
    </>
  )
}
