import type { ComponentChildren } from "preact"
import { useLayoutEffect, useRef } from "preact/hooks"
import { IconButton } from "./Button.tsx"
import { focusList } from "./focus.ts"
import { SignedOut } from "./Outage.tsx"

export interface DialogProps {
  /** Its title, shown at its head beside the button that closes it; also its accessible name. */
  readonly title?: string
  /** The accessible name of a dialog without a title. */
  readonly label?: string
  /** Shown below the title. */
  readonly about?: ComponentChildren
  /** Called on Escape, a click outside, or the system's back gesture. */
  readonly onClose: () => void
  readonly class?: string
  /** Whether it may close now. */
  readonly guard?: () => boolean
  readonly children: ComponentChildren
}

/** A `ref` that focuses a button when it appears. */
export const focusOnMount = (button: HTMLElement | null) => button?.focus()

interface HeaderProps {
  readonly title: string
  readonly onClose: () => void
  readonly children?: ComponentChildren
}

/** The head of a dialog: no `header`, which would be a second banner of the page. */
const DialogHeader = ({ children, onClose, title }: HeaderProps) => (
  <div class="dialog-header">
    <div>
      <h2>{title}</h2>
      {children}
    </div>
    <IconButton icon="close" label="Close" onClick={onClose} />
  </div>
)

const initialFocus = (dialog: HTMLElement) =>
  dialog.querySelector<HTMLElement>("[data-autofocus], [autofocus]") ??
  dialog.querySelector<HTMLElement>(":is(input, textarea, select):enabled") ??
  dialog

const isOutside = (box: DOMRect, { clientX, clientY }: MouseEvent) =>
  clientX < box.left || clientX > box.right || clientY < box.top || clientY > box.bottom

/** A modal dialog that returns the focus to where it was when it closes. */
export const Dialog = ({
  about,
  children,
  class: name = "",
  guard = () => true,
  label,
  onClose,
  title
}: DialogProps) => {
  const element = useRef<HTMLDialogElement>(null)
  const pressedOutside = useRef(false)
  const leave = () => {
    if (guard()) onClose()
  }
  useLayoutEffect(() => {
    const before = document.activeElement
    const dialog = element.current
    if (dialog === null) return
    dialog.showModal()
    initialFocus(dialog).focus()
    return () => {
      dialog.close()
      if (before instanceof HTMLElement && before !== document.body) before.focus({ preventScroll: true })
      if (document.activeElement !== before || before === document.body) focusList()
    }
  }, [])
  const isOnBackdrop = (event: MouseEvent) => {
    const dialog = element.current
    return dialog !== null && event.target === dialog && isOutside(dialog.getBoundingClientRect(), event)
  }
  return (
    <dialog
      ref={element}
      class={`dialog ${name}`}
      aria-label={title ?? label}
      tabIndex={-1}
      onCancel={(event) => {
        if (event.target !== element.current) return
        event.preventDefault()
        leave()
      }}
      onClose={() => {
        const dialog = element.current
        if (dialog === null || dialog.open) return
        // A browser may close the dialog without asking.
        if (guard()) onClose()
        else dialog.showModal()
      }}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || event.isComposing || event.defaultPrevented) return
        event.preventDefault()
        leave()
      }}
      onPointerDown={(event) => {
        pressedOutside.current = isOnBackdrop(event)
      }}
      onClick={(event) => {
        if (pressedOutside.current && isOnBackdrop(event)) leave()
      }}
    >
      {/* The page's own notice cannot be reached while a dialog is open. */}
      <SignedOut />
      {title === undefined ? null : (
        <DialogHeader title={title} onClose={leave}>
          {about}
        </DialogHeader>
      )}
      {children}
    </dialog>
  )
}
