/** @jsxImportSource preact */
import { useState } from "preact/hooks"
import { count } from "../../src/shared/Format.ts"
import { warningText } from "../../src/shared/ImportWarnings.ts"
import { MAX_UPLOAD } from "../../src/shared/Limits.ts"
import type { Job } from "../app/api.ts"
import { outcomeOf } from "../app/jobOutcome.ts"
import { ask } from "./ask.ts"
import { Form, Outcome, Submit } from "./Form.tsx"
import { useTask } from "./useTask.ts"

interface ImportStepProps {
  /** The number of links in the library. */
  readonly links: number
  readonly onDone: () => Promise<void>
}

/** How often the progress is asked for, in milliseconds. */
const INTERVAL = 700

interface Answer {
  readonly job: Job
}

/** The result of an import, with what was not kept as in the file. */
const resultText = (job: Job): string =>
  [outcomeOf(job), ...(job.action === "import" ? (job.result?.warnings ?? []) : []).map(warningText)].join(
    " "
  )

/** Imports a file of links, and follows its progress. */
export const ImportStep = ({ links, onDone }: ImportStepProps) => {
  const task = useTask()
  const [file, setFile] = useState<File | null>(null)
  const [job, setJob] = useState<Job | null>(null)
  const submit = () => {
    if (file === null) return task.refuse("Choose a file.")
    if (file.size === 0) return task.refuse("The file is empty.")
    if (file.size > MAX_UPLOAD)
      return task.refuse("The file is larger than 128 MiB. Import it on the command line.")
    task.run(async (options) => {
      const params = new URLSearchParams({ name: file.name, pages: "now", shared: "drop" })
      let { job: now } = await ask<Answer>("POST", `/dashboard/api/import?${params}`, {
        ...options,
        body: file
      })
      while (now.state === "running" || now.state === "interrupted") {
        setJob(now)
        await new Promise((resolve) => setTimeout(resolve, INTERVAL))
        now = (await ask<Answer>("GET", `/dashboard/api/jobs/${now.id}`, options)).job
      }
      setJob(now)
      await onDone()
      if (now.state !== "done") throw new Error(now.error ?? "The import was stopped.")
    })
  }
  return (
    <>
      <p>
        Bring your bookmarks: a file from a browser, Pocket, Raindrop, Karakeep, linkding and others.
        {links > 0 ? ` The library has ${count(links, "link")}.` : ""}
      </p>
      <Form label="Import" task={task} onSubmit={submit}>
        <div class="field">
          <label for="import-file">File</label>
          <input
            id="import-file"
            class="input"
            type="file"
            aria-describedby="import-outcome"
            onChange={({ currentTarget }) => setFile(currentTarget.files?.[0] ?? null)}
          />
        </div>
        <Submit task={task} isPrimary={links === 0}>
          Import
        </Submit>
        {job?.state === "running" ? (
          <progress max={Math.max(job.total, 1)} value={job.done} aria-label="Import" />
        ) : null}
        <Outcome id="import-outcome" task={task} hint={job?.state === "done" ? resultText(job) : undefined} />
      </Form>
    </>
  )
}
