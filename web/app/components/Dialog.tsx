import type { ComponentChildren } from "preact"
import { useLayoutEffect, useRef } from "preact/hooks"
import { focusList } from "./focus.ts"
import { Icon } from "./Icon.tsx"
import { SignedOut } from "./Outage.tsx"

interface Props {
  /** The accessible name. */
  readonly label: string
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
  /** Shown below the title. */
  readonly children?: ComponentChildren
}

/** The head of a dialog, with the button that closes it: no `header`, which would be a second banner of the page. */
export const DialogHeader = ({ children, onClose, title }: HeaderProps) => (
  <div class="dialog-header">
    <div>
      <h2>{title}</h2>
      {children}
    </div>
    <button type="button" class="icon-button" onClick={onClose}>
      <Icon name="close" />
      <span class="visually-hidden">Close</span>
    </button>
  </div>
)

/** The element to focus when a dialog opens. */
const initialFocus = (dialog: HTMLElement) =>
  dialog.querySelector<HTMLElement>("[data-autofocus], [autofocus]") ??
  dialog.querySelector<HTMLElement>(":is(input, textarea, select):enabled") ??
  dialog

const isOutside = (box: DOMRect, { clientX, clientY }: MouseEvent) =>
  clientX < box.left || clientX > box.right || clientY < box.top || clientY > box.bottom

/** A modal dialog that returns the focus to where it was when it closes. */
export const Dialog = ({ children, class: name = "", guard = () => true, label, onClose }: Props) => {
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
      aria-label={label}
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
      {children}
    </dialog>
  )
}
