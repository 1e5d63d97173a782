import type { ComponentChildren } from "preact"
import { useId } from "preact/hooks"
import { type PageName, pages } from "../views.ts"
import { Button, IconButton } from "./Button.tsx"
import type { IconName } from "./Icon.tsx"
import { Notice } from "./Notice.tsx"
import { PageHeader } from "./PageHeader.tsx"
import type { Loaded } from "./useLoaded.tsx"

interface Props {
  readonly page: PageName
  /** How many things there are, in words. */
  readonly count?: string
  readonly loaded: Pick<Loaded<unknown>, "problem" | "reload" | "value">
  /** What to say if there are none. */
  readonly none: string
  readonly isEmpty: boolean
  /** Buttons beside the title. */
  readonly actions?: ComponentChildren
  readonly children: ComponentChildren
}

/** The frame of the pages that list tags, categories, collections, saved searches and highlights. */
export const ThingsPage = ({ actions, children, count = "", isEmpty, loaded, none, page }: Props) => {
  const { problem, reload, value } = loaded
  return (
    <section
      class="page stack"
      aria-label={pages[page].name}
      aria-busy={value === undefined && problem === ""}
    >
      <PageHeader page={page} count={count} actions={actions} />
      {problem !== "" ? (
        <Notice isFailure actions={<Button onClick={() => void reload()}>Try again</Button>}>
          {problem}
        </Notice>
      ) : value !== undefined && isEmpty ? (
        <Notice>{none}</Notice>
      ) : (
        children
      )}
    </section>
  )
}

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
      <IconButton icon="more" label={`More for ${of}`} popovertarget={id} title="More" />
      <span id={id} class="popover floating" popover="auto">
        {actions.map(({ disabled = false, icon, isDangerous = false, name, run }) => (
          <Button
            icon={icon}
            key={name}
            class="menu-item"
            kind={isDangerous ? "danger" : undefined}
            disabled={disabled}
            onClick={(event) => {
              event.currentTarget.closest<HTMLElement>("[popover]")?.hidePopover()
              run()
            }}
          >
            {name}
          </Button>
        ))}
      </span>
    </span>
  )
}
