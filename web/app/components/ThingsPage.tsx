import type { ComponentChildren } from "preact"
import { Icon, type IconName } from "./Icon.tsx"

/** What a page shows instead of its list. */
export interface Notice {
  readonly text: string
  /** Loads the list again. */
  readonly retry?: () => void
}

interface Props {
  readonly title: string
  /** Whether the list is loading for the first time. */
  readonly busy: boolean
  readonly notice: Notice | null
  /** Buttons beside the title. */
  readonly actions?: ComponentChildren
  readonly children: ComponentChildren
}

/** The frame of the pages that list tags, categories, collections and saved searches. */
export const ThingsPage = ({ actions, busy, children, notice, title }: Props) => (
  <section class="things-page" aria-labelledby="things-title" aria-busy={busy}>
    <header class="things-header">
      <h2 id="things-title">{title}</h2>
      {actions}
    </header>
    {notice === null ? (
      children
    ) : (
      <div class="notice" role={notice.retry === undefined ? undefined : "alert"}>
        <p>{notice.text}</p>
        {notice.retry === undefined ? null : (
          <p>
            <button type="button" class="button" onClick={notice.retry}>
              Try again
            </button>
          </p>
        )}
      </div>
    )}
  </section>
)

interface IconActionProps {
  readonly icon: IconName
  /** What the pointer sees; the hidden label also names the thing. */
  readonly title: string
  readonly label: string
  readonly disabled?: boolean
  readonly onClick: () => void
}

/** A button in a row of these lists. */
export const IconAction = ({ disabled = false, icon, label, onClick, title }: IconActionProps) => (
  <button type="button" class="icon-button" title={title} disabled={disabled} onClick={onClick}>
    <Icon name={icon} />
    <span class="visually-hidden">{label}</span>
  </button>
)
