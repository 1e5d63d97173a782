import { onBookmark } from "./bookmarks.ts"
import { makeButton } from "./button.ts"
import { createMenus, isMenuItem, isTabsItem } from "./menus.ts"
import { listenToAddressBar } from "./omnibox.ts"
import { idOf, makeOutbox } from "./outbox.ts"
import { keepParts, loadPart } from "./part.ts"
import { api, LIST, loadSettings, outboxEnvironment } from "./platform.ts"
import { listenToResults } from "./results.ts"
import { tabInFront } from "./saves.ts"
import { canRead, fieldsOf, SETTINGS } from "./settings.ts"
import type { Work } from "./work.ts"

/*
 * The worker as the browser starts it, which it does for every page that is opened: it listens, and paints the button. What
 * it does then is in parts that are loaded for it.
 */

let made: Promise<Work> | undefined
const work = (): Promise<Work> => {
  made ??= loadPart("work").then((make) => make(button))
  return made
}

const { contents } = makeOutbox(outboxEnvironment)

const isMarked = async (): Promise<boolean> => {
  const url = (await loadSettings()).markSaved ? (await tabInFront())?.url : undefined
  if (url === undefined || !/^https?:/.test(url)) return false
  return (await work()).isSaved(url)
}

const button = makeButton(contents, isMarked)

/** Lets a click open the popup or save at once; the popup also asks whether to send the pages' texts. */
const applyButton = async () => {
  const { saveAtOnce, sendText } = await loadSettings()
  await api.action.setPopup({ popup: saveAtOnce && sendText !== "ask" ? "" : "popup.html" })
}

/** Sends what is waiting, if anything is. */
const drainWaiting = async (occasion: "due" | "eager") => {
  if ((await contents()).entries.length > 0) await (await work()).drain(occasion)
  else await button.refresh()
}

keepParts()
api.runtime.onInstalled.addListener(async ({ reason }) => {
  void createMenus()
  if (reason === "install") await (await work()).welcome()
})
api.runtime.onStartup.addListener(async () => {
  void drainWaiting("eager")
  if (canRead(await loadSettings())) await (await work()).applyList()
})
api.alarms.onAlarm.addListener(async ({ name }) => {
  if (name === LIST) await (await work()).applyList()
  else await drainWaiting("due")
})
api.runtime.onMessage.addListener((message, sender, answer) => {
  // Only the extension's own pages: a script in another page could ask what is saved.
  if (sender.tab !== undefined && sender.url?.startsWith(api.runtime.getURL("")) !== true) return undefined
  if (message === "eager" || message === "asked") void work().then(({ drain }) => drain(message))
  if (typeof message !== "object" || "results" in message) return undefined
  void work().then(async (library) => answer(await library.answer(message).catch(() => undefined)))
  return true
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
      const { keepArticle, keepSnapshot } = await work()
      if (what === "snapshot") problem = await keepSnapshot(port, tab)
      else await keepArticle(port.name, tab)
    })
  })
  port.onDisconnect.addListener(async () => {
    await reading
    await (await work()).release(port.name)
    if (problem !== "") await button.show("problem", problem)
  })
})
// The manifest declares only one custom command; the other one opens the popup.
api.commands.onCommand.addListener(async (_, tab) => (await work()).savePage(tab))
api.action.onClicked.addListener(async (tab) => (await work()).press(tab))
api.contextMenus.onClicked.addListener(async (click, tab) => {
  const item = click.menuItemId
  if (!isMenuItem(item)) return
  if (!isTabsItem(item)) return (await work()).choose(item, click, tab)
  // Requested before any await: afterwards the browser no longer accepts the click as a user gesture.
  const isPermitted = await api.permissions.request({ permissions: ["tabs"] })
  if (tab !== undefined) await (await work()).saveTabs(item, tab, isPermitted)
})
api.storage.onChanged.addListener(async (changes, area) => {
  if (area !== "local") return
  const gone = Object.entries(changes).flatMap(([key, { newValue }]) =>
    newValue === undefined ? (idOf(key) ?? []) : []
  )
  if (gone.length > 0) void work().then(({ forget }) => forget(gone))
  const settings = changes[SETTINGS]
  if (settings === undefined) return button.refresh()
  void applyButton()
  ;(await work()).applySettings(settings.oldValue, settings.newValue)
})
api.tabs.onActivated.addListener(() => void button.refresh())
api.tabs.onUpdated.addListener((_, { status }) => {
  if (status === "complete") void button.refresh()
})
self.addEventListener("online", () => void drainWaiting("eager"))
const listenToBookmarks = () =>
  onBookmark((bookmark) => void work().then(({ saveBookmark }) => saveBookmark(bookmark)))
listenToBookmarks()
listenToAddressBar(
  async (words) => (await work()).suggestionsFor(words),
  async (...entered) => (await work()).enter(...entered)
)
listenToResults(async (words) => (await work()).resultsFor(words))
api.permissions.onAdded.addListener(listenToBookmarks)

// At every start of the worker, because the browser may have ended it while it was sending.
void applyButton()
void drainWaiting("due")
