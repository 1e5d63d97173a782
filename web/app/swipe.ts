import { setFavorite } from "./state/changes.ts"
import { outage } from "./state/connection.ts"
import { open } from "./state/dialogs.ts"
import { peekLink } from "./state/entities.ts"
import { selecting } from "./state/selection.ts"

/** How far a finger moves sideways before a swipe starts, and before it acts when lifted, in pixels. */
const START = 12
const ACT = 72

interface Swipe {
  readonly id: number
  readonly card: HTMLElement
  readonly x: number
  readonly y: number
  by: number
}

const file = (id: number) => open({ kind: "collection", ids: [id] })
const favorite = (id: number) => void setFavorite([id], !isFavorite(id))
const isFavorite = (id: number) => peekLink(id)?.favorite === true

const hintOf = ({ by, id }: Swipe) => (by < 0 ? "File in…" : isFavorite(id) ? "Unfavorite" : "Favorite")

/** Shows how far the card is and what lifting the finger would do. */
const show = (swipe: Swipe) => {
  const { by, card } = swipe
  card.style.translate = `${by}px`
  card.dataset["swipe"] = by < 0 ? "file" : "favorite"
  card.dataset["hint"] = hintOf(swipe)
  card.dataset["acts"] = String(Math.abs(by) >= ACT)
}

const settle = ({ card }: Swipe) => {
  card.style.translate = ""
  for (const name of ["swipe", "hint", "acts"]) delete card.dataset[name]
}

const begin = (event: PointerEvent): Swipe | undefined => {
  const card = event.target instanceof Element ? event.target.closest<HTMLElement>(".links .card") : null
  if (event.pointerType !== "touch" || card === null) return undefined
  if (selecting.peek() || outage.peek() !== undefined) return undefined
  return { id: Number(card.id.slice("link-".length)), card, x: event.clientX, y: event.clientY, by: 0 }
}

/** Lets a finger swipe cards: to the right to favorite, to the left to file. A mouse and a keyboard have buttons for both. */
export const startSwipes = (): void => {
  let swipe: Swipe | undefined
  let isSideways = false

  window.addEventListener("pointerdown", (event) => {
    if (swipe !== undefined) settle(swipe)
    isSideways = false
    swipe = event.isPrimary ? begin(event) : undefined
  })
  window.addEventListener("pointermove", (event) => {
    if (swipe === undefined) return
    const [right, down] = [event.clientX - swipe.x, event.clientY - swipe.y]
    if (!isSideways) {
      if (Math.abs(right) < START && Math.abs(down) < START) return
      if (Math.abs(right) <= Math.abs(down)) {
        swipe = undefined
        return
      }
      isSideways = true
    }
    swipe.by = right
    show(swipe)
  })
  window.addEventListener("pointerup", () => {
    const done = swipe
    swipe = undefined
    if (done === undefined || !isSideways) return
    settle(done)
    if (Math.abs(done.by) < ACT) return
    if (done.by < 0) file(done.id)
    else favorite(done.id)
  })
  // The browser has taken over, to scroll.
  window.addEventListener("pointercancel", () => {
    if (swipe !== undefined) settle(swipe)
    swipe = undefined
  })
  // The click that follows a swipe would open the link under the finger.
  window.addEventListener(
    "click",
    (event) => {
      if (!isSideways) return
      isSideways = false
      event.preventDefault()
      event.stopPropagation()
    },
    { capture: true }
  )
}
