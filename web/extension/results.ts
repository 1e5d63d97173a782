import { ENGINE_ORIGINS, ENGINES } from "./engines.ts"
import { makeLibrary } from "./library.ts"
import { api, fetching, loadSettings } from "./platform.ts"
import { canRead, fieldsOf, searchAddress } from "./settings.ts"
import { text } from "./text.ts"

const ID = "results"
const MOST = 3

/** Registers the script for pages of results while the user wants it, and only where the browser permits it. */
export const applyResults = async (): Promise<void> => {
  const settings = await loadSettings()
  const isWanted =
    settings.besideResults &&
    canRead(settings) &&
    (await api.permissions.contains({ origins: ENGINE_ORIGINS }))
  const [registered] = await api.scripting.getRegisteredContentScripts({ ids: [ID] })
  if (isWanted === (registered !== undefined)) return
  if (isWanted)
    await api.scripting.registerContentScripts([
      {
        id: ID,
        js: ["results.js"],
        matches: ENGINES.map((page) => `https://${page}*`),
        runAt: "document_idle"
      }
    ])
  else await api.scripting.unregisterContentScripts({ ids: [ID] })
}

/** What the script shows; words in the user's language, because it has none itself. */
export interface Results {
  readonly links: ReadonlyArray<{ readonly title: string; readonly url: string; readonly host: string }>
  readonly heading: string
  readonly more: string
  readonly close: string
  readonly address: string
}

/** What the script shows for the words of a search; nothing if the user does not want it. */
export const resultsFor = async (words: string): Promise<Results | undefined> => {
  const settings = await loadSettings()
  if (!settings.besideResults || !canRead(settings)) return undefined
  const { links = [] } = (await makeLibrary(settings, fetching).search(words, MOST)) ?? {}
  return {
    links: links.map(({ title, url }) => ({ title, url, host: URL.parse(url)?.host ?? "" })),
    heading: text("resultsHeading"),
    more: text("foundAll"),
    close: text("close"),
    address: searchAddress(settings, words)
  }
}

/** Answers the script in a page of results, and no other page. */
export const listenToResults = (find: typeof resultsFor): void =>
  api.runtime.onMessage.addListener((message, { url = "" }, answer) => {
    const { results: words } = fieldsOf(message)
    const isEngine = ENGINES.some((page) => url.startsWith(`https://${page}`))
    if (typeof words !== "string" || !isEngine) return undefined
    void find(words).then(answer)
    return true
  })
