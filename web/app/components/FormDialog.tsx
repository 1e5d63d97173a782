import type { ComponentChildren } from "preact"
import { useState } from "preact/hooks"
import { Button } from "./Button.tsx"
import { Dialog } from "./Dialog.tsx"

interface Props {
  readonly title: string
  /** The text of the button that submits the form. */
  readonly confirm: string
  /** Whether the form can be submitted. */
  readonly isReady: boolean
  /** Does what the form is for; returns whether it succeeded. */
  readonly onSubmit: () => Promise<boolean>
  /** Called on Cancel, and once it has succeeded. */
  readonly onClose: () => void
  readonly children: ComponentChildren
}

/** A dialog with a form: it stays open while its work is done, and if that fails. */
export const FormDialog = ({ children, confirm, isReady, onClose, onSubmit, title }: Props) => {
  const [busy, setBusy] = useState(false)
  const submit = async () => {
    setBusy(true)
    const isDone = await onSubmit()
    setBusy(false)
    if (isDone) onClose()
  }

  return (
    <Dialog title={title} onClose={onClose} guard={() => !busy}>
      <form
        class="dialog-form"
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        <div class="dialog-body">{children}</div>
        <div class="row end">
          <Button disabled={busy} onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" kind="primary" disabled={busy || !isReady} aria-busy={busy}>
            {confirm}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
