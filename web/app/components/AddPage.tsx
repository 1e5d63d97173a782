import { useMemo, useState } from "preact/hooks"
import { readShared } from "../sharedText.ts"
import { route } from "../state/route.ts"
import { AddForm } from "./AddForm.tsx"
import { Button } from "./Button.tsx"
import { PageHeader } from "./PageHeader.tsx"

/** How long to wait for the window to close before asking the user to close it, in milliseconds. */
const CLOSE_TIMEOUT = 300

const CloseButton = () => {
  const [stays, setStays] = useState(false)
  const leave = () => {
    window.close()
    setTimeout(() => setStays(true), CLOSE_TIMEOUT)
  }
  return stays ? (
    <p class="hint" role="status">
      You can close this window.
    </p>
  ) : (
    <Button kind="primary" ref={(button) => button?.focus()} onClick={leave}>
      Close
    </Button>
  )
}

/** The page that a share or the bookmarklet opens. It saves nothing by itself, because any site can open its address. */
export const AddPage = () => {
  const now = route.value
  const params = now.page === "add" ? now.params : undefined
  const shared = useMemo(() => readShared(params ?? new URLSearchParams()), [params])
  return (
    <article class="add-page page stack">
      <PageHeader page="add" />
      <AddForm
        key={params?.toString()}
        initial={shared}
        after={(_, { link }) => (
          <>
            <a class="button" href={link === undefined ? "/dashboard" : `/dashboard?link=${link.id}`}>
              Show it in the library
            </a>
            <CloseButton />
          </>
        )}
      />
    </article>
  )
}
