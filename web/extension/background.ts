import { readHandoverLink } from "../../src/shared/Handover.ts"
import { makeButton } from "./button.ts"
import type { Captured } from "./capture.ts"
import { takeConfiguration } from "./connection.ts"
import type { Occasion } from "./outbox.ts"
import { api, HANDOVER, loadSettings, openOutbox } from "./platform.ts"
import { captureOf, captureOfPage, capturesOfTabs, refusedBy, tabInFront } from "./saves.ts"
import { dashboardOf, isConnected, readSettings, SETTINGS, type Settings } from "./settings.ts"
import { text } from "./text.ts"

/** The context of each menu item; only some browsers have `tab`, where several tabs can be selected. */
const menuItems = {
  page: "page",
  link: "link",
  selection: "selection",
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

const button = makeButton(() => outbox)
const { show } = button

const outbox = openOutbox((send) => async (capture) => {
  await button.sending(1)
  const outcome = await send(capture)
  await button.sending(-1)
  if (outcome?.kind === "delivered") await show("done", text("saved"))
  return outcome
})

const drain = async (occasion: Occasion): Promise<void> => {
  await outbox.drain(occasion)
  await button.refresh()
}

/** Stores captures and sends them; if no service is configured, opens the options. */
const save = async (captures: ReadonlyArray<Captured>, settings: Settings): Promise<void> => {
  const kept = await outbox.add(captures)
  if (kept < captures.length) await show("problem", text("full"))
  if (!isConnected(settings)) {
    await show("problem", text("notConnected"))
    await api.runtime.openOptionsPage()
  }
  await drain("eager")
}

const saveAddress = async (
  address: string | undefined,
  capture: (settings: Settings) => Captured | Promise<Captured>
) => {
  const settings = await loadSettings()
  const refusal = refusedBy(address, settings)
  if (refusal !== undefined) return show("problem", text(refusal))
  await save([await capture(settings)], settings)
}

const savePage = async (
  tab: chrome.tabs.Tab | undefined,
  of: { readonly image?: string; readonly selected?: string | undefined } = {}
) => {
  const page = tab ?? (await tabInFront())
  if (page !== undefined) await saveAddress(page.url, (settings) => captureOfPage(page, settings, of))
}

const saveTabs = async (which: "window" | "right" | "chosen", tab: chrome.tabs.Tab) => {
  // Requested before any await: afterwards the browser no longer accepts the click as a user gesture.
  const isPermitted = await api.permissions.request({ permissions: ["tabs"] })
  if (!isPermitted) return show("problem", text("tabsRefused"))
  const [settings, all] = await Promise.all([loadSettings(), api.tabs.query({ windowId: tab.windowId })])
  const tabs = {
    window: all,
    right: all.filter(({ index }) => index > tab.index),
    chosen: tab.highlighted ? all.filter(({ highlighted }) => highlighted) : [tab]
  }
  const captures = capturesOfTabs(tabs[which], settings)
  if (captures.length === 0) return show("problem", text("nothingToSave"))
  await save(captures, settings)
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

const applyButton = async () => {
  const { saveAtOnce } = await loadSettings()
  await api.action.setPopup({ popup: saveAtOnce ? "" : "popup.html" })
}

const connection = (value: unknown) => {
  const { address, headers, token } = readSettings(value)
  return JSON.stringify([address, token, headers])
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
api.runtime.onStartup.addListener(() => void drain("eager"))
api.alarms.onAlarm.addListener(() => void drain("due"))
api.runtime.onMessage.addListener((message) => {
  if (message === "eager" || message === "asked") void drain(message)
})
// While the popup is open, it holds a capture back; it signals that with this connection, named after the capture.
api.runtime.onConnect.addListener((port) =>
  port.onDisconnect.addListener(() => void outbox.release(port.name).then(() => drain("eager")))
)
// The manifest declares only one custom command; the other one opens the popup.
api.commands.onCommand.addListener((_, tab) => void savePage(tab))
api.action.onClicked.addListener((tab) => void press(tab))
api.contextMenus.onClicked.addListener((click, tab) => {
  if (isMenuItem(click.menuItemId)) void choose(click.menuItemId, click, tab)
})
api.storage.onChanged.addListener((changes, area) => {
  if (area !== "local") return
  const settings = changes[SETTINGS]
  if (settings === undefined) return void button.refresh()
  void applyButton()
  if (connection(settings.oldValue) !== connection(settings.newValue)) void drain("asked")
  else void button.refresh()
})
api.tabs.onActivated.addListener(() => void button.refresh())
api.tabs.onUpdated.addListener((_, { status }) => {
  if (status === "complete") void button.refresh()
})
self.addEventListener("online", () => void drain("eager"))

// At every start of the worker, because the browser may have ended it while it was sending.
void applyButton()
void drain("due")
