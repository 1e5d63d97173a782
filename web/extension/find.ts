import { readableHost } from "../../src/shared/HostName.ts"
import { asTyped } from "./asTyped.ts"
import { byId, elementOf, make } from "./dom.ts"
import type { LibraryLink } from "./library.ts"
import { askWorker } from "./questions.ts"
import { type Settings, searchAddress } from "./settings.ts"
import { text } from "./text.ts"

const row = ({ title, url }: LibraryLink): HTMLElement => {
  const item = make("li", "")
  const link = make("a", "found-link")
  link.href = url
  link.target = "_blank"
  link.rel = "noreferrer"
  const name = make("span", "found-title", title)
  name.dir = "auto"
  link.append(name, make("span", "quiet", readableHost(URL.parse(url)?.host ?? "")))
  item.append(link)
  return item
}

/** Searches the library from the popup: the first links while the user types, all of them in the dashboard. */
export const startSearch = (settings: Settings): void => {
  const field = byId("search", HTMLInputElement)
  const found = elementOf("found")
  const all = byId("found-all", HTMLAnchorElement)
  const links = (): ReadonlyArray<HTMLElement> => [...found.querySelectorAll("a")]

  const look = asTyped(
    async (words) => (words === "" ? undefined : askWorker("search", words)),
    (answer, words) => {
      if (words === "") return
      elementOf("found-links").replaceChildren(...(answer?.links ?? []).map(row))
      const count = answer?.total ?? 0
      elementOf("found-state").textContent =
        answer === undefined
          ? text("foundNot")
          : count === 0
            ? text("foundNone")
            : count === 1
              ? text("foundOne")
              : text("foundMany", count.toLocaleString())
    }
  )
  const change = () => {
    const words = field.value.trim()
    found.hidden = words === ""
    elementOf("page").hidden = words !== ""
    all.href = searchAddress(settings, words)
    look(words)
  }
  field.addEventListener("input", change)
  window.addEventListener("keydown", (event) => {
    const { key } = event
    if (found.hidden || (key !== "ArrowDown" && key !== "ArrowUp")) return
    event.preventDefault()
    const places = [field, ...links()]
    const { activeElement } = document
    const at = activeElement instanceof HTMLElement ? places.indexOf(activeElement) : -1
    places[Math.min(Math.max(at + (key === "ArrowDown" ? 1 : -1), 0), places.length - 1)]?.focus()
  })
  field.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && field.value.trim() !== "" && !event.isComposing) all.click()
    // The first Escape takes back the search, the next one closes the popup.
    if (event.key === "Escape" && field.value !== "") {
      event.preventDefault()
      event.stopPropagation()
      field.value = ""
      change()
    }
  })
  change()
}
