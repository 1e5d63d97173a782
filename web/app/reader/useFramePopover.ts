import type { RefObject } from "preact"
import { useEffect, useRef } from "preact/hooks"

/**
 * A `ref` for a popover over the document: it closes when the focus moves into the frame, whose clicks the browser does
 * not count as clicks outside of it.
 */
export const useFramePopover = (): RefObject<HTMLDivElement | null> => {
  const popover = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const hide = () => {
      if (document.activeElement instanceof HTMLIFrameElement) popover.current?.hidePopover()
    }
    // The window reports the loss of its focus before the frame has it.
    const later = () => setTimeout(hide)
    window.addEventListener("blur", later)
    return () => window.removeEventListener("blur", later)
  }, [])
  return popover
}
