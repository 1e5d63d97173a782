import { batch } from "@preact/signals"
import { leaveCard, moveInCard } from "../cardKeys.ts"
import { focusSidebarFilter } from "../components/focus.ts"
import { close, dialog, open } from "../state/dialogs.ts"
import { route } from "../state/route.ts"
import {
  clearSelection,
  current,
  currentLink,
  move,
  select,
  selected,
  selectRange,
  shown
} from "../state/selection.ts"
import { register } from "./registry.ts"

const inLibrary = () => route.value.page === "library"

const goTo = (id: number | undefined): boolean => {
  if (id === undefined) return false
  current.value = id
  return true
}

/** Moves by this many links and extends the selection to the link reached. */
const extend = (by: number) => () =>
  batch(() => {
    const before = currentLink()
    if (before !== undefined && !selected.value.has(before)) selectRange(before)
    const moved = move(by)
    const after = currentLink()
    if (after !== undefined && !selected.value.has(after)) selectRange(after)
    return moved
  })

/** A movement in the list, which repeats while its key is held. */
const inList = (name: string, keys: ReadonlyArray<string>, perform: () => unknown) => ({
  name,
  group: "Move" as const,
  keys,
  keyOnly: true as const,
  repeats: true as const,
  isAvailable: inLibrary,
  perform
})

register(
  inList("Next link", ["j", "ArrowDown"], () => move(1)),
  inList("Previous link", ["k", "ArrowUp"], () => move(-1)),
  inList("First link", ["g g"], () => goTo(shown()[0])),
  inList("Last link", ["Shift+g"], () => goTo(shown().at(-1))),
  inList("To the link’s first button", ["ArrowRight", "F2"], () => moveInCard(1)),
  inList("To the link’s last label", ["ArrowLeft"], () => moveInCard(-1)),
  {
    name: "Back to the link, then clear the selection",
    group: "Move",
    keys: ["Escape"],
    keyOnly: true,
    perform: () => leaveCard() || clearSelection()
  },
  { ...inList("Extend the selection down", ["Shift+ArrowDown"], extend(1)), group: "Selection" },
  { ...inList("Extend the selection up", ["Shift+ArrowUp"], extend(-1)), group: "Selection" },
  {
    name: "Select all loaded",
    group: "Selection",
    keys: ["Mod+a"],
    isAvailable: () => shown().length > 0,
    perform: () => select(shown())
  },
  {
    name: "Filter the sidebar",
    group: "Library",
    keys: ["Shift+f"],
    keyOnly: true,
    perform: focusSidebarFilter
  },
  {
    name: "Commands",
    group: "Library",
    icon: "keyboard",
    keys: ["Mod+k"],
    keyOnly: true,
    perform: () => (dialog.value?.kind === "palette" ? close() : open({ kind: "palette" }))
  }
)
