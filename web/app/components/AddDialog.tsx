import { useState } from "preact/hooks"
import { close, dialog } from "../state/dialogs.ts"
import { AddForm } from "./AddForm.tsx"
import { Dialog } from "./Dialog.tsx"

const empty = { url: "", note: "", title: "" }

const focus = (button: HTMLElement | null) => button?.focus()

const Question = ({ url }: { readonly url: string }) => {
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
        initial={{ ...empty, url }}
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
              <button type="button" class="button" data-kind="danger" ref={focus} onClick={close}>
                Discard
              </button>
            </>
          ) : (
            <button type="button" class="button" onClick={() => mayClose() && close()}>
              Cancel
            </button>
          )
        }
        after={(again) => (
          <>
            <button type="button" class="button" onClick={again}>
              Add another
            </button>
            <button type="button" class="button" data-kind="primary" ref={focus} onClick={close}>
              Close
            </button>
          </>
        )}
      />
    </Dialog>
  )
}

/** Saves a link by its address. */
export const AddDialog = () =>
  dialog.value?.kind === "add" ? <Question url={dialog.value.url ?? ""} /> : null
