import { makeSearch, type Piece, type Result, type Search } from "./searchEngine.ts"

const element = (tag: string, name: string, ...children: ReadonlyArray<Node | string>) => {
  const made = document.createElement(tag)
  if (name !== "") made.className = name
  made.append(...children)
  return made
}

const piece = ({ marked, text }: Piece) => (marked ? element("mark", "", text) : text)

const item = ({ excerpt, heading, href, page }: Result) => {
  const link = document.createElement("a")
  link.href = href
  link.append(
    element("span", "found-where", heading === "" ? page : `${page} › ${heading}`),
    element("span", "found-text", ...excerpt.map(piece))
  )
  return element("li", "", link)
}

/** The number of results in words, for screen readers. */
const resultCount = (count: number): string =>
  count === 0 ? "Nothing found" : count === 1 ? "1 result" : `${count} results`

/** The results as a list of links; without results, a sentence that says so. */
const resultList = (query: string, results: ReadonlyArray<Result>): HTMLElement =>
  results.length > 0
    ? element("ul", "", ...results.map(item))
    : element("p", "found-nothing", `Nothing found for “${query}”. Try fewer or other words.`)

const MAX_RESULTS = 12

const load = async (): Promise<Search> => {
  const response = await fetch(document.documentElement.dataset["search"] ?? "")
  if (!response.ok) throw new Error(`the index responded with ${response.status}`)
  return makeSearch(await response.json())
}

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(input|textarea|select)$/i.test(target.tagName))

const finderParts = () => {
  const finder = document.querySelector("search")
  const form = finder?.querySelector("form")
  const input = finder?.querySelector("input")
  const panel = finder?.querySelector<HTMLElement>(".found")
  const status = finder?.querySelector("[role=status]")
  return finder && form && input && panel && status ? { finder, form, input, panel, status } : null
}

/** Makes the search field search while typing; the index is loaded when the field is first focused. */
export const startFinder = (): void => {
  const parts = finderParts()
  if (parts === null) return
  const { finder, form, input, panel, status } = parts
  let loading: Promise<Search> | undefined
  const search = () => {
    loading ??= load().catch((error: unknown) => {
      loading = undefined
      throw error
    })
    return loading
  }

  const links = () => [...panel.querySelectorAll("a")]
  const close = () => {
    panel.hidden = true
  }
  const show = (query: string, results: ReadonlyArray<Result>) => {
    panel.replaceChildren(resultList(query, results))
    panel.scrollTop = 0
    panel.hidden = false
    status.textContent = resultCount(results.length)
  }
  const find = async () => {
    const query = input.value.trim()
    if (query === "") {
      status.textContent = ""
      return close()
    }
    try {
      const found = await search()
      if (query === input.value.trim()) show(query, found(query, MAX_RESULTS))
    } catch {
      status.textContent = "The search cannot be loaded. Press Enter for all pages."
    }
  }

  /** Moves the focus through the field and the results, wrapping around. */
  const move = (by: number) => {
    const stops: ReadonlyArray<HTMLElement> = [input, ...links()]
    const active = document.activeElement
    const at = active instanceof HTMLElement ? stops.indexOf(active) : -1
    stops.at((at + by) % stops.length)?.focus()
  }

  input.addEventListener("focus", () => {
    void search().catch(() => undefined)
    if (panel.hidden) void find()
  })
  input.addEventListener("input", () => void find())
  form.addEventListener("submit", (event) => {
    const [first] = links()
    if (panel.hidden || first === undefined) return
    event.preventDefault()
    first.click()
  })
  finder.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault()
      move(event.key === "ArrowDown" ? 1 : -1)
    }
    if (event.key === "Escape" && !panel.hidden) {
      event.preventDefault()
      input.focus()
      close()
    }
  })
  finder.addEventListener("focusout", (event) => {
    if (!(event.relatedTarget instanceof Node && finder.contains(event.relatedTarget)) && document.hasFocus())
      close()
  })
  panel.addEventListener("mousedown", (event) => {
    // A press next to a link must not take the focus away, which would close the panel.
    if (!(event.target instanceof Element && event.target.closest("a"))) event.preventDefault()
  })
  panel.addEventListener("click", (event) => {
    if (event.target instanceof Element && event.target.closest("a")) close()
  })
  window.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
    event.preventDefault()
    input.focus()
    input.select()
  })

  const asked = new URLSearchParams(location.search).get("q")
  if (asked !== null && asked.trim() !== "") {
    input.value = asked
    input.focus()
  }
}
