import { current } from "../state/selection.ts"

/** Puts the focus into the list: on the link the keyboard stands on, else on the page's main part. */
export const focusList = (): void => {
  const card = document.getElementById(`link-${current.peek()}`) ?? document.getElementById("main")
  card?.focus({ preventScroll: true })
}
