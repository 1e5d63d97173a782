import { type Refusal, refusalOf, unwrapped } from "./addresses.ts"
import { bounded, type Captured, type PageWords, readPage } from "./capture.ts"
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
export const captureOf = (
  url: string,
  note: string,
  more: Partial<PageWords & Pick<Captured, "tags" | "collection">> = {}
): Captured => ({
  ...more,
  id: crypto.randomUUID(),
  url: unwrapped(url),
  note,
  at: Date.now()
})

/** How long a page may take to answer, in milliseconds; one that is stopped in a dialog never does. */
export const PATIENCE = 3_000

/** What `read` gives of a page; undefined if it takes longer than `patience`, or the page cannot be read. */
export const inTime = <A>(read: Promise<A>, patience: number = PATIENCE): Promise<A | undefined> =>
  Promise.race([
    read.catch(() => undefined),
    new Promise<undefined>((resolve) => setTimeout(resolve, patience, undefined))
  ])

/** The texts of the page in a tab; only its title if the page cannot be read. */
export const wordsOf = async ({ id, title = "" }: chrome.tabs.Tab): Promise<PageWords> => {
  if (id === undefined) return bounded({ title })
  const results = await inTime(api.scripting.executeScript({ target: { tabId: id }, func: readPage }))
  return bounded(results?.[0]?.result ?? { title })
}

/** The active tab of the window that was focused last. */
export const tabInFront = async (): Promise<chrome.tabs.Tab | undefined> =>
  (await api.tabs.query({ active: true, lastFocusedWindow: true }))[0]
