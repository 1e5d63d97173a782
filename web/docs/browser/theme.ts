const KEY = "linkbower.theme"
const themes = ["system", "light", "dark"] as const
type Theme = (typeof themes)[number]

const names: Readonly<Record<Theme, string>> = {
  system: "Theme: system",
  light: "Theme: light",
  dark: "Theme: dark"
}

const kept = (): Theme => {
  try {
    return themes.find((theme) => theme === localStorage.getItem(KEY)) ?? "system"
  } catch {
    return "system"
  }
}

const keep = (theme: Theme) => {
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
export const startTheme = (): void => {
  const button = document.querySelector<HTMLButtonElement>("button.theme")
  const name = button?.querySelector("span")
  const root = document.documentElement
  const show = (theme: Theme) => {
    if (theme === "system") delete root.dataset["theme"]
    else root.dataset["theme"] = theme
    choosePictures(theme)
    for (const icon of button?.querySelectorAll("svg") ?? [])
      icon.toggleAttribute("data-off", icon.dataset["theme"] !== theme)
    if (button) button.title = names[theme]
    if (name) name.textContent = names[theme]
  }
  let theme = kept()
  show(theme)
  if (!button) return
  button.hidden = false
  button.addEventListener("click", () => {
    theme = themes[(themes.indexOf(theme) + 1) % themes.length] ?? "system"
    keep(theme)
    show(theme)
  })
}
