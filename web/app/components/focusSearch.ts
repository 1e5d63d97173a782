/** The search field's id. */
export const SEARCH = "search"

/** Puts the focus into the search field, its text selected, so that typing begins another search. */
export const focusSearch = (): void => {
  const field = document.getElementById(SEARCH)
  if (!(field instanceof HTMLInputElement)) return
  field.focus()
  field.select()
}
