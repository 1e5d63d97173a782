/** The search field's id. */
export const SEARCH = "search"

/** Focuses the search field and selects its text. */
export const focusSearch = (): void => {
  const field = document.getElementById(SEARCH)
  if (!(field instanceof HTMLInputElement)) return
  field.focus()
  field.select()
}
