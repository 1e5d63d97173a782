import type { ComponentChildren } from "preact"
import { useId, useState } from "preact/hooks"
import { Dialog, DialogHeader } from "./Dialog.tsx"

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
  const mayClose = () => !busy
  return (
    <Dialog label={title} onClose={onClose} guard={mayClose}>
      <form
        class="dialog-form"
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        <DialogHeader title={title} onClose={() => mayClose() && onClose()} />
        <div class="dialog-body">{children}</div>
        <div class="row end">
          <button type="button" class="button" disabled={busy} onClick={onClose}>
            Cancel
          </button>
          <button
            type="submit"
            class="button"
            data-kind="primary"
            disabled={busy || !isReady}
            aria-busy={busy}
          >
            {confirm}
          </button>
        </div>
      </form>
    </Dialog>
  )
}

interface TextFieldProps {
  readonly label: string
  readonly value: string
  readonly onValue: (value: string) => void
  readonly maxLength: number
  /** What the browser may fill in for a password; the field is then one. */
  readonly password?: "current-password" | "new-password"
}

/** A labelled field for one line of text, or for a password. */
export const TextField = ({ label, maxLength, onValue, password, value }: TextFieldProps) => {
  const id = useId()
  const input = {
    id,
    class: "input",
    dir: "auto",
    maxLength,
    value,
    onInput: ({ currentTarget }: { readonly currentTarget: HTMLInputElement }) => onValue(currentTarget.value)
  } as const
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {password === undefined ? (
        <input {...input} autoComplete="off" />
      ) : (
        <input {...input} type="password" autoComplete={password} />
      )}
    </div>
  )
}
