import { useLayoutEffect, useRef, useState } from "preact/hooks"
import { setFavorite, setShareable } from "../state/changes.ts"
import { open } from "../state/dialogs.ts"
import { listing } from "../state/list.ts"
import { cancelMatching, matching, selectMatching } from "../state/matching.ts"
import { clearSelection, selected, selectedIds } from "../state/selection.ts"
import { allHave, copyLinks, refreshAll } from "./bulk.ts"
import { focusList } from "./focus.ts"
import { Icon, type IconName } from "./Icon.tsx"

interface Command {
  readonly icon: IconName
  readonly name: string
  readonly run?: () => void
  /** The menu it opens, by its id. */
  readonly menu?: string
}

const COPY = "bulk-copy"

const commandsFor = (ids: ReadonlyArray<number>): ReadonlyArray<Command> => {
  const favorite = allHave("favorite", ids)
  const shareable = allHave("shareable", ids)
  return [
    {
      icon: "star",
      name: favorite ? "Not favorite" : "Favorite",
      run: () => void setFavorite(ids, !favorite)
    },
    {
      icon: "share",
      name: shareable ? "Make private" : "Share",
      run: () => void setShareable(ids, !shareable)
    },
    { icon: "folder", name: "File in…", run: () => open({ kind: "collection", ids }) },
    { icon: "tag", name: "Category…", run: () => open({ kind: "category", ids }) },
    { icon: "refresh", name: "Refresh", run: () => void refreshAll(ids) },
    { icon: "copy", name: "Copy", menu: COPY },
    { icon: "trash", name: "Delete…", run: () => open({ kind: "delete", ids }) },
    { icon: "close", name: "Clear", run: clearSelection }
  ]
}

const steps: Readonly<Record<string, (at: number, count: number) => number>> = {
  ArrowRight: (at, count) => (at + 1) % count,
  ArrowLeft: (at, count) => (at + count - 1) % count,
  Home: () => 0,
  End: (_, count) => count - 1
}

/** Buttons of which one is a stop of the Tab key; arrow keys go to the others (WAI-ARIA APG, toolbar). */
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
      {commands.map(({ icon, menu, name, run }, at) => (
        <button
          key={icon}
          type="button"
          class="button"
          data-kind="quiet"
          tabIndex={at === stop ? 0 : -1}
          popovertarget={menu}
          onFocus={() => setStop(at)}
          onClick={run}
        >
          <Icon name={icon} />
          {name}
        </button>
      ))}
    </div>
  )
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

/** Selecting what the view has beyond what is loaded. */
const Matching = ({ count }: { readonly count: number }) => {
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
  if (!isAllShown || total <= count) return null
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
      // Its box would tell where it is while it moves in.
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
        if (event.key !== "Escape" || document.querySelector(`#${COPY}:popover-open`) !== null) return
        event.preventDefault()
        clearSelection()
      }}
    >
      <p class="bulk-count">
        <strong>{ids.length.toLocaleString("en")} selected</strong> <Matching count={ids.length} />
      </p>
      <Toolbar commands={commandsFor(ids)} />
      <CopyMenu ids={ids} />
    </section>
  )
}

/** What can be done with the selected links, at the bottom of the screen while there are any. */
export const BulkBar = () => {
  const count = selected.value.size
  return (
    <>
      <p class="visually-hidden" role="status">
        {count === 0 ? "" : `${count.toLocaleString("en")} selected`}
      </p>
      {count === 0 ? null : <Bar />}
    </>
  )
}
