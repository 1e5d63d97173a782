import { computed, signal } from "@preact/signals"
import { firstVisible, listing } from "./list.ts"
import { route } from "./route.ts"

/** The current link of keyboard navigation. */
export const current = signal<number | null>(null)

/** The selected links, for bulk changes. */
export const selected = signal<ReadonlySet<number>>(new Set())

/** Whether a tap on a card selects it, for screens without a pointer. */
export const selecting = signal(false)

export const selectedIds = computed(() => [...selected.value])

let anchor: number | null = null

const write = (change: (ids: Set<number>) => void) => {
  const ids = new Set(selected.value)
  change(ids)
  selected.value = ids
}

export const toggle = (id: number): void => {
  anchor = id
  write((ids) => {
    if (!ids.delete(id)) ids.add(id)
  })
}

/** Selects the range from the link toggled last to this one. */
export const selectRange = (id: number): void => {
  const all = listing.value?.ids ?? []
  const from = anchor === null ? -1 : all.indexOf(anchor)
  const to = all.indexOf(id)
  if (from === -1 || to === -1) {
    toggle(id)
    return
  }
  write((ids) => {
    for (const one of all.slice(Math.min(from, to), Math.max(from, to) + 1)) ids.add(one)
  })
}

export const select = (ids: ReadonlyArray<number>): void => {
  selected.value = new Set(ids)
}

export const deselect = (ids: ReadonlyArray<number>): void =>
  write((all) => {
    for (const id of ids) all.delete(id)
  })

/** Starts selecting by tapping cards; clearing the selection ends it. */
export const startSelecting = (): void => {
  selecting.value = true
}

/** Returns whether there was anything to clear. */
export const clearSelection = (): boolean => {
  anchor = null
  const had = selecting.peek() || selected.peek().size > 0
  selecting.value = false
  if (selected.peek().size > 0) selected.value = new Set()
  return had
}

/** The links of the shown list; none on another page. */
export const shown = (): ReadonlyArray<number> =>
  route.value.page === "library" ? (listing.value?.ids ?? []) : []

/** The current link of keyboard navigation, if it is in the shown list. */
export const currentLink = (): number | undefined => shown().find((id) => id === current.value)

/** The links that an action applies to: the selection, or else the current link. */
export const targets = (): ReadonlyArray<number> =>
  selected.value.size > 0 ? selectedIds.value : current.value === null ? [] : [current.value]

/** Moves the current link by a number of links, starting at the first visible one; false if it cannot move. */
export const move = (by: number): boolean => {
  const ids = listing.value?.ids ?? []
  const at = current.value === null ? -1 : ids.indexOf(current.value)
  const next = ids[at === -1 ? firstVisible.index : Math.min(ids.length - 1, Math.max(0, at + by))]
  if (next === undefined || next === current.value) return false
  current.value = next
  return true
}
