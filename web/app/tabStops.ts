/** What takes the focus within a card. */
export const focusable = "a[href], button, input, select, textarea, summary, [tabindex]"

/** Takes the elements inside cards out of the order of the Tab key. */
const takeTabStops = (within: Element) => {
  for (const element of within.querySelectorAll<HTMLElement>(`.links .card :is(${focusable})`))
    if (element.tabIndex === 0) element.tabIndex = -1
}

/** The height that the header covers, in pixels. */
const COVERED = 60

let lent: HTMLElement | undefined

/** Lets the Tab key stop at the first visible card while the current one is not shown. */
const lendTabStop = () => {
  const stops = [...document.querySelectorAll<HTMLElement>('.links .card[tabindex="0"]')]
  if (stops.length > 1 && lent !== undefined) lent.tabIndex = -1
  if (stops.length > 0) return
  const cards = [...document.querySelectorAll<HTMLElement>(".links .card")]
  lent = cards.find((card) => card.getBoundingClientRect().bottom > COVERED)
  if (lent !== undefined) lent.tabIndex = 0
}

/** Makes the list one stop of the Tab key. */
export const startTabStops = (page: Element): void => {
  new MutationObserver(() => {
    takeTabStops(page)
    lendTabStop()
  }).observe(page, { childList: true, subtree: true, attributeFilter: ["tabindex"] })
  takeTabStops(page)
  lendTabStop()
}
