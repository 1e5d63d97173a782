import type { ComponentChildren } from "preact"
import { Button } from "../components/Button.tsx"
import type { IconName } from "../components/Icon.tsx"
import { needsService } from "../state/connection.ts"

/** The id of the menu *More*. */
export const MENU = "reader-more"

interface ItemProps {
  readonly icon: IconName
  readonly run: () => unknown
  /** Whether it works without the service. */
  readonly isLocal?: boolean | undefined
  readonly children: ComponentChildren
}

/** An item of the menu; choosing it closes the menu. */
export const MenuItem = ({ children, icon, isLocal, run }: ItemProps) => (
  <li>
    <Button
      icon={icon}
      class="menu-item"
      popovertarget={MENU}
      popovertargetaction="hide"
      {...(isLocal ? {} : needsService())}
      onClick={run}
    >
      {children}
    </Button>
  </li>
)
