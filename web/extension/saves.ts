import { type Refusal, refusalOf, unwrapped } from "./addresses.ts"
import { bounded, type PageWords, readPage } from "./capture.ts"
import { joined, quote } from "./note.ts"
import type { Captured } from "./outbox.ts"
import { api } from "./platform.ts"
import type { Settings } from "./settings.ts"

/** Why an address cannot be saved with these settings. */
export const refusedBy = (
  address: string | undefined,
  { address: own, dashboard }: Settings
): Refusal | undefined =>
  refusalOf(
    address,
    [own, dashboard].filter((service) => service !== "")
  )

/** A capture of an address, made just now. */
export const captureOf = (url: string, note: string, words: Partial<PageWords> = {}): Captured => ({
  ...words,
  id: crypto.randomUUID(),
  url: unwrapped(url),
  note,
  at: Date.now()
})

/** What the page in a tab says of itself; where it may not be read, what the browser says of it. */
export const wordsOf = async ({ id, title = "" }: ExtensionTab): Promise<PageWords> => {
  if (id === undefined) return bounded({ title })
  const [read] = await api.scripting.executeScript({ target: { tabId: id }, func: readPage }).catch(() => [])
  return bounded(read?.result ?? { title })
}

/** A capture of the page in a tab; `selected` and `image` are what the person pointed at. */
export const captureOfPage = async (
  tab: ExtensionTab,
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

/** Captures of many tabs, each page once; tabs that cannot be saved are left out. */
export const capturesOfTabs = (
  tabs: ReadonlyArray<ExtensionTab>,
  settings: Settings
): ReadonlyArray<Captured> => {
  const pages = new Map(tabs.map(({ title, url }) => [url ?? "", title]))
  return [...pages]
    .filter(([url]) => refusedBy(url, settings) === undefined)
    .map(([url, title = ""]) => captureOf(url, settings.notePrefix, bounded({ title })))
}

/** The tab in front, of the window that asks or that was used last. */
export const tabInFront = async (): Promise<ExtensionTab | undefined> =>
  (await api.tabs.query({ active: true, lastFocusedWindow: true }))[0]
