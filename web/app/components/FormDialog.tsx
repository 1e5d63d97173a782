import type { ComponentChildren } from "preact"
import { useState } from "preact/hooks"
import { Button } from "./Button.tsx"
import { Dialog, type DialogProps, focusOnMount } from "./Dialog.tsx"
import { useUnsaved } from "./useUnsaved.ts"

interface Props extends Pick<DialogProps, "about" | "class" | "guard" | "onClose"> {
  readonly title: string
  /** The text of the button that submits the form, and what it says meanwhile. */
  readonly confirm: string
  readonly doing?: string
  readonly cancel?: string | undefined
  readonly isDangerous?: boolean
  readonly needsService?: boolean
  /** Whether the form can be submitted. */
  readonly isReady?: boolean
  /** The button that has the focus at first; by default the first field has it. */
  readonly focus?: "cancel" | "confirm"
  /** Does what the form is for, given the value of the button that submits it; returns whether it succeeded. */
  readonly onSubmit: (by: string) => boolean | Promise<boolean>
  /** Stands in the place of the button that cancels. */
  readonly question?: ComponentChildren
  /** Stands beside the button that submits. */
  readonly beside?: ComponentChildren
  readonly children: ComponentChildren
}

/** A dialog with a form: it stays open while its work is done, and if that fails. */
export const FormDialog = ({
  beside,
  cancel = "Cancel",
  children,
  confirm,
  doing = confirm,
  focus,
  guard = () => true,
  isDangerous = false,
  isReady = true,
  needsService,
  onClose,
  onSubmit,
  question,
  ...others
}: Props) => {
  const [busy, setBusy] = useState(false)
  const submit = async ({ submitter }: SubmitEvent) => {
    if (busy) return
    setBusy(true)
    const isDone = await onSubmit(submitter?.getAttribute("value") ?? "")
    setBusy(false)
    if (isDone) onClose()
  }
  const mayClose = () => !busy && guard()
  return (
    <Dialog {...others} onClose={onClose} guard={mayClose}>
      <form
        class="dialog-form"
        onSubmit={(event) => {
          event.preventDefault()
          void submit(event)
        }}
      >
        <div class="dialog-body">{children}</div>
        <div class="row end">
          {question ?? (
            <Button
              disabled={busy}
              data-autofocus={focus === "cancel" ? "" : undefined}
              onClick={() => mayClose() && onClose()}
            >
              {cancel}
            </Button>
          )}
          {beside}
          <Button
            type="submit"
            kind={isDangerous ? "danger" : "primary"}
            data-autofocus={focus === "confirm" ? "" : undefined}
            disabled={busy || !isReady}
            aria-busy={busy}
            needsService={needsService}
          >
            {busy ? doing : confirm}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

/** Asks before a dialog loses what was typed into it, once its guard has refused to close it. */
export const useDiscard = (isChanged: boolean, text: string, discard: () => void) => {
  const [isAsking, setAsking] = useState(false)
  useUnsaved(isChanged)
  const guard = () => {
    setAsking(isChanged)
    return !isChanged
  }
  const question =
    isAsking && isChanged ? (
      <>
        <strong class="grow" role="alert">
          {text}
        </strong>
        <Button kind="danger" ref={focusOnMount} onClick={discard}>
          Discard
        </Button>
      </>
    ) : undefined
  return { guard, question }
}
