import { current } from "../state/selection.ts"

/** Focuses the current link of the list, or else the page's main element. */
export const focusList = (): void => {
  const card = document.getElementById(`link-${current.peek()}`) ?? document.getElementById("main")
  card?.focus({ preventScroll: true })
}

/** The id of the field that filters the sidebar. */
export const SIDEBAR_FILTER = "sidebar-filter"

/** Focuses the field that filters the sidebar; false if it is not shown. */
export const focusSidebarFilter = (): boolean => {
  const field = document.getElementById(SIDEBAR_FILTER)
  field?.focus()
  return document.activeElement === field
}

export const SEARCH = "search"

/** Focuses the search field and selects its text. */
export const focusSearch = (): void => {
  const field = document.getElementById(SEARCH)
  if (!(field instanceof HTMLInputElement)) return
  field.focus()
  field.select()
}
