import { readHandoverLink } from "../../src/shared/Handover.ts"
import { articles, snapshots } from "./articles.ts"
import { collectionOf, isMadeHere } from "./bookmarks.ts"
import type { Button } from "./button.ts"
import { bounded, type Captured } from "./capture.ts"
import { takeConfiguration } from "./connection.ts"
import { makeDelivery, type Occasion } from "./delivery.ts"
import { type Library, makeLibrary } from "./library.ts"
import type { MenuItem, TabsItem } from "./menus.ts"
import { enter, suggestionsFor } from "./omnibox.ts"
import { roomIn } from "./outbox.ts"
import { articleOf, captureOfHighlight, captureOfPage, capturesOfTabs, snapshotOf } from "./pages.ts"
import { loadPart } from "./part.ts"
import {
  api,
  fetching,
  HANDOVER,
  LIST,
  loadSettings,
  local,
  outboxEnvironment,
  RESULT,
  type ReadingRequest,
  withLock
} from "./platform.ts"
import type { Known } from "./questions.ts"
import { applyResults, resultsFor } from "./results.ts"
import { makeSaved, storedBlocks } from "./saved.ts"
import { captureOf, refusedBy, tabInFront } from "./saves.ts"
import { makeHash, makeSeen } from "./seen.ts"
import { send } from "./send.ts"
import { canRead, dashboardOf, fieldsOf, isConnected, readSettings, type Settings } from "./settings.ts"
import { text } from "./text.ts"
import { tabsText, waitingOf } from "./trouble.ts"

/** Links that the popup shows while the user types. */
const MOST_FOUND = 7

/** How often the list of saved pages is brought up to date, in minutes. */
const LIST_MINUTES = 60

/** How long a capture is held back while the page's text is read, in milliseconds. */
const READING = 10_000

const libraryOf = (settings: Settings) => makeLibrary(settings, fetching)

/** Tells the popup something that is to be shown once. */
const tellPopup = (words: string) => api.storage.session.set({ [RESULT]: words })

/**
 * Makes all that the worker does once there is something to do: saving, sending, and asking the library. `button` shows
 * how it goes.
 */
export const makeWork = ({ refresh, sending, show }: Button) => {
  const identityOf = async (address: string) => (await loadPart("keys"))(address)
  const hashOf = makeHash(local, withLock)
  const seen = makeSeen(local, hashOf, identityOf, withLock)
  const saved = makeSaved(hashOf, storedBlocks(), withLock)

  /** Whether a page is saved, as this browser knows it. */
  const isSaved = async (address: string): Promise<boolean> =>
    canRead(await loadSettings())
      ? (await saved.find(await identityOf(address))) !== undefined
      : seen.has(address)

  const knownOf = async (address: string): Promise<Known> => {
    const settings = await loadSettings()
    if (!canRead(settings)) return { seen: await seen.has(address) }
    const library = libraryOf(settings)
    const id = await saved.findFresh(await identityOf(address), library)
    const link = id === undefined ? undefined : await library.link(id)
    return link === undefined ? {} : { link }
  }

  /** Answers a question of one of the extension's own pages; nothing for any other message. */
  const answer = async (message: unknown): Promise<unknown> => {
    const { change, known, link, names, search, test } = fieldsOf(message)
    const withLibrary = async <A>(work: (library: Library) => Promise<A>): Promise<A | undefined> => {
      const settings = await loadSettings()
      return canRead(settings) ? work(libraryOf(settings)) : undefined
    }
    if (typeof known === "string") return knownOf(known)
    if (typeof search === "string") return withLibrary((library) => library.search(search, MOST_FOUND))
    if (names === true) return withLibrary((library) => library.names())
    if (typeof link === "number") return withLibrary((library) => library.link(link))
    if (typeof test === "string")
      return loadSettings().then((settings) => libraryOf({ ...settings, readToken: test }).test())
    return change === undefined ? undefined : withLibrary((library) => library.change(fieldsOf(change)))
  }

  /** Brings the list of saved pages up to date, or drops it when the extension may no longer read the library. */
  const applyList = async (): Promise<void> => {
    const settings = await loadSettings()
    if (canRead(settings)) {
      await api.alarms.create(LIST, { periodInMinutes: LIST_MINUTES, delayInMinutes: LIST_MINUTES })
      await saved.update(libraryOf(settings)).catch(() => false)
    } else {
      await api.alarms.clear(LIST)
      await saved.forget()
    }
    await refresh()
  }

  let delivered = 0

  /** What the service says about what was delivered, until it is shown. */
  const notices = new Set<string>()

  const outbox = makeDelivery({
    ...outboxEnvironment,
    send: async (capture) => {
      const settings = await loadSettings()
      if (!isConnected(settings)) return undefined
      await sending(1)
      const article = settings.sendText === "yes" ? await articles.get(capture.id) : undefined
      const snapshot = await snapshots.get(capture.id)
      const outcome = await send(capture, { article, snapshot }, settings, fetching, Date.now)
      if (outcome.kind === "delivered") {
        delivered++
        if (outcome.notice !== undefined) notices.add(outcome.notice)
      }
      await sending(-1)
      return outcome
    },
    delivered: ({ url }) => seen.add(url)
  })

  /** Sends what is waiting, shows that something was delivered, and returns what the service says about it. */
  const drain = async (occasion: Occasion): Promise<string> => {
    const before = delivered
    await outbox.drain(occasion)
    const noticed = [...notices].join(" ")
    notices.clear()
    if (noticed !== "") await tellPopup(noticed)
    await (delivered > before ? show("done", noticed || text("saved"), delivered - before) : refresh())
    if (delivered > before && canRead(await loadSettings())) void applyList()
    return noticed
  }

  /** Stores a capture and sends it with the page's text, if `tab` is given and the user allows it. */
  const save = async (capture: Captured, settings: Settings, tab?: chrome.tabs.Tab): Promise<void> => {
    if ((await outbox.add([capture], READING)) === 0) return show("problem", text("full"))
    if (!isConnected(settings)) await missService()
    if (tab !== undefined) await keepArticle(capture.id, tab)
    await outbox.release(capture.id)
    await drain("eager")
  }

  /** Stores the text of a tab's page for a capture. */
  const keepArticle = async (id: string, tab: ReadingRequest): Promise<void> => {
    const article = await articleOf(tab, await loadSettings())
    if (article !== undefined) await articles.put(id, article)
  }

  /** Stores and returns the snapshot of a tab's page for a capture; without one, the popup hears why. */
  const keepSnapshot = async (port: chrome.runtime.Port, tab: ReadingRequest): Promise<string> => {
    const result = await snapshotOf(tab)
    if ("html" in result) {
      await snapshots.put(port.name, result)
      return ""
    }
    const words = text(result.problem === "large" ? "snapshotLarge" : "snapshotFailed")
    try {
      port.postMessage(words)
    } catch {
      // The popup has closed.
    }
    return words
  }

  const missService = async () => {
    await show("problem", text("notConnected"))
    await api.runtime.openOptionsPage()
  }

  const saveAddress = async (
    address: string | undefined,
    capture: (settings: Settings) => Captured | Promise<Captured>,
    tab?: chrome.tabs.Tab
  ) => {
    const settings = await loadSettings()
    const refusal = refusedBy(address, settings)
    if (refusal !== undefined) return show("problem", text(refusal))
    await save(await capture(settings), settings, tab)
  }

  const savePage = async (
    tab: chrome.tabs.Tab | undefined,
    of: { readonly image?: string; readonly selected?: string | undefined } = {}
  ) => {
    const page = tab ?? (await tabInFront())
    if (page !== undefined) await saveAddress(page.url, (settings) => captureOfPage(page, settings, of), page)
  }

  const saveHighlight = async (selected: string, tab: chrome.tabs.Tab | undefined) => {
    const page = tab ?? (await tabInFront())
    if (page === undefined) return
    await saveAddress(page.url, (settings) => captureOfHighlight(page, settings, selected), page)
  }

  const saveTabs = async (which: TabsItem, tab: chrome.tabs.Tab, isPermitted: boolean) => {
    if (!isPermitted) return show("problem", text("tabsRefused"))
    const [settings, all, before] = await Promise.all([
      loadSettings(),
      api.tabs.query({ windowId: tab.windowId }),
      outbox.contents()
    ])
    const tabs = {
      window: all,
      right: all.filter(({ index }) => index > tab.index),
      chosen: tab.highlighted ? all.filter(({ highlighted }) => highlighted) : [tab]
    }
    const { captures, skipped } = capturesOfTabs(tabs[which], settings, roomIn(before))
    const kept = await outbox.add(captures)
    if (kept < captures.length) skipped.set("room", (skipped.get("room") ?? 0) + captures.length - kept)
    if (kept > 0 && !isConnected(settings)) await missService()
    const noticed = await drain("eager")
    const words = [tabsText(kept, skipped), waitingOf(await outbox.contents()), noticed]
      .filter(Boolean)
      .join(" ")
    await tellPopup(words)
    await show(kept > 0 ? "done" : "problem", words, kept)
  }

  const saveBookmark = async (bookmark: chrome.bookmarks.BookmarkTreeNode) => {
    const settings = await loadSettings()
    const { title, url } = bookmark
    if (!settings.saveBookmarks || url === undefined || !(await isMadeHere(bookmark))) return
    // Nobody asked for this page in particular, so one that cannot be saved is no problem.
    if (refusedBy(url, settings) !== undefined || !isConnected(settings)) return
    const collection = settings.folderAsCollection ? await collectionOf(bookmark) : ""
    await save(captureOf(url, settings.notePrefix, { ...bounded({ title }), collection }), settings)
  }

  const openDashboard = async () => {
    const dashboard = dashboardOf(await loadSettings())
    await (dashboard === "" ? api.runtime.openOptionsPage() : api.tabs.create({ url: dashboard }))
  }

  const choose = (
    item: Exclude<MenuItem, TabsItem>,
    { linkUrl, selectionText, srcUrl = "" }: chrome.contextMenus.OnClickData,
    tab?: chrome.tabs.Tab
  ) => {
    switch (item) {
      case "page":
      case "selection":
        return savePage(tab, { selected: selectionText })
      case "highlight":
        return saveHighlight(selectionText ?? "", tab)
      case "image":
        // An inline image has no address for the note.
        return savePage(tab, { image: /^https?:/.test(srcUrl) ? text("imageNote", srcUrl) : "" })
      case "link":
        return saveAddress(linkUrl, ({ notePrefix }) => captureOf(linkUrl ?? "", notePrefix))
      case "dashboard":
        return openDashboard()
    }
  }

  const connection = (value: unknown) => {
    const { address, headers, token } = readSettings(value)
    return JSON.stringify([address, token, headers])
  }
  const reading = (value: unknown) => {
    const { address, headers, readToken } = readSettings(value)
    return JSON.stringify([address, readToken, headers])
  }

  /** Does what a press of the button means without a popup: saves the page, or hands a handover page to the options. */
  const press = async (tab: chrome.tabs.Tab) => {
    if (tab.url === undefined || readHandoverLink(tab.url) === undefined) return savePage(tab)
    await api.storage.session.set({ [HANDOVER]: tab.url })
    await api.runtime.openOptionsPage()
  }

  const welcome = async () => {
    await takeConfiguration()
    await api.runtime.openOptionsPage()
  }

  /** Does what changed settings ask for. */
  const applySettings = (before: unknown, after: unknown) => {
    void applyResults()
    if (reading(before) !== reading(after)) void saved.forget().then(applyList)
    if (connection(before) !== connection(after)) void drain("asked")
    else void refresh()
  }

  /** Removes the copies of captures that have gone. */
  const forget = (ids: ReadonlyArray<string>) => ids.map((id) => [articles.remove(id), snapshots.remove(id)])

  // The browser may have ended the worker before it removed a copy.
  void outbox.contents().then(async ({ entries }) => {
    const ids = new Set(entries.map(({ id }) => id))
    await articles.keepOnly(ids)
    await snapshots.keepOnly(ids)
  })

  const release = async (id: string) => {
    await outbox.release(id)
    await drain("eager")
  }

  return {
    answer,
    applyList,
    applySettings,
    choose,
    drain,
    enter,
    forget,
    isSaved,
    keepArticle,
    keepSnapshot,
    press,
    release,
    resultsFor,
    saveBookmark,
    savePage,
    saveTabs,
    suggestionsFor,
    welcome
  }
}
export type Work = ReturnType<typeof makeWork>
