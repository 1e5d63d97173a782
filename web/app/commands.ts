import { batch } from "@preact/signals"
import { allHave, refreshAll } from "./components/bulk.ts"
import { focusSearch } from "./components/focusSearch.ts"
import { openOutward } from "./href.ts"
import { setFavorite, setShareable } from "./state/changes.ts"
import { close, dialog, open } from "./state/dialogs.ts"
import { peekLink } from "./state/entities.ts"
import { refreshLink } from "./state/jobs.ts"
import { listing } from "./state/list.ts"
import { everything, type Filters, navigate, place, show } from "./state/place.ts"
import { nextTheme, toggleDensity } from "./state/preferences.ts"
import { pauseReading, reading, readPages, unread } from "./state/reading.ts"
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

/** Something the app can be told to do. */
export interface Command {
  readonly name: string
  readonly group: "Move" | "Links" | "Go to" | "Library"
  /**
   * What calls it: keys as in `KeyboardEvent.key`, letters in lower case, with `Shift+` before a letter or a named key
   * and `Mod+` for Ctrl or Cmd; a space stands between two keys that are pressed one after the other.
   */
  readonly keys?: ReadonlyArray<string>
  /** Does it; false where there was nothing to do, so that its key is the browser's. */
  readonly run: () => unknown
  /** Whether it can be done now; absent where it always can. */
  readonly can?: () => boolean
  /** It makes sense from a key alone: the palette leaves it out. */
  readonly keyOnly?: true
}

type Ids = ReadonlyArray<number>

const inLibrary = () => place.value.page === "library"

const shown = (): Ids => (inLibrary() ? (listing.value?.ids ?? []) : [])

/** What a command on links is for; nothing where the list is not to be seen. */
const many = (): Ids => (inLibrary() ? targets() : [])

const withMany = (run: (ids: Ids) => unknown) => ({ can: () => many().length > 0, run: () => run(many()) })

/** The link the keyboard stands on, where it is to be seen. */
const one = (): number | undefined => shown().find((id) => id === current.value)

const withOne = (run: (id: number) => unknown) => ({
  can: () => one() !== undefined,
  run: () => {
    const id = one()
    return id !== undefined && run(id)
  }
})

const goTo = (id: number | undefined): boolean => {
  if (id === undefined) return false
  current.value = id
  return true
}

const step = (by: number) => () => inLibrary() && move(by)

/** Moves the end of the selection along with the keyboard. */
const extend = (by: number) => () =>
  inLibrary() &&
  batch(() => {
    const before = one()
    if (before !== undefined && !selected.value.has(before)) selectRange(before)
    const moved = move(by)
    const after = one()
    if (after !== undefined && !selected.value.has(after)) selectRange(after)
    return moved
  })

const openLink = (id: number) => {
  const link = peekLink(id)
  if (link !== undefined) openOutward(link.url)
}

const view = (name: string, keys: ReadonlyArray<string>, filters: Filters): Command => ({
  name,
  group: "Go to",
  keys,
  run: () => show(filters)
})

/** Everything that has a key or stands in the palette, in the order in which it is shown. */
export const commands: ReadonlyArray<Command> = [
  { name: "Next link", group: "Move", keys: ["j", "ArrowDown"], keyOnly: true, run: step(1) },
  { name: "Previous link", group: "Move", keys: ["k", "ArrowUp"], keyOnly: true, run: step(-1) },
  { name: "First link", group: "Move", keys: ["g g"], keyOnly: true, run: () => goTo(shown()[0]) },
  { name: "Last link", group: "Move", keys: ["Shift+g"], keyOnly: true, run: () => goTo(shown().at(-1)) },

  { name: "Open", group: "Links", keys: ["o", "Enter"], ...withOne(openLink) },
  {
    name: "Toggle favorite",
    group: "Links",
    keys: ["f"],
    ...withMany((ids) => setFavorite(ids, !allHave("favorite", ids)))
  },
  {
    name: "Share or make private",
    group: "Links",
    keys: ["s"],
    ...withMany((ids) => setShareable(ids, !allHave("shareable", ids)))
  },
  { name: "File in…", group: "Links", keys: ["m"], ...withMany((ids) => open({ kind: "collection", ids })) },
  { name: "Category…", group: "Links", keys: ["c"], ...withMany((ids) => open({ kind: "category", ids })) },
  { name: "Edit…", group: "Links", keys: ["e"], ...withOne((id) => open({ kind: "edit", id })) },
  {
    name: "Refresh",
    group: "Links",
    keys: ["r"],
    ...withMany((ids) => (ids.length === 1 && ids[0] !== undefined ? refreshLink(ids[0]) : refreshAll(ids)))
  },
  { name: "Show similar links", group: "Links", ...withOne((like) => show({ q: "", like })) },
  { name: "Delete…", group: "Links", keys: ["#"], ...withMany((ids) => open({ kind: "delete", ids })) },
  { name: "Toggle selection", group: "Links", keys: ["x"], ...withOne(toggle) },
  {
    name: "Select up to here",
    group: "Links",
    keys: ["Shift+x"],
    keyOnly: true,
    ...withOne(selectRange)
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
    can: () => shown().length > 0,
    run: () => select(shown())
  },
  {
    name: "Clear the selection",
    group: "Links",
    keys: ["Escape"],
    can: () => selected.value.size > 0,
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
    can: () => unread.value > 0 && reading.value === undefined,
    run: readPages
  },
  {
    name: "Pause reading pages",
    group: "Library",
    can: () => reading.value !== undefined,
    run: pauseReading
  },
  { name: "Organize…", group: "Library", run: () => open({ kind: "organize" }) },
  { name: "Recategorize…", group: "Library", run: () => open({ kind: "recategorize" }) },
  { name: "Cards or rows", group: "Library", keys: ["Shift+d"], run: toggleDensity },
  { name: "Theme: system, light or dark", group: "Library", run: nextTheme },
  { name: "Keyboard shortcuts", group: "Library", keys: ["?"], run: () => open({ kind: "shortcuts" }) }
]
