import { signal } from "@preact/signals"
import { tell } from "./toasts.ts"

/** Code not needed for the first paint: dialogs, the bulk bar, pages other than the list, completions of a search. */
type LazyParts = typeof import("../lazy.tsx")

/** Null until loaded. */
export const lazyParts = signal<LazyParts | null>(null)

let isRequested = false

/** Loads them once. */
export const loadLazyParts = async (): Promise<void> => {
  if (isRequested) return
  isRequested = true
  try {
    lazyParts.value = await import("../lazy.tsx")
  } catch {
    isRequested = false
    // After an update of the service, the previous version's files are gone.
    tell("Part of the app could not be loaded.", {
      kind: "failed",
      action: { label: "Reload", run: () => location.reload() }
    })
  }
}

/** Loads the components at the first user interaction. */
export const loadOnInteraction = (): void => {
  for (const type of ["pointermove", "pointerdown", "keydown", "focusin"])
    window.addEventListener(type, () => void loadLazyParts(), { once: true, passive: true })
}
