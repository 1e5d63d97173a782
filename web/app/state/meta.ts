import { signal } from "@preact/signals"
import { api, type Meta } from "../api.ts"

/** How the library divides up; null until it is known. */
export const meta = signal<Meta | null>(null)

/** How long changes are gathered before the counts are asked for again, in milliseconds. */
const GATHER = 400

let waiting: ReturnType<typeof setTimeout> | undefined

const refresh = async () => {
  waiting = undefined
  try {
    meta.value = await api.meta()
  } catch {
    // The counts stand as they were; the live connection says that something is wrong.
  }
}

/** Asks for the counts again soon: something has changed. */
export const refreshMeta = (): void => {
  if (waiting === undefined) waiting = setTimeout(refresh, GATHER)
}
