import { signal } from "@preact/signals"
import { outage } from "./connection.ts"
import { tell } from "./toasts.ts"

/** Code not needed for the first paint: dialogs, the bulk bar, pages other than the list, completions of a search. */
type LazyParts = typeof import("../lazy.tsx")

/** Null until loaded: the first interaction loads them, before any of it needs them. */
export const lazyParts = signal<LazyParts | null>(null)

/** The path of the styles of these parts; set by the build. */
declare const LATER_STYLE: string

/** Adds a style sheet to the page; resolves once it applies. */
export const addStyle = (path: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const link = document.createElement("link")
    link.rel = "stylesheet"
    link.href = path
    link.onload = () => resolve()
    link.onerror = () => {
      link.remove()
      reject(new Error(`${path} could not be loaded`))
    }
    document.head.append(link)
  })

/** Says that a part of the app cannot be loaded: after an update of the service, the previous version's files are gone. */
export const tellUnloadable = (): void =>
  void tell("Part of the app could not be loaded.", {
    kind: "failed",
    action: { label: "Reload", run: () => location.reload() }
  })

const load = async (): Promise<LazyParts | null> => {
  try {
    const [parts] = await Promise.all([import("../lazy.tsx"), addStyle(LATER_STYLE)])
    lazyParts.value = parts
    parts.startPrinting()
  } catch {
    // The next interaction tries again. During an outage the banner says what is wrong.
    loading = undefined
    if (outage.peek() === undefined) tellUnloadable()
  }
  return lazyParts.value
}

let loading: Promise<LazyParts | null> | undefined

/** Loads them once; null if they cannot be loaded. */
export const loadLazyParts = (): Promise<LazyParts | null> => {
  loading ??= load()
  return loading
}

/** Runs something that needs them as soon as they are loaded. */
export const withParts = async (run: (parts: LazyParts) => unknown): Promise<void> => {
  const parts = lazyParts.peek() ?? (await loadLazyParts())
  if (parts !== null) run(parts)
}

/** Loads the components at the first user interaction. */
export const loadOnInteraction = (): void => {
  const load = (event: Event) => {
    // A browser also reports a pointer that rests on a new page.
    const rests =
      event.type === "pointermove" &&
      event instanceof PointerEvent &&
      event.movementX === 0 &&
      event.movementY === 0
    if (!rests) void loadLazyParts()
  }
  for (const type of ["pointermove", "pointerdown", "keydown", "focusin"])
    window.addEventListener(type, load, { passive: true })
  window.addEventListener("click", (event) => void withParts(({ detail }) => detail.openClicked(event)))
}
