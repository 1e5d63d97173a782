import { useState } from "preact/hooks"
import { openDetailAfterDialog } from "../state/detail.ts"
import { close, dialog, open } from "../state/dialogs.ts"
import { tell } from "../state/toasts.ts"
import { AddForm, EMPTY, savedText } from "./AddForm.tsx"
import { Dialog, DialogHeader, focusOnMount } from "./Dialog.tsx"
import { Icon } from "./Icon.tsx"

const Content = ({ url }: { readonly url: string }) => {
  const [dirty, setDirty] = useState(false)
  const [asking, setAsking] = useState(false)
  const mayClose = () => {
    if (dirty) setAsking(true)
    return !dirty
  }
  return (
    <Dialog label="Add a link" guard={mayClose} onClose={close}>
      <DialogHeader title="Add a link" onClose={() => mayClose() && close()} />
      <AddForm
        initial={{ ...EMPTY, url }}
        onDirty={(now) => {
          setDirty(now)
          setAsking(false)
        }}
        beside={
          asking ? (
            <>
              <strong class="dialog-question" role="alert">
                Discard what you typed?
              </strong>
              <button type="button" class="button" data-kind="danger" ref={focusOnMount} onClick={close}>
                Discard
              </button>
            </>
          ) : (
            <button
              type="button"
              class="button add-import"
              data-kind="quiet"
              onClick={() => mayClose() && open({ kind: "import" })}
            >
              <Icon name="upload" />
              Import a file…
            </button>
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
            <button type="button" class="button" onClick={again}>
              Add another
            </button>
            <button
              type="button"
              class="button"
              data-kind="primary"
              ref={focusOnMount}
              onClick={() => {
                close()
                if (existing !== undefined) openDetailAfterDialog(existing.id)
              }}
            >
              {existing === undefined ? "Close" : "Show it"}
            </button>
          </>
        )}
      />
    </Dialog>
  )
}

/** The dialog that saves a link. */
export const AddDialog = () =>
  dialog.value?.kind === "add" ? <Content url={dialog.value.url ?? ""} /> : null
