import type { ComponentChildren } from "preact"
import { useId } from "preact/hooks"
import { type PageName, pages } from "../views.ts"
import { Icon, type IconName } from "./Icon.tsx"
import { PageHeader } from "./PageHeader.tsx"

/** What a page shows instead of its list. */
export interface Notice {
  readonly text: string
  /** Loads the list again. */
  readonly retry?: () => void
}

interface Props {
  readonly page: PageName
  /** How many things there are, in words. */
  readonly count?: string
  /** Whether the list is loading for the first time. */
  readonly busy: boolean
  readonly notice: Notice | null
  /** Buttons beside the title. */
  readonly actions?: ComponentChildren
  readonly children: ComponentChildren
}

/** The frame of the pages that list tags, categories, collections, saved searches and highlights. */
export const ThingsPage = ({ actions, busy, children, count = "", notice, page }: Props) => (
  <section class="page stack" aria-label={pages[page].name} aria-busy={busy}>
    <PageHeader page={page} count={count} actions={actions} />
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

/** What can be done with a thing of a list. */
export interface ThingAction {
  readonly icon: IconName
  readonly name: string
  readonly run: () => void
  readonly disabled?: boolean
  /** Whether it takes something away. */
  readonly isDangerous?: boolean
}

/** The menu of a thing in a list, behind one button. */
export const ThingMenu = ({
  actions,
  of
}: {
  readonly of: string
  readonly actions: ReadonlyArray<ThingAction>
}) => {
  const id = useId()
  return (
    <span class="thing-actions">
      <button type="button" class="icon-button" popovertarget={id} title="More" aria-label={`More for ${of}`}>
        <Icon name="more" />
      </button>
      <span id={id} class="popover floating" popover="auto">
        {actions.map(({ disabled = false, icon, isDangerous = false, name, run }) => (
          <button
            key={name}
            type="button"
            class="menu-item"
            data-kind={isDangerous ? "danger" : undefined}
            disabled={disabled}
            onClick={(event) => {
              event.currentTarget.closest<HTMLElement>("[popover]")?.hidePopover()
              run()
            }}
          >
            <Icon name={icon} />
            {name}
          </button>
        ))}
      </span>
    </span>
  )
}

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
