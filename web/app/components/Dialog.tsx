import type { ComponentChildren } from "preact"
import { useLayoutEffect, useRef } from "preact/hooks"
import { focusList } from "./focus.ts"

interface Props {
  /** What it is called by a screen reader. */
  readonly label: string
  /** Asked for by Escape, a click beside it, or the system's way back. */
  readonly onClose: () => void
  readonly class?: string
  /** Whether it may close now. */
  readonly guard?: () => boolean
  readonly children: ComponentChildren
}

const first = (dialog: HTMLElement) =>
  dialog.querySelector<HTMLElement>("[data-autofocus], [autofocus]") ??
  dialog.querySelector<HTMLElement>(":is(input, textarea, select):enabled") ??
  dialog

const isBeside = (box: DOMRect, { clientX, clientY }: MouseEvent) =>
  clientX < box.left || clientX > box.right || clientY < box.top || clientY > box.bottom

/** Stands in front of the page, which is out of reach for as long; gives the focus back to what had it. */
export const Dialog = ({ children, class: name = "", guard = () => true, label, onClose }: Props) => {
  const element = useRef<HTMLDialogElement>(null)
  const pressedBeside = useRef(false)
  const leave = () => {
    if (guard()) onClose()
  }
  useLayoutEffect(() => {
    const before = document.activeElement
    const dialog = element.current
    if (dialog === null) return
    dialog.showModal()
    first(dialog).focus()
    return () => {
      dialog.close()
      if (before instanceof HTMLElement && before !== document.body) before.focus({ preventScroll: true })
      if (document.activeElement !== before || before === document.body) focusList()
    }
  }, [])
  const beside = (event: MouseEvent) => {
    const dialog = element.current
    return dialog !== null && event.target === dialog && isBeside(dialog.getBoundingClientRect(), event)
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
        // A browser may close it without asking.
        if (guard()) onClose()
        else dialog.showModal()
      }}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || event.isComposing || event.defaultPrevented) return
        event.preventDefault()
        leave()
      }}
      onPointerDown={(event) => {
        pressedBeside.current = beside(event)
      }}
      onClick={(event) => {
        if (pressedBeside.current && beside(event)) leave()
      }}
    >
      {children}
    </dialog>
  )
}
