import type { ComponentChildren } from "preact"
import { Icon, type IconName } from "./Icon.tsx"

interface Props {
  readonly icon?: IconName
  readonly title?: ComponentChildren
  /** The heading level of the title. */
  readonly heading?: "h1" | "h2"
  /** What can be done about it. */
  readonly actions?: ComponentChildren
  /** Whether it says that something failed. */
  readonly isFailure?: boolean
  readonly children?: ComponentChildren
}

export const Notice = ({
  actions,
  children,
  heading: Heading = "h2",
  icon,
  isFailure = false,
  title
}: Props) => (
  <div class="notice" role={isFailure ? "alert" : undefined}>
    {icon === undefined ? null : <Icon name={icon} />}
    {title === undefined ? null : <Heading>{title}</Heading>}
    {children === undefined ? null : <p>{children}</p>}
    {actions === undefined ? null : <p class="row">{actions}</p>}
  </div>
)
