import { current } from "../state/selection.ts"

/** Focuses the current link of the list, or else the page's main part. */
export const focusList = (): void => {
  const card = document.getElementById(`link-${current.peek()}`) ?? document.getElementById("main")
  card?.focus({ preventScroll: true })
}
