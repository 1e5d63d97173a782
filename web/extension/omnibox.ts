import { asTyped } from "./asTyped.ts"
import { makeLibrary } from "./library.ts"
import { api, fetching, loadSettings } from "./platform.ts"
import { canRead, dashboardOf } from "./settings.ts"
import { destinationOf, type Suggestion, suggestionsOf } from "./suggestions.ts"
import { text } from "./text.ts"

/** Suggestions below the address bar; browsers show no more. */
const MOST = 8

type Disposition = `${chrome.omnibox.OnInputEnteredDisposition}`

/** What to suggest for words in the address bar. */
export const suggestionsFor = async (words: string): Promise<ReadonlyArray<Suggestion>> => {
  const settings = await loadSettings()
  if (!canRead(settings) || words.trim() === "") return []
  const found = await makeLibrary(settings, fetching).search(words, MOST)
  return suggestionsOf(found?.links ?? [], typeof browser === "undefined")
}

/** Opens what was entered in the address bar. */
export const enter = async (entered: string, disposition: Disposition): Promise<unknown> => {
  const settings = await loadSettings()
  if (dashboardOf(settings) === "") return api.runtime.openOptionsPage()
  const url = destinationOf(entered, settings)
  if (disposition === "currentTab") return api.tabs.update({ url })
  return api.tabs.create({ url, active: disposition === "newForegroundTab" })
}

/** Answers the address bar's keyword; some browsers have none. */
export const listenToAddressBar = (
  look: typeof suggestionsFor,
  open: (...entered: Parameters<typeof enter>) => unknown
): void => {
  const { omnibox } = api
  if (omnibox === undefined) return
  let suggest: (suggestions: Array<Suggestion>) => void = () => {}
  const lookUp = asTyped(look, (suggestions) => suggest([...suggestions]))
  omnibox.setDefaultSuggestion({ description: text("omniboxSearch") })
  omnibox.onInputChanged.addListener((words, answer) => {
    suggest = answer
    lookUp(words)
  })
  omnibox.onInputEntered.addListener(open)
}
