import { useEffect, useState } from "preact/hooks"
import { ageOf, timeOf } from "../age.ts"
import { api, type Job } from "../api.ts"
import { outward } from "../href.ts"
import { isPreview, linkIn, movesOf, nameOf, outcomeOf } from "../jobText.ts"
import { open } from "../state/dialogs.ts"
import { jobs, start } from "../state/jobs.ts"
import { navigate } from "../state/place.ts"
import { takeBackAll } from "../state/takeBack.ts"
import { reasonOf } from "../state/toasts.ts"
import { JobProgress } from "./JobProgress.tsx"
import { MoveList } from "./MoveList.tsx"

/** Starts again what did not come to its end. */
const Again = ({ action, state }: Job) => {
  if (action === "refresh") return <p>The link’s own menu has “Read the page again”.</p>
  if (action === "reindex") return <p>It goes on by itself when the service is started the next time.</p>
  return (
    <>
      {state === "interrupted" ? (
        <p>
          What was done stays.{action === "recategorize" ? " Started again it goes on from there." : null}
        </p>
      ) : null}
      <p>
        <button
          type="button"
          class="button"
          onClick={() => {
            if (action !== "dupes") open({ kind: action })
            else void start({ action }).then((job) => job !== undefined && navigate("/dashboard/duplicates"))
          }}
        >
          Start again
        </button>
      </p>
    </>
  )
}

const Outcome = ({ job }: { readonly job: Job }) => {
  if (job.state !== "done") return <Again {...job} />
  const link = linkIn(job)
  switch (job.action) {
    case "organize":
      return <MoveList moves={movesOf(job)} preview={isPreview(job)} />
    case "dupes":
      return (
        <p>
          <a href="/dashboard/duplicates">Look at the duplicates</a>
        </p>
      )
    case "refresh":
      return link === undefined ? (
        <p>The link has been deleted since.</p>
      ) : (
        <p dir="auto">
          <a {...outward(link.url)}>{link.title}</a>
        </p>
      )
    case "recategorize":
    case "reindex":
      return (
        <p>
          <a href="/dashboard">Open the library</a>
        </p>
      )
  }
}

const Times = ({ endedAt, startedAt }: Job) => (
  <p class="hint">
    Started{" "}
    <time dateTime={startedAt} title={timeOf(startedAt)}>
      {ageOf(startedAt)}
    </time>
    {endedAt === null ? null : (
      <>
        , ended{" "}
        <time dateTime={endedAt} title={timeOf(endedAt)}>
          {ageOf(endedAt)}
        </time>
      </>
    )}
  </p>
)

interface ShownProps {
  readonly job: Job
  /** Whether all of its result is there. */
  readonly whole: boolean
}

const Shown = ({ job, whole }: ShownProps) => {
  const { undo } = job
  const isRunning = job.state === "running"
  return (
    <article class="job-page">
      <header>
        <h2>{nameOf(job)}</h2>
        <Times {...job} />
      </header>
      <p class="job-outcome" data-state={job.state}>
        {outcomeOf(job)}
        {undo === undefined || isRunning ? null : (
          <button type="button" class="button" onClick={() => void takeBackAll([undo])}>
            Undo all of it
          </button>
        )}
      </p>
      {isRunning ? <JobProgress job={job} /> : whole ? <Outcome job={job} /> : null}
    </article>
  )
}

const isSame = (one: Job, other: Job) => one.state === other.state && one.undo === other.undo

const Page = ({ id }: { readonly id: number }) => {
  const [told, setTold] = useState<Job | null>(null)
  const [problem, setProblem] = useState("")
  const live = jobs.value.find((job) => job.id === id)
  useEffect(() => {
    // What came of it is asked for at its end: the list of jobs holds counts alone.
    if (live?.state === "running" || (told !== null && live !== undefined && isSame(told, live))) return
    api.job(id).then(
      ({ job }) => {
        setTold(job)
        setProblem("")
      },
      (error: unknown) => setProblem(reasonOf(error))
    )
  }, [id, live?.state, live?.undo])
  const job = live?.state === "running" ? live : (told ?? live)
  if (job !== undefined && job !== null) return <Shown job={job} whole={job === told} />
  return problem === "" ? null : (
    <div class="notice">
      <h2>{problem}</h2>
      <p>
        <a class="button" href="/dashboard">
          Open the library
        </a>
      </p>
    </div>
  )
}

/** One job: how far it is, and what came of it. */
export const JobPage = ({ id }: { readonly id: number }) => <Page key={id} id={id} />
