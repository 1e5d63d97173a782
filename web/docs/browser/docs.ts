/** The script of every documentation page. Each part works without the others, and the page works without all. */
import { startFinder } from "./finder.ts"

const KEY = "linkbower.theme"
const themes = ["system", "light", "dark"] as const
type Theme = (typeof themes)[number]

const themeNames: Readonly<Record<Theme, string>> = {
  system: "Theme: system",
  light: "Theme: light",
  dark: "Theme: dark"
}

const storedTheme = (): Theme => {
  try {
    return themes.find((theme) => theme === localStorage.getItem(KEY)) ?? "system"
  } catch {
    return "system"
  }
}

const storeTheme = (theme: Theme) => {
  try {
    localStorage.setItem(KEY, theme)
  } catch {
    // Without storage the choice lasts as long as the page.
  }
}

/** Makes dark variants of pictures follow the page's theme instead of the system's. */
const choosePictures = (theme: Theme) => {
  for (const source of document.querySelectorAll<HTMLSourceElement>("picture > source"))
    source.media = theme === "dark" ? "all" : theme === "light" ? "not all" : "(prefers-color-scheme: dark)"
}

/** Lets the reader switch between the system's theme, light and dark; the app shares the choice. */
const startTheme = (): void => {
  const button = document.querySelector<HTMLButtonElement>("button.theme")
  const name = button?.querySelector("span")
  const root = document.documentElement
  const show = (theme: Theme) => {
    if (theme === "system") delete root.dataset["theme"]
    else root.dataset["theme"] = theme
    choosePictures(theme)
    for (const icon of button?.querySelectorAll("svg") ?? [])
      icon.toggleAttribute("data-off", icon.dataset["theme"] !== theme)
    if (button) button.title = themeNames[theme]
    if (name) name.textContent = themeNames[theme]
  }
  let theme = storedTheme()
  show(theme)
  if (!button) return
  button.hidden = false
  button.addEventListener("click", () => {
    theme = themes[(themes.indexOf(theme) + 1) % themes.length] ?? "system"
    storeTheme(theme)
    show(theme)
  })
}

/** How long a button shows that it has copied, in milliseconds. */
const FEEDBACK_TIME = 2_000

/** Adds a copy button to a code block: in its corner, or beside the name of a file. */
const addCopyButton = (block: HTMLElement) => {
  const code = block.querySelector("code")
  if (!code) return
  const button = document.createElement("button")
  button.type = "button"
  button.className = "copy"
  button.textContent = "Copy"
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(code.textContent)
      button.textContent = "Copied"
    } catch {
      button.textContent = "Select it to copy"
      getSelection()?.selectAllChildren(code)
    }
    setTimeout(() => {
      button.textContent = "Copy"
    }, FEEDBACK_TIME)
  })
  const place = block.closest(".file")?.querySelector(".file-name") ?? block
  place.append(button)
}

const startCopying = (): void => document.querySelectorAll<HTMLElement>(".code").forEach(addCopyButton)

/** Marks the current section in the page's table of contents while scrolling. */
const startContents = (): void => {
  const links = new Map(
    [...document.querySelectorAll<HTMLAnchorElement>(".contents a")].map((link) => [
      decodeURIComponent(link.hash.slice(1)),
      link
    ])
  )
  if (links.size === 0) return
  const headings = [...links.keys()].flatMap((id) => document.getElementById(id) ?? [])
  const mark = () => {
    const read = headings.findLast((heading) => heading.getBoundingClientRect().top < innerHeight / 4)
    for (const [id, link] of links)
      if (id === (read ?? headings[0])?.id) link.setAttribute("aria-current", "true")
      else link.removeAttribute("aria-current")
  }
  let isScheduled = false
  const markSoon = () => {
    if (isScheduled) return
    isScheduled = true
    requestAnimationFrame(() => {
      isScheduled = false
      mark()
    })
  }
  addEventListener("scroll", markSoon, { passive: true })
  mark()
}

startTheme()
startFinder()
startCopying()
startContents()
