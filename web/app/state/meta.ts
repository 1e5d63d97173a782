import { signal } from "@preact/signals"
import { UNSORTED } from "../../../src/shared/Category.ts"
import type { Meta } from "../api.ts"
import { firstApi } from "../service.ts"

/** The library's counts, collections, categories and tags; null until loaded. */
export const meta = signal<Meta | null>(null)

/** Takes the counts over. Links without a category have one that is never shown. */
export const setMeta = ({ categories, ...others }: Meta): void => {
  meta.value = { ...others, categories: categories.filter(({ name }) => name !== UNSORTED) }
}

/** Whether links that are sent to the bot reach the library. */
export const isBotSetUp = ({ bot, chat, polling, webhook }: Meta["setup"]): boolean =>
  bot && chat && (polling || webhook)

/** Debounce before the counts are reloaded, in milliseconds. */
const DEBOUNCE = 400

let waiting: ReturnType<typeof setTimeout> | undefined

const refresh = async () => {
  waiting = undefined
  try {
    setMeta(await firstApi.meta())
  } catch {
    // The old counts stay; the live indicator shows that the service is unreachable.
  }
}

/** Reloads the counts soon, after a change. */
export const refreshMeta = (): void => {
  if (waiting === undefined) waiting = setTimeout(refresh, DEBOUNCE)
}
