import { signal } from "@preact/signals"
import { tell } from "./toasts.ts"

/** What no first paint needs: dialogs, the bar for many links, the pages beside the list. */
type Later = typeof import("../later.tsx")

/** Null until somebody is about to use it. */
export const later = signal<Later | null>(null)

let asked = false

/** Loads it, once. */
export const loadLater = async (): Promise<void> => {
  if (asked) return
  asked = true
  try {
    later.value = await import("../later.tsx")
  } catch {
    asked = false
    // After an update of the service the files of the version before are gone.
    tell("Part of the app could not be loaded.", {
      kind: "failed",
      action: { label: "Reload", run: () => location.reload() }
    })
  }
}

/** Loads it with the first sign of somebody at the page. */
export const loadWhenUsed = (): void => {
  for (const type of ["pointermove", "pointerdown", "keydown", "focusin"])
    window.addEventListener(type, () => void loadLater(), { once: true, passive: true })
}
