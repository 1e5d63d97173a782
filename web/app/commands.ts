import { batch } from "@preact/signals"
import { focusSearch } from "./components/focus.ts"
import { openExternal } from "./externalLink.ts"
import { allHave, setFavorite, setShareable } from "./state/changes.ts"
import { close, dialog, open } from "./state/dialogs.ts"
import { peekLink } from "./state/entities.ts"
import { pauseReading, readingJob, readPages, refreshAll, refreshLink, unreadPages } from "./state/jobs.ts"
import { listing } from "./state/list.ts"
import { nextTheme, toggleDensity } from "./state/preferences.ts"
import { everything, type Filters, navigate, route, show } from "./state/route.ts"
import {
  clearSelection,
  current,
  move,
  select,
  selected,
  selectRange,
  targets,
  toggle
} from "./state/selection.ts"
import { runLatest } from "./state/toasts.ts"

/** A command of the palette and the keyboard. */
export interface Command {
  readonly name: string
  readonly group: "Move" | "Links" | "Go to" | "Library"
  /**
   * Its shortcuts: keys as in `KeyboardEvent.key`, letters in lower case, with `Shift+` before a letter or a named key
   * and `Mod+` for Ctrl or Cmd; a space separates two keys pressed one after the other.
   */
  readonly keys?: ReadonlyArray<string>
  /** Runs the command; returns false if there was nothing to do, so that the browser handles the key. */
  readonly run: () => unknown
  /** Whether the command is available now; always if absent. */
  readonly isAvailable?: () => boolean
  /** Whether it is useful from a key only; the palette omits it. */
  readonly keyOnly?: true
}

type Ids = ReadonlyArray<number>

const inLibrary = () => route.value.page === "library"

const shown = (): Ids => (inLibrary() ? (listing.value?.ids ?? []) : [])

/** The links that a bulk command applies to; none if the list is not shown. */
const targetLinks = (): Ids => (inLibrary() ? targets() : [])

const withTargets = (run: (ids: Ids) => unknown) => ({
  isAvailable: () => targetLinks().length > 0,
  run: () => run(targetLinks())
})

/** The current link of keyboard navigation, if it is in the shown list. */
const currentLink = (): number | undefined => shown().find((id) => id === current.value)

const withCurrent = (run: (id: number) => unknown) => ({
  isAvailable: () => currentLink() !== undefined,
  run: () => {
    const id = currentLink()
    return id !== undefined && run(id)
  }
})

const goTo = (id: number | undefined): boolean => {
  if (id === undefined) return false
  current.value = id
  return true
}

const step = (by: number) => () => inLibrary() && move(by)

/** Moves by this many links and extends the selection to the link reached. */
const extend = (by: number) => () =>
  inLibrary() &&
  batch(() => {
    const before = currentLink()
    if (before !== undefined && !selected.value.has(before)) selectRange(before)
    const moved = move(by)
    const after = currentLink()
    if (after !== undefined && !selected.value.has(after)) selectRange(after)
    return moved
  })

const openLink = (id: number) => {
  const link = peekLink(id)
  if (link !== undefined) openExternal(link.url)
}

const view = (name: string, keys: ReadonlyArray<string>, filters: Filters): Command => ({
  name,
  group: "Go to",
  keys,
  run: () => show(filters)
})

/** All commands with a key or in the palette, in display order. */
export const commands: ReadonlyArray<Command> = [
  { name: "Next link", group: "Move", keys: ["j", "ArrowDown"], keyOnly: true, run: step(1) },
  { name: "Previous link", group: "Move", keys: ["k", "ArrowUp"], keyOnly: true, run: step(-1) },
  { name: "First link", group: "Move", keys: ["g g"], keyOnly: true, run: () => goTo(shown()[0]) },
  { name: "Last link", group: "Move", keys: ["Shift+g"], keyOnly: true, run: () => goTo(shown().at(-1)) },

  { name: "Open", group: "Links", keys: ["o", "Enter"], ...withCurrent(openLink) },
  {
    name: "Toggle favorite",
    group: "Links",
    keys: ["f"],
    ...withTargets((ids) => setFavorite(ids, !allHave("favorite", ids)))
  },
  {
    name: "Share or make private",
    group: "Links",
    keys: ["s"],
    ...withTargets((ids) => setShareable(ids, !allHave("shareable", ids)))
  },
  {
    name: "File in…",
    group: "Links",
    keys: ["m"],
    ...withTargets((ids) => open({ kind: "collection", ids }))
  },
  {
    name: "Category…",
    group: "Links",
    keys: ["c"],
    ...withTargets((ids) => open({ kind: "category", ids }))
  },
  { name: "Edit…", group: "Links", keys: ["e"], ...withCurrent((id) => open({ kind: "edit", id })) },
  {
    name: "Refresh",
    group: "Links",
    keys: ["r"],
    ...withTargets((ids) =>
      ids.length === 1 && ids[0] !== undefined ? refreshLink(ids[0]) : refreshAll(ids)
    )
  },
  { name: "Show similar links", group: "Links", ...withCurrent((like) => show({ q: "", like })) },
  { name: "Delete…", group: "Links", keys: ["#"], ...withTargets((ids) => open({ kind: "delete", ids })) },
  { name: "Toggle selection", group: "Links", keys: ["x"], ...withCurrent(toggle) },
  {
    name: "Select up to here",
    group: "Links",
    keys: ["Shift+x"],
    keyOnly: true,
    ...withCurrent(selectRange)
  },
  {
    name: "Extend the selection down",
    group: "Links",
    keys: ["Shift+ArrowDown"],
    keyOnly: true,
    run: extend(1)
  },
  {
    name: "Extend the selection up",
    group: "Links",
    keys: ["Shift+ArrowUp"],
    keyOnly: true,
    run: extend(-1)
  },
  {
    name: "Select all loaded",
    group: "Links",
    keys: ["Mod+a"],
    isAvailable: () => shown().length > 0,
    run: () => select(shown())
  },
  {
    name: "Clear the selection",
    group: "Links",
    keys: ["Escape"],
    isAvailable: () => selected.value.size > 0,
    run: clearSelection
  },

  view("All links", ["g a"], everything),
  view("Unfiled links", ["g i"], { q: "", collection: "none" }),
  view("Favorites", ["g f"], { q: "", favorite: true }),
  view("Shared links", ["g s"], { q: "", shareable: true }),
  { name: "Find duplicates", group: "Go to", run: () => navigate("/dashboard/duplicates") },

  { name: "Search", group: "Library", keys: ["/"], keyOnly: true, run: focusSearch },
  {
    name: "Commands",
    group: "Library",
    keys: ["Mod+k"],
    keyOnly: true,
    run: () => (dialog.value?.kind === "palette" ? close() : open({ kind: "palette" }))
  },
  { name: "Add a link…", group: "Library", keys: ["a"], run: () => open({ kind: "add" }) },
  { name: "Undo", group: "Library", keys: ["z"], keyOnly: true, run: runLatest },
  { name: "Import a file…", group: "Library", run: () => open({ kind: "import" }) },
  { name: "Export as JSON, HTML or CSV…", group: "Library", run: () => open({ kind: "export" }) },
  {
    name: "Read the pages of imported links",
    group: "Library",
    isAvailable: () => unreadPages.value > 0 && readingJob.value === undefined,
    run: readPages
  },
  {
    name: "Pause reading pages",
    group: "Library",
    isAvailable: () => readingJob.value !== undefined,
    run: pauseReading
  },
  { name: "Organize…", group: "Library", run: () => open({ kind: "organize" }) },
  { name: "Recategorize…", group: "Library", run: () => open({ kind: "recategorize" }) },
  { name: "Cards or rows", group: "Library", keys: ["Shift+d"], run: toggleDensity },
  { name: "Theme: system, light or dark", group: "Library", run: nextTheme },
  { name: "Keyboard shortcuts", group: "Library", keys: ["?"], run: () => open({ kind: "shortcuts" }) }
]
