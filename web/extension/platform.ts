import { makeOutbox, type Outbox, type OutboxWorld } from "./outbox.ts"
import { makeSeen } from "./seen.ts"
import { type Fetch, send } from "./send.ts"
import { isConnected, readSettings, SETTINGS, type Settings } from "./settings.ts"

/** The browser's extension interface, by the name that answers with promises. */
export const api: ExtensionApi = typeof browser === "undefined" ? chrome : browser

const { local } = api.storage

/** The name of the one alarm, which empties the outbox. */
const ALARM = "outbox"

/** Has the worker empty the outbox; it starts for that. Nothing happens where the extension is being replaced. */
export const askToSend = (occasion: "eager" | "asked"): void => {
  api.runtime.sendMessage(occasion).catch(() => null)
}

export const fetching: Fetch = (address, init) => fetch(address, init)

/** The settings as they are kept. */
export const loadSettings = async (): Promise<Settings> => readSettings((await local.get(SETTINGS))[SETTINGS])

/** Keeps the settings. */
export const storeSettings = (settings: Settings): Promise<void> => local.set({ [SETTINGS]: settings })

const alone: OutboxWorld["alone"] = async (name, work) => navigator.locks.request(name, work)

export const seen = makeSeen(local, alone)

const sendNow: OutboxWorld["send"] = async (capture) => {
  const settings = await loadSettings()
  return isConnected(settings) ? send(capture, settings, fetching, Date.now) : undefined
}

/** The outbox of this browser; `around` lets the worker show what is being sent. */
export const openOutbox = (
  around: (send: OutboxWorld["send"]) => OutboxWorld["send"] = (send) => send
): Outbox =>
  makeOutbox({
    storage: local,
    now: Date.now,
    send: around(sendNow),
    alone,
    ifFree: async (name, work) =>
      navigator.locks.request(name, { ifAvailable: true }, (lock) => (lock === null ? undefined : work())),
    wake: async (at) => {
      if (at === undefined) await api.alarms.clear(ALARM)
      else await api.alarms.create(ALARM, { when: at })
    },
    delivered: ({ url }) => seen.add(url)
  })
