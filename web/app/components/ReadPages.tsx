import { count } from "../../../src/shared/Format.ts"
import { progressOf } from "../jobText.ts"
import { pauseReading, reading, readPages, unread } from "../state/reading.ts"

/** Pauses the reading of imported links' pages. */
export const PauseButton = () => (
  <button type="button" class="link-button" onClick={() => void pauseReading()}>
    Pause
  </button>
)

/** How far the pages of imported links are read, or a way to read those that are left; nothing where none are. */
export const ReadPages = () => {
  const job = reading.value
  if (job !== undefined)
    return (
      <p class="read-pages">
        <span>{progressOf(job)}</span> <PauseButton />
      </p>
    )
  return unread.value === 0 ? null : (
    <p class="read-pages">
      <button type="button" class="link-button" onClick={() => void readPages()}>
        Read the {unread.value === 1 ? "page" : "pages"} of {count(unread.value, "imported link")}
      </button>
    </p>
  )
}
