import { useLayoutEffect, useRef, useState } from "preact/hooks"
import { actionsOn, type LinkAction } from "../actions/registry.ts"
import { needsService } from "../state/connection.ts"
import { listing } from "../state/list.ts"
import { cancelMatching, matching, selectMatching } from "../state/matching.ts"
import { clearSelection, selected, selectedIds } from "../state/selection.ts"
import { Button } from "./Button.tsx"
import { rove } from "./CardMenu.tsx"
import { focusList } from "./focus.ts"
import type { IconName } from "./Icon.tsx"
import { MenuItem } from "./MenuItem.tsx"

/** A button of the bar: an action, or a menu of some. */
interface Tool {
  readonly icon: IconName
  readonly name: string
  readonly run?: () => unknown
  /** The id of the menu it opens. */
  readonly menu?: string
  /** Whether it works without the service. */
  readonly isLocal?: boolean
}

/** The sections of actions that are menus of the bar. */
const menus = { state: { name: "Mark as…", icon: "unread" }, copy: { name: "Copy", icon: "copy" } } as const

const isMenu = (section: string): section is keyof typeof menus => section in menus

const menuId = (section: keyof typeof menus) => `bulk-${section}`

const toolsOf = (ids: ReadonlyArray<number>, actions: ReadonlyArray<LinkAction>): ReadonlyArray<Tool> => [
  ...actions.flatMap(({ icon, isLocal, name, perform, section, short = name }, at): ReadonlyArray<Tool> => {
    if (!isMenu(section)) return [{ icon, name: short, isLocal: isLocal === true, run: () => perform(ids) }]
    // The first of a section stands for its menu.
    if (actions[at - 1]?.section === section) return []
    return [{ ...menus[section], menu: menuId(section), isLocal: isLocal === true }]
  }),
  { icon: "close", name: "Clear", run: clearSelection, isLocal: true }
]

/** A toolbar: Tab reaches one of its buttons, and the arrow keys move between them (WAI-ARIA APG, toolbar). */
const Toolbar = ({ tools }: { readonly tools: ReadonlyArray<Tool> }) => {
  const [stop, setStop] = useState(0)
  return (
    <div
      class="bulk-tools"
      role="toolbar"
      aria-label="Change the selected links"
      onKeyDown={(event) => rove(event, "button", ["ArrowLeft", "ArrowRight"])}
    >
      {tools.map(({ icon, isLocal, menu, name, run }, at) => (
        <Button
          icon={icon}
          key={name}
          kind="quiet"
          tabIndex={at === stop ? 0 : -1}
          popovertarget={menu}
          {...(isLocal ? {} : needsService())}
          onFocus={() => setStop(at)}
          onClick={() => void run?.()}
        >
          {name}
        </Button>
      ))}
    </div>
  )
}

interface MenuProps {
  readonly ids: ReadonlyArray<number>
  readonly section: keyof typeof menus
  readonly actions: ReadonlyArray<LinkAction>
}

const Menu = ({ actions, ids, section }: MenuProps) => (
  <div id={menuId(section)} class="popover floating" popover="auto">
    {actions
      .filter((action) => action.section === section)
      .map(({ icon, isLocal, name, perform, short = name }) => (
        <MenuItem key={name} icon={icon} isLocal={isLocal} run={() => perform(ids)}>
          {short}
        </MenuItem>
      ))}
  </div>
)

/** The button that selects all matching links, loaded or not, and its progress. */
const SelectMatching = ({ selectedCount }: { readonly selectedCount: number }) => {
  const { ids = [], total = 0 } = listing.value ?? {}
  const progress = matching.value
  if (progress !== null)
    return (
      <span class="row">
        <progress aria-label="Selecting all matching" value={progress.done} max={progress.total} />
        <Button class="link-button" onClick={cancelMatching}>
          Stop
        </Button>
      </span>
    )
  const isAllShown = ids.length > 0 && ids.every((id) => selected.value.has(id))
  if (!isAllShown || total <= selectedCount) return null
  return (
    <Button class="link-button" onClick={() => void selectMatching()}>
      Select all {total.toLocaleString("en")} matching
    </Button>
  )
}

const Bar = () => {
  const ids = selectedIds.value
  const actions = actionsOn(ids).filter(({ isSingle }) => !isSingle)
  const bar = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    const root = document.documentElement.style
    const element = bar.current
    if (element === null) return
    const sizes = new ResizeObserver(() => {
      // The bounding box would give a position during the opening animation.
      const height = element.offsetHeight + Number.parseFloat(getComputedStyle(element).bottom)
      root.setProperty("--bulk-height", `${height}px`)
    })
    sizes.observe(element)
    return () => {
      sizes.disconnect()
      root.removeProperty("--bulk-height")
      cancelMatching()
      if (element.contains(document.activeElement)) focusList()
    }
  }, [])
  return (
    <section
      ref={bar}
      class="bulk floating"
      aria-label="Selected links"
      onKeyDown={(event) => {
        if (event.key !== "Escape" || bar.current?.querySelector(":popover-open") !== null) return
        event.preventDefault()
        clearSelection()
      }}
    >
      <p class="bulk-count row">
        <strong>{ids.length.toLocaleString("en")} selected</strong>{" "}
        <SelectMatching selectedCount={ids.length} />
      </p>
      <Toolbar tools={toolsOf(ids, actions)} />
      <Menu section="state" ids={ids} actions={actions} />
      <Menu section="copy" ids={ids} actions={actions} />
    </section>
  )
}

/** The bar with the actions for the selected links, at the bottom of the screen. */
export const BulkBar = () => {
  const total = selected.value.size
  return (
    <>
      <p class="visually-hidden" role="status">
        {total === 0 ? "" : `${total.toLocaleString("en")} selected`}
      </p>
      {total === 0 ? null : <Bar />}
    </>
  )
}
