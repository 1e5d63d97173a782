import { useState } from "preact/hooks"
import { openDetailAfterDialog } from "../state/detail.ts"
import { close, open } from "../state/dialogs.ts"
import { tell } from "../state/toasts.ts"
import { AddForm, EMPTY, savedText } from "./AddForm.tsx"
import { Button } from "./Button.tsx"
import { Dialog, focusOnMount } from "./Dialog.tsx"
import { useDiscard } from "./FormDialog.tsx"

export const AddDialog = ({ url }: { readonly url: string }) => {
  const [dirty, setDirty] = useState(false)
  const { guard, question } = useDiscard(dirty, "Discard what you typed?", close)
  return (
    <Dialog title="Add a link" guard={guard} onClose={close}>
      <AddForm
        initial={{ ...EMPTY, url }}
        onDirty={setDirty}
        beside={
          question ?? (
            <Button
              icon="upload"
              class="button add-import"
              kind="quiet"
              onClick={() => guard() && open({ kind: "import" })}
            >
              Import a file…
            </Button>
          )
        }
        onAdded={(added) => {
          if (added.existing !== undefined) return false
          const { link } = added
          close()
          tell(
            savedText(added),
            link === undefined ? {} : { action: { label: "Show", run: () => openDetailAfterDialog(link.id) } }
          )
          return true
        }}
        after={(again, { existing }) => (
          <>
            <Button onClick={again}>Add another</Button>
            <Button
              kind="primary"
              ref={focusOnMount}
              onClick={() => {
                close()
                if (existing !== undefined) openDetailAfterDialog(existing.id)
              }}
            >
              {existing === undefined ? "Close" : "Show it"}
            </Button>
          </>
        )}
      />
    </Dialog>
  )
}
