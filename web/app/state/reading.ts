import { computed } from "@preact/signals"
import { running, start } from "./jobs.ts"
import { meta } from "./meta.ts"

/** How many imported links there are whose pages are still to be read. */
export const unread = computed(() => meta.value?.unread ?? 0)

/** The job that reads them, while it runs. */
export const reading = computed(() => running.value.find(({ action }) => action === "read"))

/** Begins to read them, or goes on. */
export const readPages = () => start({ action: "read" })

export const pauseReading = () => start({ action: "read", pause: true }, "Not paused.")
