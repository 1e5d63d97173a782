import type { Link } from "../api.ts"
import { refreshingLinks } from "../state/jobs.ts"
import { refreshLink } from "../state/startJobs.ts"
import { Button } from "./Button.tsx"
import { Icon } from "./Icon.tsx"

type Stage = Link["stages"][number]

const names: Readonly<Record<Stage["stage"], string>> = {
  page: "Page",
  repository: "Repository",
  model: "Summary and tags"
}

const outcomes: Readonly<Record<Stage["state"], string>> = {
  done: "read",
  waiting: "waiting",
  failed: "failed"
}

const outcomeOf = ({ from, stage, state }: Stage) => {
  if (from !== undefined) return "from your browser"
  return stage === "model" && state === "done" ? "written" : outcomes[state]
}

/** What became of each source of a link's description, and a button that asks them again if one failed. */
export const Stages = ({ link: { enrichment, id, stages } }: { readonly link: Link }) => {
  const busy = refreshingLinks.value.has(id)
  const isIncomplete = enrichment === "partial" || stages.some(({ state }) => state !== "done")
  if (stages.length === 0 && !isIncomplete) return null
  return (
    <section class="detail-section">
      <h3>What Linkbower read</h3>
      {stages.length === 0 ? <p class="hint">Its page or its summary is missing.</p> : null}
      <ul class="stages">
        {stages.map((one) => (
          <li key={one.stage} data-state={one.state}>
            <Icon name={one.state === "done" ? "check" : one.state === "waiting" ? "clock" : "close"} />
            <span>
              {names[one.stage]}: {outcomeOf(one)}
              {one.reason === null ? null : <span class="hint"> {one.reason}</span>}
            </span>
          </li>
        ))}
      </ul>
      {isIncomplete ? (
        <Button icon="refresh" busy={busy} needsService onClick={() => void refreshLink(id)}>
          {busy ? "Reading the page…" : "Try again"}
        </Button>
      ) : null}
    </section>
  )
}
