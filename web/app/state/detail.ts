import { effect, signal } from "@preact/signals"
import { dialog } from "./dialogs.ts"
import { listing } from "./list.ts"
import { entry, navigate, route, shownLink, wide } from "./route.ts"
import { current, selecting } from "./selection.ts"

/** Shows another link in detail, or none; `push` adds a history entry for the back button. */
const showLink = (id: number | undefined, { push = false } = {}): void => {
  const url = new URL(location.href)
  if (id === undefined) url.searchParams.delete("link")
  else url.searchParams.set("link", String(id))
  if (push) history.pushState({ entry: entry.value, isSheet: true }, "", url)
  else history.replaceState(history.state, "", url)
  shownLink.value = id
}

/** Whether the back button closes the shown details. */
const isSheetEntry = (): boolean => {
  const state: unknown = history.state
  return typeof state === "object" && state !== null && "isSheet" in state
}

/** Whether a link's details stand beside the list; on smaller screens they are a sheet over it. */
export const isDocked = signal(wide.matches)

/** Shows a link's details; false where there is no list to show them with. */
export const openDetail = (id: number): boolean => {
  if (route.peek().page !== "library") return false
  if (listing.peek()?.ids.includes(id)) current.value = id
  if (shownLink.peek() !== id) showLink(id, { push: !isDocked.peek() && shownLink.peek() === undefined })
  return true
}

/** Shows a link's details once a closing dialog has returned the focus, which would select another link. */
export const openDetailAfterDialog = (id: number): void =>
  void setTimeout(() => {
    if (!openDetail(id)) navigate(`/dashboard?link=${id}`)
  })

export const closeDetail = (): void => {
  if (shownLink.peek() === undefined) return
  if (isSheetEntry()) {
    shownLink.value = undefined
    history.back()
  } else showLink(undefined)
}

/** Shows a link's details, or closes them if they are shown. */
export const toggleDetail = (id: number): boolean => {
  if (shownLink.peek() !== id) return openDetail(id)
  closeDetail()
  return true
}

/** The text of a link that is to be edited where its details show it. */
export const editing = signal<{ readonly id: number; readonly name: "title" | "note" } | null>(null)

/** Shows a link's details, and edits one of its texts there. */
export const editInDetail = (id: number, name: "title" | "note" = "title"): void => {
  editing.value = { id, name }
  if (!openDetail(id)) navigate(`/dashboard?link=${id}`)
}

/** The id of the details beside the list. */
export const DETAIL = "detail"

/** Shows a link's details and moves the focus into them. */
export const enterDetail = (id: number): boolean => {
  const isShown = openDetail(id)
  if (isShown) focusDetail()
  return isShown
}

/** How many frames the details may take to appear. */
const FRAMES = 120

const focusDetail = (frames = FRAMES) =>
  requestAnimationFrame(() => {
    const pane = document.getElementById(DETAIL)
    if (pane !== null) pane.focus()
    else if (frames > 0) focusDetail(frames - 1)
  })

/** The controls of a card, whose clicks and keys are their own. */
const CONTROLS = "a[href], button, input, label, summary, select, textarea, [role=button], [role=option]"

const isPlain = ({ altKey, ctrlKey, metaKey, shiftKey }: MouseEvent | KeyboardEvent) =>
  !altKey && !ctrlKey && !metaKey && !shiftKey

const isCovered = () =>
  dialog.peek() !== null ||
  document.querySelector("dialog[open], :popover-open:not([popover=manual])") !== null

/** Opens the details of the card that was clicked, unless the click was for one of its controls. */
export const openClicked = (event: MouseEvent): void => {
  const { target } = event
  if (event.defaultPrevented || selecting.peek() || !isPlain(event) || !(target instanceof Element)) return
  const card = target.closest(".links .card")
  // A text was selected with the mouse.
  if (card === null || target.closest(CONTROLS) !== null || String(getSelection()) !== "") return
  openDetail(Number(card.id.slice("link-".length)))
}

/** Lets Escape close the details, and follows the current link. */
export const startDetail = (): void => {
  wide.addEventListener("change", () => {
    isDocked.value = wide.matches
  })
  window.addEventListener("keydown", (event) => {
    const { key, target } = event
    if (event.defaultPrevented || event.isComposing || !isPlain(event) || isCovered()) return
    const focus = target instanceof Element ? target : document.body
    if (key !== "Escape" || shownLink.peek() === undefined || focus.matches("input, textarea, select")) return
    event.preventDefault()
    closeDetail()
  })
  effect(() => {
    const id = current.value
    if (id !== null && isDocked.peek() && shownLink.peek() !== undefined && shownLink.peek() !== id)
      showLink(id)
  })
}
