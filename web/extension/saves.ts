import { type Refusal, refusalOf, unwrapped } from "./addresses.ts"
import { bounded, type Captured, joined, type PageWords, quote, readPage } from "./capture.ts"
import { api } from "./platform.ts"
import type { Settings } from "./settings.ts"

/** Why an address cannot be saved with these settings; undefined if it can. */
export const refusedBy = (
  address: string | undefined,
  { address: own, dashboard }: Settings
): Refusal | undefined =>
  refusalOf(
    address,
    [own, dashboard].filter((service) => service !== "")
  )

/** Creates a capture of an address, with the current time. */
export const captureOf = (url: string, note: string, words: Partial<PageWords> = {}): Captured => ({
  ...words,
  id: crypto.randomUUID(),
  url: unwrapped(url),
  note,
  at: Date.now()
})

/** The texts of the page in a tab; only its title if the page cannot be read. */
export const wordsOf = async ({ id, title = "" }: chrome.tabs.Tab): Promise<PageWords> => {
  if (id === undefined) return bounded({ title })
  const [read] = await api.scripting.executeScript({ target: { tabId: id }, func: readPage }).catch(() => [])
  return bounded(read?.result ?? { title })
}

/** Creates a capture of the page in a tab; `selected` and `image` come from the clicked menu item. */
export const captureOfPage = async (
  tab: chrome.tabs.Tab,
  settings: Settings,
  { image = "", selected }: { readonly image?: string; readonly selected?: string | undefined } = {}
): Promise<Captured> => {
  const words = await wordsOf(tab)
  const selection = settings.includeSelection || selected !== undefined ? (selected ?? words.selection) : ""
  return captureOf(tab.url ?? "", joined(settings.notePrefix, image, quote(selection)), {
    ...words,
    selection: bounded({ selection }).selection
  })
}

/** Creates captures of many tabs, one per page; leaves out tabs that cannot be saved. */
export const capturesOfTabs = (
  tabs: ReadonlyArray<chrome.tabs.Tab>,
  settings: Settings
): ReadonlyArray<Captured> => {
  const pages = new Map(tabs.map(({ title, url }) => [url ?? "", title]))
  return [...pages]
    .filter(([url]) => refusedBy(url, settings) === undefined)
    .map(([url, title = ""]) => captureOf(url, settings.notePrefix, bounded({ title })))
}

/** The active tab of the window that was focused last. */
export const tabInFront = async (): Promise<chrome.tabs.Tab | undefined> =>
  (await api.tabs.query({ active: true, lastFocusedWindow: true }))[0]
