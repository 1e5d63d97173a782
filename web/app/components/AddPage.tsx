import { useMemo, useState } from "preact/hooks"
import { readShared } from "../sharedText.ts"
import { AddForm } from "./AddForm.tsx"

/** How long a window is given to close, in milliseconds, before it is said that it does not. */
const CLOSING = 300

const CloseButton = () => {
  const [stays, setStays] = useState(false)
  const leave = () => {
    window.close()
    setTimeout(() => setStays(true), CLOSING)
  }
  return stays ? (
    <p class="hint" role="status">
      You can close this window.
    </p>
  ) : (
    <button
      type="button"
      class="button"
      data-kind="primary"
      ref={(button) => button?.focus()}
      onClick={leave}
    >
      Close
    </button>
  )
}

/** What a share or the bookmarklet hands over, ready to be saved; another site may open this address, so nothing is yet. */
export const AddPage = ({ params }: { readonly params: URLSearchParams }) => {
  const shared = useMemo(() => readShared(params), [params])
  return (
    <article class="add-page">
      <h2>Add a link</h2>
      <AddForm
        key={params.toString()}
        initial={shared}
        after={() => (
          <>
            <a class="button" href="/dashboard">
              Open library
            </a>
            <CloseButton />
          </>
        )}
      />
    </article>
  )
}
