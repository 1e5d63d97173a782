import { effect, type Signal, signal } from "@preact/signals"

const read = (name: string): string | null => {
  try {
    return localStorage.getItem(`linkbower.${name}`)
  } catch {
    return null
  }
}

const write = (name: string, value: string) => {
  try {
    localStorage.setItem(`linkbower.${name}`, value)
  } catch {
    // Without storage, the choice lasts until the page is reloaded.
  }
}

/** A setting stored in the browser. */
const stored = <A extends string>(name: string, choices: readonly [A, ...ReadonlyArray<A>]): Signal<A> => {
  const saved = read(name)
  const choice = signal(choices.find((one) => one === saved) ?? choices[0])
  effect(() => write(name, choice.value))
  return choice
}

export const theme = stored("theme", ["system", "light", "dark"])
export const density = stored("density", ["cards", "rows"])
/** Whether single-key shortcuts are on (WCAG 2.1.4 requires a switch). */
export const shortcuts = stored("shortcuts", ["on", "off"])

/** Applies the chosen theme to the page. */
export const startTheme = (): void => {
  effect(() => {
    if (theme.value === "system") delete document.documentElement.dataset["theme"]
    else document.documentElement.dataset["theme"] = theme.value
  })
}

/** Returns the next theme. */
const after = <A>(choices: ReadonlyArray<A>, now: A): A | undefined =>
  choices[(choices.indexOf(now) + 1) % choices.length]

export const nextTheme = (): void => {
  theme.value = after(["system", "light", "dark"] as const, theme.value) ?? "system"
}

export const toggleDensity = (): void => {
  density.value = density.value === "cards" ? "rows" : "cards"
}
