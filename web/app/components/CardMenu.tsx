import { useLayoutEffect, useRef } from "preact/hooks"
import { actionsOn, type sections } from "../actions/registry.ts"
import { close, dialog } from "../state/dialogs.ts"
import { linkOf } from "../state/entities.ts"
import { Button } from "./Button.tsx"
import { Icon } from "./Icon.tsx"
import { KeyNames, keyText } from "./KeyNames.tsx"
import { MenuItem } from "./MenuItem.tsx"

/** The actions that a card shows beside the button of its menu while it is pointed at or has the focus. */
export const CardTools = ({ id }: { readonly id: number }) => (
  <>
    {actionsOn([id])
      .filter(({ isTool }) => isTool)
      .map(({ icon, isReverse, keys: [key] = [], name, perform }) => (
        <Button
          key={icon}
          class="icon-button"
          title={key === undefined ? name : `${name} (${keyText(key)})`}
          aria-label={name}
          data-reverse={isReverse}
          needsService
          onClick={() => perform([id])}
        >
          <Icon name={icon} filled={isReverse === true && icon === "star"} />
        </Button>
      ))}
  </>
)

/** The sections of the menu that a line separates. */
const groups: ReadonlyArray<ReadonlyArray<(typeof sections)[number]>> = [
  ["open"],
  ["mark", "state"],
  ["file"],
  ["page", "copy"],
  ["remove"]
]

/** Moves the focus along the items of a menu or a bar with two arrow keys, Home and End. */
export const rove = (
  event: KeyboardEvent & { readonly currentTarget: HTMLElement },
  selector: string,
  [back, on]: readonly [back: string, on: string]
): void => {
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>(selector)]
  const at = items.findIndex((item) => item.matches(":focus"))
  const keys: Readonly<Record<string, number>> = {
    [back]: at - 1,
    [on]: (at + 1) % items.length,
    Home: 0,
    End: -1
  }
  const next = keys[event.key]
  if (next === undefined) return
  event.preventDefault()
  items.at(next)?.focus()
}

interface MenuProps {
  readonly id: number
  readonly title: string
  /** The button that opened it. */
  readonly from: HTMLElement
}

const Menu = ({ from, id, title }: MenuProps) => {
  const menu = useRef<HTMLDivElement>(null)
  const actions = actionsOn([id])
  useLayoutEffect(() => {
    from.style.setProperty("anchor-name", "--card-menu")
    menu.current?.showPopover()
    menu.current?.querySelector("button")?.focus()
    return () => from.style.removeProperty("anchor-name")
  }, [from])
  return (
    <div
      ref={menu}
      class="card-menu floating"
      popover="auto"
      role="menu"
      aria-label={title}
      // At once: "toggle" comes late, when the chosen action may have opened a dialog.
      onBeforeToggle={({ newState }) => {
        if (newState === "closed") close()
      }}
      onKeyDown={(event) => {
        if (event.key === "Tab") menu.current?.hidePopover()
        rove(event, "[role=menuitem]", ["ArrowUp", "ArrowDown"])
      }}
    >
      <p class="card-menu-title" aria-hidden="true" dir="auto">
        {title}
      </p>
      {groups.map((group) => {
        const mine = actions.filter(({ section }) => group.includes(section))
        return mine.length === 0 ? null : (
          // biome-ignore lint/a11y/useSemanticElements: a menu holds groups, not fieldsets.
          <div key={group.join()} class="card-menu-group" role="group">
            {mine.map(({ icon, isDangerous, isLocal, keys: [key] = [], name, perform }) => (
              <MenuItem
                key={name}
                icon={icon}
                isDangerous={isDangerous}
                isLocal={isLocal}
                role="menuitem"
                tabIndex={-1}
                run={() => perform([id])}
              >
                {name}
                {key === undefined ? null : (
                  <span class="menu-key" aria-hidden="true">
                    <KeyNames keys={key} />
                  </span>
                )}
              </MenuItem>
            ))}
          </div>
        )
      })}
    </div>
  )
}

/** The menu with all actions on one link, at the button that opened it; a sheet on a phone. */
export const CardMenu = () => {
  const now = dialog.value
  const link = now?.kind === "menu" ? linkOf(now.id)?.value : undefined
  return now?.kind !== "menu" || link === undefined ? null : (
    <section aria-label="Actions">
      <Menu key={now.id} id={now.id} title={link.title} from={now.from} />
    </section>
  )
}
