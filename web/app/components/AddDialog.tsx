import { useState } from "preact/hooks"
import { openDetailAfterDialog } from "../state/detail.ts"
import { close, dialog } from "../state/dialogs.ts"
import { tell } from "../state/toasts.ts"
import { AddForm, EMPTY, savedText } from "./AddForm.tsx"
import { Dialog, focusOnMount } from "./Dialog.tsx"

const Content = ({ url }: { readonly url: string }) => {
  const [dirty, setDirty] = useState(false)
  const [asking, setAsking] = useState(false)
  const mayClose = () => {
    if (dirty) setAsking(true)
    return !dirty
  }
  return (
    <Dialog label="Add a link" class="add-dialog" guard={mayClose} onClose={close}>
      <h2>Add a link</h2>
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
            <button type="button" class="button" onClick={() => mayClose() && close()}>
              Cancel
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
            {existing === undefined ? null : (
              <button
                type="button"
                class="button"
                onClick={() => {
                  close()
                  openDetailAfterDialog(existing.id)
                }}
              >
                Show it
              </button>
            )}
            <button type="button" class="button" onClick={again}>
              Add another
            </button>
            <button type="button" class="button" data-kind="primary" ref={focusOnMount} onClick={close}>
              Close
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
