import type { Job } from "../api.ts"
import { externalLink } from "../externalLink.ts"
import { keptBy, linkIn, moveCountOf, movesOf, outcomeOf } from "../jobOutcome.ts"
import { isPreview, nameOf } from "../jobText.ts"
import { open } from "../state/dialogs.ts"
import { navigate, route } from "../state/route.ts"
import { start } from "../state/startJobs.ts"
import { Button } from "./Button.tsx"
import { ImportOutcome } from "./ImportOutcome.tsx"
import { JobProgress, PauseButton, ReadPages, UndoJob, useWholeJob } from "./JobParts.tsx"
import { MoveList } from "./MoveList.tsx"
import { Notice } from "./Notice.tsx"
import { Age } from "./Times.tsx"
import { ViewHeader } from "./ViewHeader.tsx"

const Restart = (job: Job) => {
  const { action, state } = job
  if (action === "refresh") return <p>The link’s own menu has “Read the page again”.</p>
  if (action === "reindex" || (action === "import" && state === "interrupted"))
    return <p>It continues when the service starts again.</p>
  if (action === "read") return <ReadPages />
  if (action === "check" || action === "undo") return null
  return (
    <>
      {action === "import" ? <p>{keptBy(job)}</p> : null}
      {state === "interrupted" ? (
        <p>
          Completed changes are kept.
          {action === "recategorize" ? " Starting it again continues from there." : null}
        </p>
      ) : null}
      <p>
        <Button
          onClick={() => {
            if (action === "retry" || action === "keep") void start({ action })
            else if (action !== "dupes") open({ kind: action })
            else void start({ action }).then((job) => job !== undefined && navigate("/dashboard/duplicates"))
          }}
        >
          {action === "import" ? "Import a file…" : "Start again"}
        </Button>
      </p>
    </>
  )
}

const Outcome = ({ job }: { readonly job: Job }) => {
  if (job.state !== "done") return <Restart {...job} />
  const link = linkIn(job)
  switch (job.action) {
    case "organize":
      return <MoveList key={job.id} moves={movesOf(job)} total={moveCountOf(job)} preview={isPreview(job)} />
    case "dupes":
      return (
        <p>
          <a href="/dashboard/duplicates">Show the duplicates</a>
        </p>
      )
    case "refresh":
      if (job.result !== null && "tried" in job.result) return null
      return link === undefined ? (
        <p>The link was deleted in the meantime.</p>
      ) : (
        <p dir="auto">
          <a {...externalLink(link.url)}>{link.title}</a>
        </p>
      )
    case "import":
      return <ImportOutcome job={job} />
    case "recategorize":
    case "reindex":
    case "read":
    case "keep":
    case "undo":
      return (
        <p>
          <a href="/dashboard">Open the library</a>
        </p>
      )
  }
}

const Times = ({ endedAt, startedAt }: Job) => (
  <p class="hint">
    Started <Age of={startedAt} />
    {endedAt === null ? null : (
      <>
        , ended <Age of={endedAt} />
      </>
    )}
  </p>
)

interface ShownProps {
  readonly job: Job
  /** Whether its complete result is loaded. */
  readonly isWhole: boolean
}

const Shown = ({ isWhole, job }: ShownProps) => {
  const isRunning = job.state === "running"
  return (
    <article class="page stack">
      <ViewHeader icon="clock" name={nameOf(job)}>
        <Times {...job} />
      </ViewHeader>
      <p class="job-outcome row" data-state={job.state}>
        {outcomeOf(job)}
        <PauseButton job={job} />
        <UndoJob job={job} kind="button" label="Undo everything" />
      </p>
      {isRunning ? <JobProgress job={job} /> : isWhole ? <Outcome job={job} /> : null}
    </article>
  )
}

const Page = ({ id }: { readonly id: number }) => {
  const { live, problem, whole } = useWholeJob(id)
  const job = whole ?? live
  if (job !== undefined) return <Shown job={job} isWhole={job === whole} />
  return problem === "" ? null : (
    <Notice
      heading="h1"
      title={problem}
      actions={
        <a class="button" href="/dashboard">
          Open the library
        </a>
      }
    />
  )
}

export const JobPage = () => {
  const now = route.value
  return now.page === "job" ? <Page key={now.id} id={now.id} /> : null
}
