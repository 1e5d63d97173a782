import { useLayoutEffect, useRef, useState } from "preact/hooks"
import { count } from "../../../src/shared/Format.ts"
import { asMarkdown, asUrls, copyText } from "../copyText.ts"
import { allHave, deleteLinks, setFavorite, setShareable } from "../state/changes.ts"
import { needsService } from "../state/connection.ts"
import { open } from "../state/dialogs.ts"
import { refreshAll } from "../state/jobs.ts"
import { restoreLinks, setState } from "../state/linkChanges.ts"
import { listing, showsTrash } from "../state/list.ts"
import { cancelMatching, copyableLinks, matching, selectMatching } from "../state/matching.ts"
import { currentFilters } from "../state/route.ts"
import { clearSelection, selected, selectedIds } from "../state/selection.ts"
import { tell, tellFailure } from "../state/toasts.ts"
import { focusList } from "./focus.ts"
import { Icon, type IconName } from "./Icon.tsx"
import { states } from "./StateButtons.tsx"

interface Command {
  readonly icon: IconName
  readonly name: string
  readonly run?: () => unknown
  /** The id of the menu it opens. */
  readonly menu?: string
  /** Whether it works without the service. */
  readonly isLocal?: true
}

/** The ids of the menus. */
const COPY = "bulk-copy"
const STATE = "bulk-state"

const trashCommands = (ids: ReadonlyArray<number>): ReadonlyArray<Command> => [
  { icon: "undo", name: "Restore", run: () => void restoreLinks(ids) },
  { icon: "copy", name: "Copy", menu: COPY, isLocal: true },
  { icon: "trash", name: "Delete forever…", run: () => open({ kind: "deleteForever", ids }) },
  { icon: "close", name: "Clear", run: clearSelection, isLocal: true }
]

const commandsFor = (ids: ReadonlyArray<number>): ReadonlyArray<Command> => {
  if (showsTrash(currentFilters())) return trashCommands(ids)
  const favorite = allHave("favorite", ids)
  const shareable = allHave("shareable", ids)
  return [
    {
      icon: "star",
      name: favorite ? "Unfavorite" : "Favorite",
      run: () => void setFavorite(ids, !favorite)
    },
    {
      icon: "share",
      name: shareable ? "Make private" : "Share",
      run: () => void setShareable(ids, !shareable)
    },
    { icon: "folder", name: "File in…", run: () => open({ kind: "collection", ids }) },
    { icon: "tag", name: "Tags…", run: () => open({ kind: "tags", ids }) },
    { icon: "all", name: "Category…", run: () => open({ kind: "category", ids }) },
    { icon: "unread", name: "State", menu: STATE },
    { icon: "refresh", name: "Refresh", run: () => void refreshAll(ids) },
    { icon: "copy", name: "Copy", menu: COPY, isLocal: true },
    { icon: "trash", name: "Delete", run: () => void deleteLinks(ids) },
    { icon: "close", name: "Clear", run: clearSelection, isLocal: true }
  ]
}

const steps: Readonly<Record<string, (at: number, count: number) => number>> = {
  ArrowRight: (at, count) => (at + 1) % count,
  ArrowLeft: (at, count) => (at + count - 1) % count,
  Home: () => 0,
  End: (_, count) => count - 1
}

/** A toolbar: Tab reaches one of its buttons, and the arrow keys move between them (WAI-ARIA APG, toolbar). */
const Toolbar = ({ commands }: { readonly commands: ReadonlyArray<Command> }) => {
  const [stop, setStop] = useState(0)
  const bar = useRef<HTMLDivElement>(null)
  return (
    <div
      ref={bar}
      class="bulk-tools"
      role="toolbar"
      aria-label="Change the selected links"
      onKeyDown={(event) => {
        const next = steps[event.key]?.(stop, commands.length)
        if (next === undefined) return
        event.preventDefault()
        bar.current?.querySelectorAll("button")[next]?.focus()
      }}
    >
      {commands.map(({ icon, isLocal, menu, name, run }, at) => (
        <button
          key={icon}
          type="button"
          class="button"
          data-kind="quiet"
          tabIndex={at === stop ? 0 : -1}
          popovertarget={menu}
          data-menu={menu}
          {...(isLocal ? {} : needsService())}
          onFocus={() => setStop(at)}
          onClick={() => void run?.()}
        >
          <Icon name={icon} />
          {name}
        </button>
      ))}
    </div>
  )
}

const copyLinks = async (ids: ReadonlyArray<number>, kind: "markdown" | "urls"): Promise<void> => {
  const links = copyableLinks(ids)
  try {
    await copyText(kind === "markdown" ? asMarkdown(links) : asUrls(links))
    tell(`Copied ${count(links.length, "link")}.`)
  } catch (error) {
    tellFailure("Not copied.", error)
  }
}

const CopyMenu = ({ ids }: { readonly ids: ReadonlyArray<number> }) => {
  const menu = useRef<HTMLDivElement>(null)
  const copy = (kind: "markdown" | "urls") => {
    menu.current?.hidePopover()
    void copyLinks(ids, kind)
  }
  return (
    <div ref={menu} id={COPY} class="bulk-menu" popover="auto">
      <button type="button" class="button" data-kind="quiet" onClick={() => copy("markdown")}>
        As a Markdown list
      </button>
      <button type="button" class="button" data-kind="quiet" onClick={() => copy("urls")}>
        As plain addresses
      </button>
    </div>
  )
}

const StateMenu = ({ ids }: { readonly ids: ReadonlyArray<number> }) => {
  const menu = useRef<HTMLDivElement>(null)
  return (
    <div ref={menu} id={STATE} class="bulk-menu" popover="auto">
      {states.map(({ icon, name, state }) => (
        <button
          key={state}
          type="button"
          class="button"
          data-kind="quiet"
          onClick={() => {
            menu.current?.hidePopover()
            void setState(ids, state)
          }}
        >
          <Icon name={icon} />
          {name}
        </button>
      ))}
    </div>
  )
}

/** The button that selects all matching links, loaded or not, and its progress. */
const SelectMatching = ({ selectedCount }: { readonly selectedCount: number }) => {
  const { ids = [], total = 0 } = listing.value ?? {}
  const progress = matching.value
  if (progress !== null)
    return (
      <span class="bulk-matching">
        <progress aria-label="Selecting all matching" value={progress.done} max={progress.total} />
        <button type="button" class="link-button" onClick={cancelMatching}>
          Stop
        </button>
      </span>
    )
  const isAllShown = ids.length > 0 && ids.every((id) => selected.value.has(id))
  if (!isAllShown || total <= selectedCount) return null
  return (
    <button type="button" class="link-button" onClick={() => void selectMatching()}>
      Select all {total.toLocaleString("en")} matching
    </button>
  )
}

const Bar = () => {
  const ids = selectedIds.value
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
      class="bulk"
      aria-label="Selected links"
      onKeyDown={(event) => {
        if (event.key !== "Escape" || document.querySelector(".bulk-menu:popover-open") !== null) return
        event.preventDefault()
        clearSelection()
      }}
    >
      <p class="bulk-count">
        <strong>{ids.length.toLocaleString("en")} selected</strong>{" "}
        <SelectMatching selectedCount={ids.length} />
      </p>
      <Toolbar commands={commandsFor(ids)} />
      <CopyMenu ids={ids} />
      <StateMenu ids={ids} />
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
