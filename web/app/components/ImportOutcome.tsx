import { count } from "../../../src/shared/Format.ts"
import { warningText } from "../../../src/shared/ImportWarnings.ts"
import type { ImportResult, Job } from "../api.ts"
import { placeText, rejectsText } from "../importText.ts"
import { importIn } from "../jobOutcome.ts"
import { hrefOf } from "../state/route.ts"
import { Button } from "./Button.tsx"
import { CopyButton } from "./Command.tsx"
import { ReadPages } from "./JobParts.tsx"

const saveText = (name: string, text: string) => {
  const anchor = document.createElement("a")
  anchor.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }))
  anchor.download = name
  anchor.click()
  // The browser has started the download by the next turn.
  setTimeout(() => URL.revokeObjectURL(anchor.href))
}

const Rejects = ({ result }: { readonly result: ImportResult }) => {
  const { rejected, rejects } = result
  if (rejected === 0) return null
  return (
    <details class="fold" open>
      <summary>{count(rejected, "entry was", "entries were")} rejected</summary>
      {rejects.length < rejected ? (
        <p class="hint">The first {rejects.length.toLocaleString("en")} of them:</p>
      ) : null}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling element must be reachable by keyboard. */}
      <ul class="rejects-list" tabIndex={0} aria-label="Rejected">
        {rejects.map(({ place, reason }, at) => (
          <li key={at}>
            <b>{placeText(place, result)}</b> <span dir="auto">{reason}</span>
          </li>
        ))}
      </ul>
      <p class="row">
        <CopyButton text={rejectsText(result)} label="Copy the list" />
        <Button icon="download" kind="quiet" onClick={() => saveText("rejected.txt", rejectsText(result))}>
          Save as text
        </Button>
      </p>
    </details>
  )
}

/** The details of an import's result: the detected format, how many of its links are public, what was not kept as in the file, and the rejected entries with
 * their reasons. */
export const ImportOutcome = ({ job }: { readonly job: Job }) => {
  const result = importIn(job)
  return (
    <>
      {result === undefined ? null : (
        <>
          <p class="hint">
            Read as “{result.format}”, {count(result.found, "entry", "entries")}.
          </p>
          {result.shared > 0 ? (
            <p class="hint">
              {count(result.shared, "link")} of the file {result.shared === 1 ? "is" : "are"} on the public
              list: <a href={hrefOf({ q: "is:shared" })}>what you share</a>.
            </p>
          ) : null}
          {result.warnings.length === 0 ? null : (
            <ul class="stack hint prewrap" aria-label="Not kept as in the file">
              {result.warnings.map((warning) => (
                <li key={warning.kind} dir="auto">
                  {warningText(warning)}
                </li>
              ))}
            </ul>
          )}
          <Rejects result={result} />
        </>
      )}
      <ReadPages />
    </>
  )
}
