import type { ComponentChildren } from "preact"
import { useId } from "preact/hooks"
import { type PageName, pages } from "../views.ts"
import { Button, IconButton } from "./Button.tsx"
import type { IconName } from "./Icon.tsx"
import { MenuItem, MenuLink } from "./MenuItem.tsx"
import { Notice } from "./Notice.tsx"
import { PageHeader } from "./PageHeader.tsx"
import type { Loaded } from "./useLoaded.tsx"

interface Props {
  readonly page: PageName
  /** How many things there are, in words. */
  readonly count?: string
  readonly loaded: Pick<Loaded<unknown>, "problem" | "reload" | "value">
  /** The sentence of an empty list. */
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
        <Notice icon={pages[page].icon}>{none}</Notice>
      ) : (
        children
      )}
    </section>
  )
}

/** What can be done with a thing of a list: work, or a file to download. */
type ThingAction = { readonly icon: IconName; readonly name: string } & (
  | { readonly download: string }
  | {
      readonly run: () => void
      readonly disabled?: boolean
      /** Whether it takes something away. */
      readonly isDangerous?: boolean
    }
)

interface MenuProps {
  readonly of: string
  readonly actions: ReadonlyArray<ThingAction>
  /** What the button says, if not just that there is more. */
  readonly label?: string
}

/** The menu of a thing in a list, behind one button. */
export const ThingMenu = ({ actions, label, of }: MenuProps) => {
  const id = useId()
  return (
    <span class="thing-actions">
      {label === undefined ? (
        <IconButton icon="more" label={`More for ${of}`} popovertarget={id} title="More" />
      ) : (
        <Button popovertarget={id}>{label}</Button>
      )}
      <span id={id} class="popover floating" popover="auto">
        {actions.map(({ icon, name, ...action }) =>
          "download" in action ? (
            <MenuLink key={name} icon={icon} href={action.download} download>
              {name}
            </MenuLink>
          ) : (
            <MenuItem key={name} icon={icon} isLocal {...action}>
              {name}
            </MenuItem>
          )
        )}
      </span>
    </span>
  )
}
