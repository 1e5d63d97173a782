import type { OutboxEnvironment } from "./outbox.ts"
import { REMEMBERED, type Remembered, readRemembered } from "./remembered.ts"
import type { Fetch } from "./request.ts"
import { readSettings, SETTINGS, type Settings } from "./settings.ts"

/** The browser's extension API: Firefox returns promises everywhere only under its own name. */
export const api: typeof chrome = typeof browser === "undefined" ? chrome : browser

export const { local } = api.storage

/** The key in `storage.session`, which is never written to disk, of a handover link for the options. */
export const HANDOVER = "handover"

/** The key in `storage.session` of words for the popup: the result of saving many tabs, or what the service says. */
export const RESULT = "result"

/** The tab whose page is read for a capture; what the popup tells the worker. */
export type ReadingRequest = Pick<chrome.tabs.Tab, "id" | "incognito" | "url">

/** The name of the alarm that brings the list of saved pages up to date. */
export const LIST = "list"

/** The name of the alarm that drains the outbox. */
const ALARM = "outbox"

/** Asks the worker to drain the outbox, and starts it if necessary; fails silently while the extension is updated. */
export const askToSend = (occasion: "eager" | "asked"): void => {
  api.runtime.sendMessage(occasion).catch(() => null)
}

export const fetching: Fetch = (address, init) => fetch(address, init)

/** Loads the settings. */
export const loadSettings = async (): Promise<Settings> => readSettings((await local.get(SETTINGS))[SETTINGS])

/** Stores the settings. */
export const storeSettings = (settings: Settings): Promise<void> => local.set({ [SETTINGS]: settings })

/** Loads the tags and collections that the user has written. */
export const loadRemembered = async (): Promise<Remembered> =>
  readRemembered((await local.get(REMEMBERED))[REMEMBERED])

/** Stores the tags and collections that the user has written. */
export const storeRemembered = (remembered: Remembered): Promise<void> =>
  local.set({ [REMEMBERED]: remembered })

export const withLock: OutboxEnvironment["withLock"] = async (name, work) =>
  navigator.locks.request(name, work)

/** This browser, as the outbox needs it. */
export const outboxEnvironment: OutboxEnvironment = {
  storage: local,
  now: Date.now,
  withLock,
  withFreeLock: async (name, work) =>
    navigator.locks.request(name, { ifAvailable: true }, (lock) => (lock === null ? undefined : work())),
  wake: async (at) => {
    if (at === undefined) await api.alarms.clear(ALARM)
    else await api.alarms.create(ALARM, { when: at })
  }
}
