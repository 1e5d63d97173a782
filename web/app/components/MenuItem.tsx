import type { JSX } from "preact"
import { Button } from "./Button.tsx"
import { Icon, type IconName } from "./Icon.tsx"

interface ItemProps extends Omit<JSX.IntrinsicElements["button"], "icon" | "onClick"> {
  readonly icon?: IconName | undefined
  /** Whether it takes something away. */
  readonly isDangerous?: boolean | undefined
  /** Whether it works without the service. */
  readonly isLocal?: boolean | undefined
  readonly run: () => unknown
}

/** Before a dialog opens, so that the dialog gives the focus back to where it was. */
const hideMenu = ({ currentTarget }: { readonly currentTarget: Element }) =>
  currentTarget.closest<HTMLElement>("[popover]")?.hidePopover()

/** An item of a menu; choosing it closes the menu. */
export const MenuItem = ({ isDangerous = false, isLocal = false, run, ...others }: ItemProps) => (
  <Button
    class="menu-item"
    kind={isDangerous ? "danger" : undefined}
    needsService={!isLocal}
    {...others}
    onClick={(event) => {
      hideMenu(event)
      run()
    }}
  />
)

interface LinkProps extends Omit<JSX.IntrinsicElements["a"], "icon" | "role"> {
  readonly icon: IconName
  readonly href: string
}

/** An item of a menu that leads to a page or downloads a file. */
export const MenuLink = ({ children, href, icon, ...others }: LinkProps) => (
  <a class="menu-item" href={href} {...others} onClick={hideMenu}>
    <Icon name={icon} />
    {children}
  </a>
)
