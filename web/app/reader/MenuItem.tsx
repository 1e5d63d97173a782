import type { ComponentChildren, RefObject } from "preact"
import { useEffect, useRef } from "preact/hooks"
import { Button } from "../components/Button.tsx"
import type { IconName } from "../components/Icon.tsx"
import { needsService } from "../state/connection.ts"

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

/** The id of the menu *More*. */
export const MENU = "reader-more"

interface ItemProps {
  readonly icon: IconName
  readonly run: () => unknown
  /** Whether a group of items begins with it. */
  readonly isFirst?: boolean
  readonly isDangerous?: boolean | undefined
  /** Whether it works without the service. */
  readonly isLocal?: boolean | undefined
  readonly children: ComponentChildren
}

/** An item of the menu; choosing it closes the menu. */
export const MenuItem = ({ children, icon, isDangerous, isFirst = false, isLocal, run }: ItemProps) => (
  <li data-first={isFirst || undefined}>
    <Button
      icon={icon}
      class="menu-item"
      kind={isDangerous ? "danger" : undefined}
      popovertarget={MENU}
      popovertargetaction="hide"
      {...(isLocal ? {} : needsService())}
      onClick={run}
    >
      {children}
    </Button>
  </li>
)
