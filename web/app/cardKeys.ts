import { effect } from "@preact/signals"
import { selecting, toggle } from "./state/selection.ts"
import { focusable } from "./tabStops.ts"

const cardOf = (target: unknown): HTMLElement | null =>
  target instanceof Element ? target.closest<HTMLElement>(".links .card") : null

/** The elements of a card that the arrow keys reach: its buttons, then its links. The checkbox has a key. */
const stopsOf = (card: Element): ReadonlyArray<HTMLElement> => {
  const all = [...card.querySelectorAll<HTMLElement>(focusable)].filter(
    (element) => !element.matches("input, :disabled, [aria-hidden=true]") && element.checkVisibility()
  )
  const isControl = (element: HTMLElement) => element.closest(".card-controls") !== null
  return [...all.filter(isControl), ...all.filter((element) => !isControl(element))]
}

/** Moves the focus from a card to its elements, or along them; false if the focus is not in a card. */
export const moveInCard = (by: 1 | -1): boolean => {
  const focus = document.activeElement
  const card = cardOf(focus)
  if (card === null) return false
  const stops = stopsOf(card)
  const at = stops.findIndex((stop) => stop.contains(focus))
  const next = at === -1 ? (by === 1 ? 0 : stops.length - 1) : (at + by + stops.length) % stops.length
  stops[next]?.focus()
  return stops.length > 0
}

/** Moves the focus from inside a card to the card; false if it is not inside one. */
export const leaveCard = (): boolean => {
  const card = cardOf(document.activeElement)
  if (card === null || card === document.activeElement) return false
  card.focus({ preventScroll: true })
  return true
}

const inCard: Readonly<Record<string, 1 | -1>> = { ArrowRight: 1, ArrowLeft: -1 }

/** Moves along the elements of a card with the arrow keys, and selects cards by taps while the user selects. */
export const startCardKeys = (): void => {
  // Before the layout's own keys, which move between cards.
  window.addEventListener(
    "keydown",
    (event) => {
      const by = inCard[event.key]
      const card = cardOf(event.target)
      if (by === undefined || card === null || card === event.target) return
      if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
      moveInCard(by)
      event.preventDefault()
      event.stopPropagation()
    },
    { capture: true }
  )
  window.addEventListener(
    "click",
    (event) => {
      const card = cardOf(event.target)
      // A key that presses a control has no detail.
      if (!selecting.peek() || card === null || event.detail === 0) return
      event.preventDefault()
      event.stopPropagation()
      toggle(Number(card.id.slice("link-".length)))
    },
    { capture: true }
  )
  effect(() => {
    document.getElementById("app")?.toggleAttribute("data-selecting", selecting.value)
  })
}
