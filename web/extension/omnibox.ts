import { asTyped } from "./asTyped.ts"
import { type LibraryLink, makeLibrary } from "./library.ts"
import { api, fetching, loadSettings } from "./platform.ts"
import { canRead, dashboardOf } from "./settings.ts"
import { destinationOf, type Suggestion, suggestionsOf } from "./suggestions.ts"
import { text } from "./text.ts"

/** Suggestions below the address bar; browsers show no more. */
const MOST = 8

const found = async (words: string): Promise<ReadonlyArray<LibraryLink>> => {
  const settings = await loadSettings()
  if (!canRead(settings) || words.trim() === "") return []
  return (await makeLibrary(settings, fetching).search(words, MOST))?.links ?? []
}

const open = async (entered: string, disposition: `${chrome.omnibox.OnInputEnteredDisposition}`) => {
  const settings = await loadSettings()
  if (dashboardOf(settings) === "") return api.runtime.openOptionsPage()
  const url = destinationOf(entered, settings)
  if (disposition === "currentTab") return api.tabs.update({ url })
  return api.tabs.create({ url, active: disposition === "newForegroundTab" })
}

/** Answers the address bar's keyword; some browsers have none. */
export const listenToAddressBar = (): void => {
  const { omnibox } = api
  if (omnibox === undefined) return
  let suggest: (suggestions: Array<Suggestion>) => void = () => {}
  const look = asTyped(found, (links) => suggest([...suggestionsOf(links, typeof browser === "undefined")]))
  omnibox.setDefaultSuggestion({ description: text("omniboxSearch") })
  omnibox.onInputChanged.addListener((words, answer) => {
    suggest = answer
    look(words)
  })
  omnibox.onInputEntered.addListener((entered, disposition) => void open(entered, disposition))
}
