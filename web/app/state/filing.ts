import { inTreeOrder } from "../tree.ts"
import { movedTo } from "../treeMoves.ts"
import { setCollection } from "./changes.ts"
import { needsService } from "./connection.ts"
import { ask } from "./dialogs.ts"
import { meta } from "./meta.ts"
import { selected, selectedIds } from "./selection.ts"
import { moveCollection } from "./things.ts"

/** What is dragged from a list or the sidebar. */
type Held = { readonly links: ReadonlyArray<number> } | { readonly collection: number }

const collectionAt = (target: EventTarget | null) =>
  target instanceof Element ? target.closest<HTMLElement>("[data-collection]") : null
/** The number of a collection; not a number where links lie in none. */
const numberOf = (element: HTMLElement) => Number(element.dataset["collection"])

const heldAt = (target: EventTarget | null): Held | undefined => {
  const place = collectionAt(target)
  if (place !== null) return Number.isNaN(numberOf(place)) ? undefined : { collection: numberOf(place) }
  const card = target instanceof Element ? /^link-(\d+)$/.exec(target.closest(".card")?.id ?? "") : null
  if (card === null) return undefined
  const id = Number(card[1])
  return { links: selected.peek().has(id) ? selectedIds.peek() : [id] }
}

/** Links go into a collection; another collection beside it too, at its upper and lower edge. */
const destinationAt = (held: Held, element: HTMLElement, y: number) => {
  const { height, top } = element.getBoundingClientRect()
  const part = (y - top) / height
  const id = numberOf(element)
  if ("links" in held || (part > 0.25 && part < 0.75)) return { inside: id }
  return part < 0.5 ? { before: id } : { after: id }
}

/** The shared collection in which something at this place would be public. */
const sharedAround = (id: number | null) => {
  const all = meta.peek()?.collections ?? []
  let at = all.find((one) => one.id === id)
  while (at !== undefined && !at.shareable) {
    const { parent } = at
    at = all.find((one) => one.id === parent)
  }
  return at
}

/** A drop may be a slip: into a shared collection it publishes only after a question. */
const askIfPublic = (place: number | null, run: () => void) => {
  const shared = sharedAround(place)
  if (shared === undefined) return run()
  ask({
    title: `Move it into “${shared.name}”?`,
    text: "This collection is shared: everyone can then see it on the public list.",
    confirm: "Move and share",
    run
  })
}

const steps = { ArrowUp: "up", ArrowDown: "down", ArrowLeft: "out", ArrowRight: "in" } as const

/**
 * Files links and moves collections: by dragging them onto a collection, and a focused collection by Alt, Shift and an
 * arrow key.
 */
export const startFiling = (): void => {
  let held: Held | undefined
  let marked: HTMLElement | null = null
  const mark = (element: HTMLElement | null, where = "") => {
    if (marked !== element) marked?.removeAttribute("data-drop")
    marked = element
    element?.setAttribute("data-drop", where)
  }
  const find = ({ clientY, target }: DragEvent) => {
    const element = collectionAt(target)
    if (held === undefined || element === null || needsService()["aria-disabled"] === true) return undefined
    const to = destinationAt(held, element, clientY)
    if ("links" in held) return { element, to, held }
    if (Number.isNaN(numberOf(element))) return undefined
    const moved = movedTo(inTreeOrder(meta.peek()?.collections ?? []), held.collection, to)
    return moved === undefined ? undefined : { element, to, held, moved }
  }

  window.addEventListener("dragstart", ({ dataTransfer, target }) => {
    held = heldAt(target)
    if (held !== undefined && dataTransfer !== null) dataTransfer.effectAllowed = "all"
  })
  window.addEventListener("dragend", () => {
    held = undefined
    mark(null)
  })
  window.addEventListener("dragover", (event) => {
    const found = find(event)
    mark(found?.element ?? null, Object.keys(found?.to ?? {})[0])
    if (found === undefined || event.dataTransfer === null) return
    event.preventDefault()
    event.dataTransfer.dropEffect = "move"
  })
  window.addEventListener("drop", (event) => {
    const found = find(event)
    mark(null)
    if (found === undefined) return
    event.preventDefault()
    const { held, to } = found
    if ("links" in held) {
      const place = numberOf(found.element)
      const name = meta.peek()?.collections.find(({ id }) => id === place)?.name
      if (Number.isNaN(place)) void setCollection(held.links, null)
      else if (name !== undefined) askIfPublic(place, () => void setCollection(held.links, name))
    } else if (found.moved?.parent == null) void moveCollection(held.collection, to)
    else askIfPublic(found.moved.parent, () => void moveCollection(held.collection, to))
  })
  window.addEventListener("keydown", (event) => {
    const element = collectionAt(event.target)
    const step = Object.entries(steps).find(([key]) => key === event.key)?.[1]
    if (element === null || step === undefined || !event.altKey || !event.shiftKey) return
    const id = numberOf(element)
    if (Number.isNaN(id)) return
    event.preventDefault()
    void moveCollection(id, step).then((isDone) => {
      // The browser takes the focus off an element that is put elsewhere.
      if (isDone && document.activeElement === document.body)
        document.querySelector<HTMLElement>(`a[data-collection="${id}"]`)?.focus()
    })
  })
}
