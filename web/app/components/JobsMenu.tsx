import { useEffect, useRef, useState } from "preact/hooks"
import { ageOf, timeOf } from "../age.ts"
import type { Job } from "../api.ts"
import { hrefOfJob, nameOf, outcomeOf, progressOf } from "../jobText.ts"
import { type Dialog, open } from "../state/dialogs.ts"
import { ended, jobs, running, start } from "../state/jobs.ts"
import { navigate, place } from "../state/place.ts"
import { takeBackAll } from "../state/takeBack.ts"
import { tell } from "../state/toasts.ts"
import { Icon } from "./Icon.tsx"
import { JobProgress } from "./JobProgress.tsx"

/** Progress is said no more often than this, in milliseconds. */
const SAY = 10_000

/** The text as it is to be said: as it stands, but not at every change. */
const useSaid = (text: string): string => {
  const [said, setSaid] = useState("")
  const last = useRef(Number.NEGATIVE_INFINITY)
  useEffect(() => {
    if (text === "") return setSaid("")
    const wait = Math.max(0, last.current + SAY - performance.now())
    const timer = setTimeout(() => {
      last.current = performance.now()
      setSaid(text)
    }, wait)
    return () => clearTimeout(timer)
  }, [text])
  return said
}

const isLookedAt = (job: Job) => {
  const now = place.peek()
  return now.page === "job" ? now.id === job.id : now.page === "duplicates" && job.action === "dupes"
}

/** Says that a job has ended, unless its page says so. */
const sayEnd = (job: Job) => {
  // The link itself shows that it was looked at again, and nobody has asked for the index.
  if (job.state === "done" && (job.action === "refresh" || job.action === "reindex")) return
  if (!isLookedAt(job))
    tell(`${nameOf(job)}: ${outcomeOf(job)}`, {
      kind: job.state === "done" ? "done" : "failed",
      action: { label: "Open", run: () => navigate(hrefOfJob(job)) }
    })
}

const JobRow = ({ hide, job }: { readonly job: Job; readonly hide: () => void }) => {
  const { undo } = job
  return (
    <li class="job-row">
      <p class="job-row-head">
        <a href={hrefOfJob(job)} onClick={hide}>
          {nameOf(job)}
        </a>
        <time dateTime={job.startedAt} title={timeOf(job.startedAt)}>
          {ageOf(job.startedAt)}
        </time>
      </p>
      <p class="job-row-outcome" data-state={job.state}>
        <span>{outcomeOf(job)}</span>
        {undo === undefined || job.state === "running" ? null : (
          <button type="button" class="link-button" onClick={() => void takeBackAll([undo])}>
            Undo
          </button>
        )}
      </p>
      {job.state === "running" ? <JobProgress job={job} /> : null}
    </li>
  )
}

const Starters = ({ hide }: { readonly hide: () => void }) => {
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
      <button type="button" class="button" onClick={() => ask({ kind: "organize" })}>
        Organize…
      </button>
      <button type="button" class="button" onClick={() => ask({ kind: "recategorize" })}>
        Recategorize…
      </button>
      <button type="button" class="button" onClick={() => void findDuplicates()}>
        Find duplicates
      </button>
    </div>
  )
}

/** What runs in the library and what came of the last jobs, behind a button that shows how far the first one is. */
export const JobsMenu = () => {
  const menu = useRef<HTMLDivElement>(null)
  const [first, ...others] = running.value
  const text = first === undefined ? "" : progressOf(first)
  const said = useSaid(text)
  const [, draw] = useState(0)
  useEffect(() => {
    const before = ended.peek()
    return ended.subscribe((job) => {
      if (job !== null && job !== before) sayEnd(job)
    })
  }, [])
  const hide = () => menu.current?.hidePopover()
  return (
    <div class="jobs">
      <button
        type="button"
        class="button jobs-button"
        data-kind="quiet"
        popovertarget="jobs-menu"
        title="Jobs"
      >
        {first === undefined ? (
          <>
            <Icon name="clock" />
            <span class="jobs-text">Jobs</span>
          </>
        ) : (
          <>
            <span class="jobs-now">
              <span class="jobs-text">{text}</span>
              <span class="jobs-bar" aria-hidden="true">
                <JobProgress job={first} />
              </span>
            </span>
            {others.length === 0 ? null : <span class="badge">+{others.length}</span>}
          </>
        )}
      </button>
      <span class="visually-hidden" role="status">
        {said}
      </span>
      <div
        ref={menu}
        id="jobs-menu"
        class="jobs-menu"
        popover="auto"
        role="dialog"
        aria-label="Jobs"
        // How long ago things were is told as of when somebody looks.
        onToggle={() => draw((n) => n + 1)}
      >
        <Starters hide={hide} />
        {jobs.value.length === 0 ? (
          <p class="hint">Nothing has run yet.</p>
        ) : (
          <ul class="job-rows">
            {jobs.value.map((job) => (
              <JobRow key={job.id} job={job} hide={hide} />
            ))}
          </ul>
        )}
      </div>
    </div>
  )
}
