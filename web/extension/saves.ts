import { MAX_QUOTE_CONTEXT } from "../../src/shared/Limits.ts"
import { oneLine } from "../../src/shared/Text.ts"
import { type Refusal, refusalOf, unwrapped } from "./addresses.ts"
import { type Article, copyPage, LIMITS } from "./article.ts"
import { bounded, type Captured, joined, type PageWords, quote, readPage } from "./capture.ts"
import { boundedPassage, type Passage, readSelected } from "./highlight.ts"
import { api, type ReadingRequest } from "./platform.ts"
import type { Settings } from "./settings.ts"
import { copySnapshot, SNAPSHOT_LIMITS, type SnapshotResult } from "./snapshot.ts"

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
const PATIENCE = 3_000

/** Runs a function in the page of a tab; undefined if the page cannot be read. */
const readIn = async <Args extends Array<unknown>, A>(
  tabId: number,
  func: (...args: Args) => A,
  args: Args,
  patience: number = PATIENCE
): Promise<Awaited<A> | undefined> => {
  const late = new Promise<[]>((resolve) => setTimeout(resolve, patience, []))
  const reading = api.scripting.executeScript({ target: { tabId }, func, args }).catch(() => [])
  const [read] = await Promise.race([reading, late])
  return read?.result
}

/** The texts of the page in a tab; only its title if the page cannot be read. */
export const wordsOf = async ({ id, title = "" }: chrome.tabs.Tab): Promise<PageWords> =>
  bounded((id === undefined ? undefined : await readIn(id, readPage, [])) ?? { title })

/** The page in a tab as its reader sees it; undefined if it shows another address than `url`, or cannot be read. */
export const articleOf = async (
  { id, incognito, url }: ReadingRequest,
  { sendText }: Settings
): Promise<Article | undefined> => {
  if (sendText !== "yes" || id === undefined || incognito || url === undefined) return undefined
  return (await readIn(id, copyPage, [url, LIMITS])) ?? undefined
}

/** The snapshot of the page in a tab, or why there is none. */
export const snapshotOf = async ({ id, url }: ReadingRequest): Promise<SnapshotResult> =>
  (id === undefined || url === undefined
    ? undefined
    : await readIn(id, copySnapshot, [url, SNAPSHOT_LIMITS], SNAPSHOT_LIMITS.millis + PATIENCE)) ?? {
    problem: "elsewhere"
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

/**
 * The passage that is selected in a tab's page, with its context. `selected` is what the browser's menu was opened on:
 * without context if the page cannot be read, or if it is in a frame of the page.
 */
const passageOf = async ({ id }: chrome.tabs.Tab, selected: string): Promise<Passage | undefined> => {
  const read = id === undefined ? undefined : await readIn(id, readSelected, [MAX_QUOTE_CONTEXT])
  const bare = { quote: oneLine(selected), prefix: "", suffix: "" }
  const letters = (text: string) => text.replace(/\s+/g, "")
  const isSame = read != null && letters(read.quote).startsWith(letters(selected).slice(0, 1_000))
  return boundedPassage(isSame ? read : bare)
}

/** Creates a capture of the page in a tab, with the selected passage highlighted. */
export const captureOfHighlight = async (
  tab: chrome.tabs.Tab,
  settings: Settings,
  selected: string
): Promise<Captured> => {
  const [words, highlight] = await Promise.all([wordsOf(tab), passageOf(tab, selected)])
  const capture = captureOf(tab.url ?? "", settings.notePrefix, { ...words, selection: "" })
  return highlight === undefined ? capture : { ...capture, highlight }
}

/** Why a tab is skipped; each has a text in `_locales` (`skipped_browser` and so on). */
export type Skipped = "browser" | "file" | "own" | "twice" | "room" | "other"

const skippedAs: Readonly<Record<Refusal, Skipped>> = {
  blockedBrowser: "browser",
  blockedExtension: "browser",
  blockedFile: "file",
  blockedOwn: "own",
  blockedHandover: "own",
  blockedData: "other",
  blockedScript: "other",
  blockedSource: "other",
  blockedOther: "other"
}

/** Captures of many tabs, and how many were skipped, by reason. */
export interface TabCaptures {
  readonly captures: ReadonlyArray<Captured>
  readonly skipped: Map<Skipped, number>
}

/** Creates captures of many tabs, one per page and at most `room`. */
export const capturesOfTabs = (
  tabs: ReadonlyArray<chrome.tabs.Tab>,
  settings: Settings,
  room: number
): TabCaptures => {
  const captures = new Map<string, Captured>()
  const skipped = new Map<Skipped, number>()
  for (const { title = "", url = "" } of tabs) {
    const refusal = refusedBy(url, settings)
    const known = captures.has(unwrapped(url)) ? "twice" : captures.size >= room ? "room" : undefined
    const reason = refusal === undefined ? known : skippedAs[refusal]
    if (reason === undefined)
      captures.set(unwrapped(url), captureOf(url, settings.notePrefix, bounded({ title })))
    else skipped.set(reason, (skipped.get(reason) ?? 0) + 1)
  }
  return { captures: [...captures.values()], skipped }
}

/** The active tab of the window that was focused last. */
export const tabInFront = async (): Promise<chrome.tabs.Tab | undefined> =>
  (await api.tabs.query({ active: true, lastFocusedWindow: true }))[0]
