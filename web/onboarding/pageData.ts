/** Reads the data with which the service rendered this page; null if there is none. */
export const readPageData = <A>(): A | null => {
  const text = document.getElementById("data")?.textContent
  return text == null ? null : JSON.parse(text)
}
