import { count } from "../../../src/shared/Format.ts"
import { progressOf } from "../jobText.ts"
import { pause, readingJob, readPages, unreadPages } from "../state/startJobs.ts"
import { Button } from "./Button.tsx"

/** Pauses a job that reads pages. */
export const PauseButton = ({ action }: { readonly action: "keep" | "read" }) => (
  <Button class="link-button" onClick={() => void pause(action)}>
    Pause
  </Button>
)

/** The progress of reading imported links' pages, or a button to read those left; nothing if none are left. */
export const ReadPages = () => {
  const job = readingJob.value
  if (job !== undefined)
    return (
      <p class="row hint read-pages">
        <span>{progressOf(job)}</span> <PauseButton action="read" />
      </p>
    )
  return unreadPages.value === 0 ? null : (
    <p class="row hint read-pages">
      <Button class="link-button" onClick={() => void readPages()}>
        Read the {unreadPages.value === 1 ? "page" : "pages"} of {count(unreadPages.value, "imported link")}
      </Button>
    </p>
  )
}
