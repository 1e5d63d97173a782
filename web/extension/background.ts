import { readHandoverLink } from "../../src/shared/Handover.ts"
import { articles, snapshots } from "./articles.ts"
import { collectionOf, isMadeHere, onBookmark } from "./bookmarks.ts"
import { makeButton } from "./button.ts"
import { bounded, type Captured } from "./capture.ts"
import { takeConfiguration } from "./connection.ts"
import { makeDelivery, type Occasion } from "./delivery.ts"
import { type Library, makeLibrary } from "./library.ts"
import { listenToAddressBar } from "./omnibox.ts"
import { idOf, roomIn } from "./outbox.ts"
import { articleOf, captureOfHighlight, captureOfPage, capturesOfTabs, snapshotOf } from "./pages.ts"
import {
  api,
  fetching,
  HANDOVER,
  loadSettings,
  local,
  outboxEnvironment,
  RESULT,
  type ReadingRequest,
  withLock
} from "./platform.ts"
import type { Known } from "./questions.ts"
import { applyResults, listenToResults } from "./results.ts"
import { makeSaved, storedBlocks } from "./saved.ts"
import { captureOf, refusedBy, tabInFront } from "./saves.ts"
import { identityOf, makeHash, makeSeen } from "./seen.ts"
import { send } from "./send.ts"
import {
  canRead,
  dashboardOf,
  fieldsOf,
  isConnected,
  readSettings,
  SETTINGS,
  type Settings
} from "./settings.ts"
import { text } from "./text.ts"
import { tabsText, waitingOf } from "./trouble.ts"

/** The context of each menu item; only some browsers have `tab`, where several tabs can be selected. */
const menuItems = {
  page: "page",
  link: "link",
  selection: "selection",
  highlight: "selection",
  image: "image",
  window: "action",
  right: "action",
  dashboard: "action",
  chosen: "tab"
} as const

/** The id of a menu item. */
type MenuItem = keyof typeof menuItems

/** Whether a menu item belongs to the extension. */
const isMenuItem = (id: string | number): id is MenuItem => id in menuItems

/** Replaces the extension's items in the browser's menus; the browser stores them. */
const createMenus = async (): Promise<void> => {
  const { ContextType, create, removeAll } = api.contextMenus
  await removeAll()
  for (const [id, context] of Object.entries(menuItems))
    if (isMenuItem(id) && (context !== "tab" || ContextType?.TAB !== undefined))
      create({ id, title: text(`menu_${id}`), contexts: [context] })
}

const hashOf = makeHash(local, withLock)
const seen = makeSeen(local, hashOf, withLock)
const saved = makeSaved(hashOf, storedBlocks(), withLock)

/** Links that the popup shows while the user types. */
const MOST_FOUND = 7

/** The name of the alarm that brings the list of saved pages up to date, and how often it does, in minutes. */
const LIST = "list"
const LIST_MINUTES = 60

const libraryOf = (settings: Settings) => makeLibrary(settings, fetching)

/** Whether a page is saved, as this browser knows it. */
const isSaved = async (address: string): Promise<boolean> =>
  canRead(await loadSettings()) ? (await saved.find(identityOf(address))) !== undefined : seen.has(address)

const knownOf = async (address: string): Promise<Known> => {
  const settings = await loadSettings()
  if (!canRead(settings)) return { seen: await seen.has(address) }
  const library = libraryOf(settings)
  const id = await saved.findFresh(identityOf(address), library)
  const link = id === undefined ? undefined : await library.link(id)
  return link === undefined ? {} : { link }
}

/** Answers a question of one of the extension's own pages; undefined for any other message. */
const answerOf = (message: unknown): Promise<unknown> | undefined => {
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

const isMarked = async (): Promise<boolean> => {
  const url = (await loadSettings()).markSaved ? (await tabInFront())?.url : undefined
  if (url === undefined || !/^https?:/.test(url)) return false
  return isSaved(url)
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
  await button.refresh()
}

const button = makeButton(() => outbox, isMarked)
const { show } = button

let delivered = 0

/** What the service says about what was delivered, until it is shown. */
const notices = new Set<string>()

const outbox = makeDelivery({
  ...outboxEnvironment,
  send: async (capture) => {
    const settings = await loadSettings()
    if (!isConnected(settings)) return undefined
    await button.sending(1)
    const article = settings.sendText === "yes" ? await articles.get(capture.id) : undefined
    const snapshot = await snapshots.get(capture.id)
    const outcome = await send(capture, { article, snapshot }, settings, fetching, Date.now)
    if (outcome.kind === "delivered") {
      delivered++
      if (outcome.notice !== undefined) notices.add(outcome.notice)
    }
    await button.sending(-1)
    return outcome
  },
  delivered: ({ url }) => seen.add(url)
})

/** Tells the popup something that is to be shown once. */
const tellPopup = (words: string) => api.storage.session.set({ [RESULT]: words })

/** Sends what is waiting, shows that something was delivered, and returns what the service says about it. */
const drain = async (occasion: Occasion): Promise<string> => {
  const before = delivered
  await outbox.drain(occasion)
  const noticed = [...notices].join(" ")
  notices.clear()
  if (noticed !== "") await tellPopup(noticed)
  await (delivered > before ? show("done", noticed || text("saved"), delivered - before) : button.refresh())
  if (delivered > before && canRead(await loadSettings())) void applyList()
  return noticed
}

/** How long a capture is held back while the page's text is read, in milliseconds. */
const READING = 10_000

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

/** Stores the snapshot of a tab's page for a capture; tells the popup why there is none, and returns it. */
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

const saveTabs = async (which: "window" | "right" | "chosen", tab: chrome.tabs.Tab) => {
  // Requested before any await: afterwards the browser no longer accepts the click as a user gesture.
  const isPermitted = await api.permissions.request({ permissions: ["tabs"] })
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
  item: MenuItem,
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
    default:
      return tab === undefined ? undefined : saveTabs(item, tab)
  }
}

/** Lets a click open the popup or save at once; the popup also asks whether to send the pages' texts. */
const applyButton = async () => {
  const { saveAtOnce, sendText } = await loadSettings()
  await api.action.setPopup({ popup: saveAtOnce && sendText !== "ask" ? "" : "popup.html" })
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

api.runtime.onInstalled.addListener(({ reason }) => {
  void createMenus()
  if (reason === "install") void welcome()
})
api.runtime.onStartup.addListener(() => {
  void drain("eager")
  void applyList()
})
api.alarms.onAlarm.addListener(({ name }) => void (name === LIST ? applyList() : drain("due")))
api.runtime.onMessage.addListener((message, sender, answer) => {
  // Only the extension's own pages: a script in another page could ask what is saved.
  if (sender.tab !== undefined && sender.url?.startsWith(api.runtime.getURL("")) !== true) return undefined
  if (message === "eager" || message === "asked") void drain(message)
  const answered = answerOf(message)
  void answered?.then(answer, () => answer(undefined))
  return answered === undefined ? undefined : true
})
// While the popup is open, it holds a capture back; it signals that with this connection, named after the capture. A
// message is the tab whose text is read for it: here, because the popup may close at any moment.
api.runtime.onConnect.addListener((port) => {
  let reading = Promise.resolve()
  let problem = ""
  port.onMessage.addListener((message) => {
    const { id, url, what } = fieldsOf(message)
    if (typeof id !== "number" || typeof url !== "string") return
    const tab = { id, url, incognito: false }
    reading = reading.then(async () => {
      if (what === "snapshot") problem = await keepSnapshot(port, tab)
      else await keepArticle(port.name, tab)
    })
  })
  port.onDisconnect.addListener(async () => {
    await reading
    await outbox.release(port.name)
    await drain("eager")
    if (problem !== "") await show("problem", problem)
  })
})
// The manifest declares only one custom command; the other one opens the popup.
api.commands.onCommand.addListener((_, tab) => void savePage(tab))
api.action.onClicked.addListener((tab) => void press(tab))
api.contextMenus.onClicked.addListener((click, tab) => {
  if (isMenuItem(click.menuItemId)) void choose(click.menuItemId, click, tab)
})
api.storage.onChanged.addListener((changes, area) => {
  if (area !== "local") return
  for (const [key, { newValue }] of Object.entries(changes)) {
    const id = newValue === undefined ? idOf(key) : undefined
    if (id !== undefined) void Promise.all([articles.remove(id), snapshots.remove(id)])
  }
  const settings = changes[SETTINGS]
  if (settings === undefined) return void button.refresh()
  void applyButton()
  void applyResults()
  if (reading(settings.oldValue) !== reading(settings.newValue)) void saved.forget().then(applyList)
  if (connection(settings.oldValue) !== connection(settings.newValue)) void drain("asked")
  else void button.refresh()
})
api.tabs.onActivated.addListener(() => void button.refresh())
api.tabs.onUpdated.addListener((_, { status }) => {
  if (status === "complete") void button.refresh()
})
self.addEventListener("online", () => void drain("eager"))
const listenToBookmarks = () => onBookmark((bookmark) => void saveBookmark(bookmark))
listenToBookmarks()
listenToAddressBar()
listenToResults()
api.permissions.onAdded.addListener(listenToBookmarks)

// At every start of the worker, because the browser may have ended it while it was sending.
void applyButton()
void drain("due")
void outbox.contents().then(async ({ entries }) => {
  const ids = new Set(entries.map(({ id }) => id))
  await articles.keepOnly(ids)
  await snapshots.keepOnly(ids)
})
