import { HANDED_OVER } from "../../src/shared/Handover.ts"
import { hostOf, readHandover } from "./addresses.ts"
import { connect, questionOf, verdictText } from "./connection.ts"
import { byId, elementOf } from "./dom.ts"
import { api } from "./platform.ts"
import { handedOver, type Settings } from "./settings.ts"
import { text } from "./text.ts"

/** Runs in the page: takes the token out of the address bar and the history, and lets the page say that it is done. */
const leaveToken = (fragment: string) => location.replace(fragment)

/** Asks whether to use the service that a handover page names; returns what is wrong with it, if it cannot be used. */
export const showHandover = (
  link: string,
  { id: tabId }: chrome.tabs.Tab,
  settings: Settings
): string | undefined => {
  const handover = readHandover(link)
  const host = hostOf(link)
  elementOf("title").textContent = text("name")
  elementOf("host").textContent = host
  if ("problem" in handover) return text(handover.problem)
  const { question, verb } = questionOf(handover, settings)
  const accept = byId("accept", HTMLButtonElement)
  const verdict = elementOf("verdict")
  elementOf("question").textContent = question
  accept.textContent = text(verb)
  elementOf("handover").hidden = false
  // Whoever expects to save this page presses Enter, which must not take the library to another host.
  if (verb === "replace") elementOf("question").focus()
  else accept.focus()
  accept.addEventListener("click", async () => {
    const tested = connect(handover.address, (before) => handedOver(handover, before))
    verdict.textContent = text("testing")
    verdict.focus()
    accept.hidden = true
    const result = await tested
    const works = result.finding === "works"
    verdict.textContent = works ? text("connected", host) : verdictText(result)
    verdict.dataset["kind"] = works ? "good" : "bad"
    accept.hidden = works
    if (works && tabId !== undefined)
      await api.scripting
        .executeScript({ target: { tabId }, func: leaveToken, args: [HANDED_OVER] })
        .catch(() => [])
  })
  return undefined
}
