import { signal } from "@preact/signals"
import { tell } from "./toasts.ts"

/** Components not needed for the first paint: dialogs, the bulk bar, pages other than the list. */
type Later = typeof import("../later.tsx")

/** Null until it is needed. */
export const later = signal<Later | null>(null)

let asked = false

/** Loads the components once. */
export const loadLater = async (): Promise<void> => {
  if (asked) return
  asked = true
  try {
    later.value = await import("../later.tsx")
  } catch {
    asked = false
    // After an update of the service, the previous version's files are gone.
    tell("Part of the app could not be loaded.", {
      kind: "failed",
      action: { label: "Reload", run: () => location.reload() }
    })
  }
}

/** Loads the components at the first user interaction. */
export const loadWhenUsed = (): void => {
  for (const type of ["pointermove", "pointerdown", "keydown", "focusin"])
    window.addEventListener(type, () => void loadLater(), { once: true, passive: true })
}
