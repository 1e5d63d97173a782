import { effect, type Signal, signal } from "@preact/signals"
import { type Sort, sorts } from "../../../src/shared/ListParameters.ts"
import { readStored, writeStored } from "./storage.ts"

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

/** A setting stored in the browser; `usual` is the choice until another one is made. */
export const stored = <A extends string>(
  name: string,
  choices: readonly [A, ...ReadonlyArray<A>],
  usual: A = choices[0]
): Signal<A> => {
  const saved = read(name)
  const choice = signal(choices.find((one) => one === saved) ?? usual)
  effect(() => write(name, choice.value))
  return choice
}

/** How links are laid out: cards, compact rows, or a grid of covers. */
export const layouts = ["cards", "rows", "grid"] as const
export type Layout = (typeof layouts)[number]

/** What the headings of a list name. */
export const groupings = ["none", "site", "collection", "month"] as const
export type Grouping = (typeof groupings)[number]

/** How a kind of view is shown, as far as it was chosen. */
export interface Display {
  readonly layout?: Layout
  readonly grouping?: Grouping
  readonly sort?: Sort
}

const readDisplay = (saved: unknown): Display => {
  if (typeof saved !== "object" || saved === null) return {}
  const layout = "layout" in saved ? layouts.find((one) => one === saved.layout) : undefined
  const grouping = "grouping" in saved ? groupings.find((one) => one === saved.grouping) : undefined
  const sort = "sort" in saved ? sorts.find((one) => one === saved.sort) : undefined
  return {
    ...(layout === undefined ? {} : { layout }),
    ...(grouping === undefined ? {} : { grouping }),
    ...(sort === undefined ? {} : { sort })
  }
}

const readDisplays = (): ReadonlyMap<string, Display> => {
  const saved = readStored("displays")
  return new Map(
    (Array.isArray(saved) ? saved : []).flatMap((one: unknown) =>
      Array.isArray(one) && typeof one[0] === "string" ? [[one[0], readDisplay(one[1])] as const] : []
    )
  )
}

/** Maximum number of views whose display is remembered; the ones chosen last stay. */
const MAX_DISPLAYS = 200

const displays = signal(readDisplays())

export const displayOf = (view: string): Display => displays.value.get(view) ?? {}

export const setDisplay = (view: string, display: Display): void => {
  const others = [...displays.peek()].filter(([name]) => name !== view)
  const all = Object.keys(display).length === 0 ? others : [...others, [view, display] as const]
  displays.value = new Map(all.slice(-MAX_DISPLAYS))
  writeStored("displays", [...displays.peek()])
}

export const theme = stored("theme", ["system", "light", "dark"])
/** The layout of views for which no other was chosen. */
export const density = stored("density", ["cards", "rows"])
/** Whether each section of the sidebar is open. */
export const sections = {
  searches: stored("searches", ["open", "closed"]),
  collections: stored("collections", ["open", "closed"]),
  categories: stored("categories", ["closed", "open"]),
  tags: stored("tags", ["open", "closed"])
}
/** Whether single-key shortcuts are on (WCAG 2.1.4 requires a switch). */
export const shortcuts = stored("shortcuts", ["on", "off"])
/** Whether to explain what sharing means before the first time. */
export const sharing = stored("sharing", ["ask", "known"])

/** Whether this browser keeps opened articles, to be read offline. */
export const offline = stored("offline", ["on", "off"])
/** Whether reading an article to its end marks its link as read. */
export const markRead = stored("markRead", ["on", "off"])

export const startTheme = (): void => {
  effect(() => {
    if (theme.value === "system") delete document.documentElement.dataset["theme"]
    else document.documentElement.dataset["theme"] = theme.value
  })
}

const after = <A>(choices: ReadonlyArray<A>, now: A): A | undefined =>
  choices[(choices.indexOf(now) + 1) % choices.length]

export const nextTheme = (): void => {
  theme.value = after(["system", "light", "dark"] as const, theme.value) ?? "system"
}
