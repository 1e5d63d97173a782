import { MAX_QUOTE_CONTEXT } from "../../src/shared/Limits.ts"
import { oneLine } from "../../src/shared/Text.ts"
import { type Refusal, unwrapped } from "./addresses.ts"
import { type Article, asArticle, LIMITS } from "./article.ts"
import { bounded, type Captured, joined, quote } from "./capture.ts"
import { boundedPassage, type Passage } from "./highlight.ts"
import { api, type ReadingRequest } from "./platform.ts"
import { captureOf, inTime, PATIENCE, refusedBy, wordsOf } from "./saves.ts"
import { fieldsOf, type Settings } from "./settings.ts"
import { SNAPSHOT_LIMITS, type SnapshotResult } from "./snapshot.ts"

/** The scripts in `injected`, which are loaded into a page when they are wanted. */
type Injected = "article" | "snapshot" | "highlight"

/** Runs in the page, where the script of this name has left its function. */
const runInjected = (name: string, args: ReadonlyArray<unknown>): unknown =>
  Reflect.get(globalThis, `linkbower ${name}`)(...args)

/** Runs a script in the page of a tab; undefined if the page cannot be read. */
const readIn = async (
  tabId: number,
  name: Injected,
  args: ReadonlyArray<unknown>,
  patience: number = PATIENCE
): Promise<unknown> => {
  const target = { tabId }
  const read = async () => {
    await api.scripting.executeScript({ target, files: [`${name}.js`] })
    return api.scripting.executeScript({ target, func: runInjected, args: [name, args] })
  }
  return (await inTime(read(), patience))?.[0]?.result
}

/** The page in a tab as its reader sees it; undefined if it shows another address than `url`, or cannot be read. */
export const articleOf = async (
  { id, incognito, url }: ReadingRequest,
  { sendText }: Settings
): Promise<Article | undefined> => {
  if (sendText !== "yes" || id === undefined || incognito || url === undefined) return undefined
  return asArticle(await readIn(id, "article", [url, LIMITS]))
}

/** The snapshot of the page in a tab, or why there is none. */
export const snapshotOf = async ({ id, url }: ReadingRequest): Promise<SnapshotResult> => {
  if (id === undefined || url === undefined) return { problem: "elsewhere" }
  const patience = SNAPSHOT_LIMITS.millis + PATIENCE
  const { html, problem } = fieldsOf(await readIn(id, "snapshot", [url, SNAPSHOT_LIMITS], patience))
  if (typeof html === "string") return { html }
  return { problem: problem === "large" ? problem : "elsewhere" }
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

const asPassage = (value: unknown): Passage | undefined => {
  const { prefix, quote, suffix } = fieldsOf(value)
  return typeof quote === "string" && typeof prefix === "string" && typeof suffix === "string"
    ? { quote, prefix, suffix }
    : undefined
}

/**
 * The passage that is selected in a tab's page, with its context. `selected` is what the browser's menu was opened on:
 * without context if the page cannot be read, or if it is in a frame of the page.
 */
const passageOf = async ({ id }: chrome.tabs.Tab, selected: string): Promise<Passage | undefined> => {
  const read = asPassage(id === undefined ? undefined : await readIn(id, "highlight", [MAX_QUOTE_CONTEXT]))
  const bare = { quote: oneLine(selected), prefix: "", suffix: "" }
  const letters = (text: string) => text.replace(/\s+/g, "")
  const isSame = read !== undefined && letters(read.quote).startsWith(letters(selected).slice(0, 1_000))
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
