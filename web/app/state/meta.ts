import { signal } from "@preact/signals"
import type { Meta } from "../api.ts"
import { firstApi } from "../service.ts"

/** The library's counts, collections, categories and tags; null until loaded. */
export const meta = signal<Meta | null>(null)

/** Whether links that are sent to the bot reach the library. */
export const isBotSetUp = ({ bot, chat, polling, webhook }: Meta["setup"]): boolean =>
  bot && chat && (polling || webhook)

/** Debounce before the counts are reloaded, in milliseconds. */
const DEBOUNCE = 400

let waiting: ReturnType<typeof setTimeout> | undefined

const refresh = async () => {
  waiting = undefined
  try {
    meta.value = await firstApi.meta()
  } catch {
    // The old counts stay; the live indicator shows that the service is unreachable.
  }
}

/** Reloads the counts soon, after a change. */
export const refreshMeta = (): void => {
  if (waiting === undefined) waiting = setTimeout(refresh, DEBOUNCE)
}
