import type { Results } from "../results.ts"

/** Shows links of the library beside a search engine's results. It hands over the words that were searched for alone. */
const words = new URLSearchParams(location.search).get("q")?.trim() ?? ""

const show = (answer: Results | undefined) => {
  if (answer === undefined || answer.links.length === 0) return
  const { address, heading, links, more } = answer
  const host = document.createElement("aside")
  host.setAttribute("aria-label", heading)
  // Its own tree: the page's styles do not reach it, and the page does not see what is in it.
  const root = host.attachShadow({ mode: "closed" })
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(`
    :host { all: initial; position: fixed; inset-block-end: 1rem; inset-inline-end: 1rem; z-index: 2147483647; color-scheme: light dark; }
    div { width: 20rem; max-height: 60vh; overflow: auto; padding: 0.75rem 1rem; border: 1px solid light-dark(#dbe0dd, #2f3633);
      border-radius: 0.625rem; background: light-dark(#ffffff, #1a1e1c); color: light-dark(#161a18, #e8ecea);
      font: 0.875rem/1.5 system-ui, sans-serif; box-shadow: 0 8px 30px rgb(0 0 0 / 22%); }
    header { display: flex; justify-content: space-between; align-items: center; }
    strong { font-size: 0.8125rem; color: light-dark(#55605a, #a3aea8); font-weight: 600; }
    button { all: unset; min-width: 1.75rem; min-height: 1.75rem; text-align: center; cursor: pointer; border-radius: 0.375rem; }
    button:focus-visible, a:focus-visible { outline: 2px solid light-dark(#0b6b4b, #6fd3a9); }
    a { display: block; padding-block: 0.375rem; color: light-dark(#0b6b4b, #6fd3a9); text-decoration: none; overflow-wrap: anywhere; }
    a:hover { text-decoration: underline; }
    small { display: block; color: light-dark(#55605a, #a3aea8); }
  `)
  root.adoptedStyleSheets = [sheet]
  const box = document.createElement("div")
  const bar = document.createElement("header")
  const title = document.createElement("strong")
  title.textContent = heading
  const close = document.createElement("button")
  close.textContent = "×"
  close.ariaLabel = answer.close
  close.addEventListener("click", () => host.remove())
  bar.append(title, close)
  const link = (href: string, label: string, quiet = "") => {
    const anchor = document.createElement("a")
    anchor.href = href
    anchor.rel = "noreferrer"
    anchor.textContent = label
    anchor.dir = "auto"
    if (quiet !== "") anchor.append(Object.assign(document.createElement("small"), { textContent: quiet }))
    return anchor
  }
  box.append(bar, ...links.map(({ host, title, url }) => link(url, title, host)))
  box.append(link(address, more))
  root.append(box)
  document.body.append(host)
}

if (words !== "")
  chrome.runtime.sendMessage<object, Results | undefined>({ results: words }).then(show, () => undefined)
