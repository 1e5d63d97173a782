import type { JSX } from "preact"
import { needsService as whatNeedsService } from "../state/connection.ts"
import { Icon, type IconName } from "./Icon.tsx"

interface Props extends Omit<JSX.IntrinsicElements["button"], "icon"> {
  readonly icon?: IconName | undefined
  /** How much it stands out. */
  readonly kind?: "primary" | "quiet" | "danger" | undefined
  /** Whether its work is under way: it can then not be pressed again. */
  readonly busy?: boolean
  /** Whether it works only while the service answers. */
  readonly needsService?: boolean | undefined
}

/** A button; its class says if it looks like something else. */
export const Button = ({
  busy,
  children,
  class: look = "button",
  icon,
  kind,
  needsService,
  ...others
}: Props) => (
  <button
    type="button"
    class={look}
    data-kind={kind}
    disabled={busy}
    aria-busy={busy}
    {...(needsService && whatNeedsService())}
    {...others}
  >
    {icon && <Icon name={icon} />}
    {children}
  </button>
)

interface IconProps extends Omit<Props, "children" | "label"> {
  readonly icon: IconName
  readonly label: string
}

/** A button that shows an icon alone; the pointer sees its title, which is its label unless it says more. */
export const IconButton = ({ label, title = label, ...others }: IconProps) => (
  <Button class="icon-button" aria-label={label} title={title} {...others} />
)
