import { useEffect, useState } from "preact/hooks"
import { count } from "../../../src/shared/Format.ts"
import { api, type RecategorizeEstimate } from "../api.ts"
import { close } from "../state/dialogs.ts"
import { jobs } from "../state/jobs.ts"
import { meta } from "../state/meta.ts"
import { start } from "../state/startJobs.ts"
import { reasonOf } from "../state/toasts.ts"
import { CheckBox } from "./Fields.tsx"
import { FormDialog } from "./FormDialog.tsx"

/** What the run would do, or why that is unknown; null until the service has answered. */
type Estimate = RecategorizeEstimate | { readonly problem: string } | null

const useEstimate = (all: boolean, otherModel: boolean): Estimate => {
  const [estimate, setEstimate] = useState<Estimate>(null)
  useEffect(() => {
    const request = new AbortController()
    setEstimate(null)
    api.estimateRecategorize(all, otherModel, request.signal).then(setEstimate, (error: unknown) => {
      if (!request.signal.aborted) setEstimate({ problem: reasonOf(error) })
    })
    return () => request.abort()
  }, [all, otherModel])
  return estimate
}

/** Where the last run stopped, which this run continues. */
const LastRun = () => {
  const last = jobs.value.find(({ action }) => action === "recategorize")
  return (
    <p>
      The last run stopped{" "}
      {last === undefined
        ? "early"
        : `at ${last.done.toLocaleString("en")} of ${last.total.toLocaleString("en")}`}
      . This run continues from there.
    </p>
  )
}

interface WorkProps {
  readonly estimate: Estimate
  readonly otherModel: boolean
}

const Work = ({ estimate, otherModel }: WorkProps) => {
  if (estimate === null) return <p>Counting the links…</p>
  if ("problem" in estimate) return <p class="problem">The links could not be counted. {estimate.problem}</p>
  const { links, requests, resumes } = estimate
  if (links === 0)
    return (
      <p>
        {meta.value?.total === 0
          ? "The library is empty."
          : otherModel
            ? "There is nothing to do: no summary is by another model, or you have set all those categories yourself."
            : "There is nothing to do: you have set the category of every link yourself."}
      </p>
    )
  return (
    <>
      {requests === 0 ? (
        <p>
          No language model is set up (<code>ANTHROPIC_API_KEY</code> or <code>MODEL_URL</code>).{" "}
          {count(links, "link")} would each get the most common category of the most similar links. A language
          model chooses better.
        </p>
      ) : (
        <p>
          The language model ({meta.value?.model.id}) chooses the category of <b>{count(links, "link")}</b>{" "}
          again, in about <b>{count(requests, "request")}</b>. It is sent the stored title, description,
          summary, tags and part of the page text. No page is fetched.
        </p>
      )}
      {resumes ? <LastRun /> : null}
    </>
  )
}

/** Says how much recategorizing would do before it starts, and asks whether to include categories set by hand. */
export const RecategorizeDialog = () => {
  const [all, setAll] = useState(false)
  const [otherModel, setOtherModel] = useState(false)
  const estimate = useEstimate(all, otherModel)
  const ofOthers = useEstimate(all, true)
  const isEmpty = estimate !== null && "links" in estimate && estimate.links === 0
  return (
    <FormDialog
      title="Recategorize"
      confirm="Recategorize"
      isReady={!isEmpty}
      focus="confirm"
      onSubmit={async () => (await start({ action: "recategorize", all, otherModel })) !== undefined}
      onClose={close}
    >
      <div class="stack" role="status">
        <Work estimate={estimate} otherModel={otherModel} />
      </div>
      <CheckBox checked={all} onChange={setAll}>
        Include categories I set by hand
      </CheckBox>
      <CheckBox checked={otherModel} onChange={setOtherModel}>
        Only links summarized by another model
        {ofOthers !== null && "links" in ofOthers ? ` (${ofOthers.links.toLocaleString("en")})` : ""}
      </CheckBox>
      <p class="hint">
        You can keep working in the meantime. Undo reverses the whole run, and restores your own categories as
        yours.
      </p>
    </FormDialog>
  )
}
