import { normalizeCollectionPath } from "../../src/shared/CollectionPath.ts"
import { HANDED_OVER, readHandoverLink } from "../../src/shared/Handover.ts"
import { readableHost } from "../../src/shared/HostName.ts"
import { MAX_CAPTURE_NOTE, MAX_CAPTURE_TAGS } from "../../src/shared/Limits.ts"
import { normalizeOwnerTags } from "../../src/shared/Tags.ts"
import { readHandover } from "./addresses.ts"
import { type PageWords, quote } from "./capture.ts"
import { connect, hostOf, questionOf, verdictText } from "./connection.ts"
import { byId, elementOf, make, onPress, translate } from "./dom.ts"
import { type Contents, roomIn } from "./outbox.ts"
import {
  api,
  askToSend,
  loadRemembered,
  loadSettings,
  openOutbox,
  RESULT,
  seen,
  storeRemembered,
  storeSettings
} from "./platform.ts"
import { completionsOf, readRemembered, remembering, splitTags } from "./remembered.ts"
import { captureOf, refusedBy, tabInFront, wordsOf } from "./saves.ts"
import { dashboardOf, defaults, handedOver, isConnected, type Settings } from "./settings.ts"
import { text } from "./text.ts"
import { troubleOf, waitingOf } from "./trouble.ts"

/** How long a capture can be undone, in milliseconds. */
const HOLD = 3_000
/** How long a capture waits while the popup asks whether to send the page's text, in milliseconds. */
const ASKING = 60_000

/** The same while the worker makes a snapshot of the page, in milliseconds. */
const COPYING = 20_000

const outbox = openOutbox()
const form = byId("form", HTMLFormElement)
const note = byId("note", HTMLTextAreaElement)
const tags = byId("tags", HTMLInputElement)
const collection = byId("collection", HTMLInputElement)
const snapshot = byId("snapshot", HTMLInputElement)
const save = byId("save", HTMLButtonElement)
const undo = byId("undo", HTMLButtonElement)
const status = elementOf("status")

/** The capture made in this popup: held back, or being sent. */
let made:
  | { readonly id: string; readonly port: chrome.runtime.Port; readonly timer: number; held: boolean }
  | undefined

let known = readRemembered(undefined)

/** The number of captures that the outbox has room for. */
let room = 0

let settings = defaults

const say = (words: string, kind: "good" | "bad" | "" = "") => {
  status.textContent = words
  status.dataset["kind"] = kind
}

const showOthers = (others: Contents) => {
  const link = byId("waiting", HTMLAnchorElement)
  link.hidden = others.entries.length === 0
  const waiting = waitingOf(others) || text("attention")
  link.textContent = made === undefined ? waiting : text("earlier", waiting)
}

const showMine = (contents: Contents) => {
  const mine = contents.entries.find(({ id }) => id === made?.id)
  if (mine === undefined) return say(text("delivered"), "good")
  if (mine.refused !== undefined) return say(text("refused", mine.refused), "bad")
  const trouble = troubleOf(contents)
  return say(trouble === "" ? text("sending") : text("keptFor", trouble))
}

const showOutbox = async () => {
  const contents = await outbox.contents()
  room = roomIn(contents)
  showOthers({ ...contents, entries: contents.entries.filter(({ id }) => id !== made?.id) })
  if (made !== undefined && !made.held) showMine(contents)
}

const editing = (can: boolean) => {
  note.readOnly = !can
  tags.disabled = !can
  collection.disabled = !can
  snapshot.disabled = !can
  save.hidden = !can
  elementOf("keys").hidden = !can
  elementOf("ask").hidden = true
  elementOf("filing").hidden = false
}

/** Ends the time for undoing the capture; the worker sends it when the connection ends. */
const release = () => {
  if (made === undefined || !made.held) return
  made.held = false
  clearTimeout(made.timer)
  const asking = elementOf("ask")
  if (document.activeElement === undo || asking.contains(document.activeElement)) status.focus()
  undo.hidden = true
  asking.hidden = true
  elementOf("filing").hidden = false
  made.port.disconnect()
  void showOutbox()
}

/** Returns to editing the note. */
const edit = () => {
  if (made === undefined) return
  clearTimeout(made.timer)
  made.port.disconnect()
  made = undefined
  undo.hidden = true
  editing(true)
  note.focus()
}

const undoCapture = async () => {
  if (made === undefined) return
  if (!(await outbox.withdraw(made.id))) return release()
  edit()
  say(text("undone"))
}

/** Remembers tags and a collection for suggestions in this browser; the service tells the extension none. */
const remember = (added: ReadonlyArray<string>, path: string) => {
  if (added.length > 0 || path !== "") void storeRemembered(remembering(known, added, path))
}

/** Asks once whether to send the pages' texts; until it is answered, the capture made waits, and goes without. */
const ask = (settings: Settings, readText: () => void) => {
  const answer = (sendText: "yes" | "no") => async () => {
    await storeSettings({ ...(await loadSettings()), sendText })
    if (sendText === "yes") readText()
    release()
  }
  elementOf("ask-why").textContent = text("askTextWhy", hostOf(settings.address))
  elementOf("ask").hidden = false
  elementOf("filing").hidden = true
  onPress("ask-yes", answer("yes"))
  onPress("ask-no", answer("no"))
  // Whoever presses Enter twice has not answered.
  elementOf("ask-title").focus()
}

/** Has the worker make a snapshot of the page, and says so if there is none. */
const keepSnapshot = (port: chrome.runtime.Port, { id }: chrome.tabs.Tab, url: string) => {
  port.onMessage.addListener((words) => {
    if (typeof words === "string") say(words, "bad")
  })
  port.postMessage({ id, url, what: "snapshot" })
}

const saveNow = async (url: string, tab: chrome.tabs.Tab, words: PageWords) => {
  if (made !== undefined) return
  if (room === 0) return say(text("full"), "bad")
  const path = collection.value.trim() === "" ? "" : normalizeCollectionPath(collection.value)
  collection.ariaInvalid = path === null ? "true" : null
  if (path === null) {
    collection.focus()
    return say(text("collectionBroken"), "bad")
  }
  const written = note.value.trim()
  if (written.length > MAX_CAPTURE_NOTE) {
    note.focus()
    return say(text("noteTooLong"), "bad")
  }
  const given = normalizeOwnerTags(splitTags(tags.value)).slice(0, MAX_CAPTURE_TAGS)
  // If the user removed the quotation from the note, the selection is not sent either.
  const isQuoted = words.selection !== "" && written.includes(quote(words.selection))
  const capture = captureOf(url, written, {
    ...words,
    selection: isQuoted ? words.selection : "",
    tags: given,
    collection: path
  })
  const isAsking = settings.sendText === "ask"
  // Starts both without awaiting, because the popup may close before either completes.
  const holding = snapshot.checked ? COPYING : HOLD
  const kept = outbox.keep([capture], isAsking ? ASKING : holding)
  const port = api.runtime.connect({ name: capture.id })
  const readText = () => port.postMessage({ id: tab.id, url })
  if (settings.sendText === "yes") readText()
  if (snapshot.checked) keepSnapshot(port, tab, url)
  made = { id: capture.id, port, timer: window.setTimeout(release, isAsking ? ASKING : HOLD), held: true }
  undo.hidden = false
  if (document.activeElement !== note) undo.focus()
  editing(false)
  say(text("savedHeld"), "good")
  if (isAsking) ask(settings, readText)
  remember(given, path)
  await kept.catch(() => {
    edit()
    say(text("notKept"), "bad")
  })
}

const suggest = () => {
  const options = (list: ReadonlyArray<string>) =>
    list.map((value) => {
      const option = make("option", "")
      option.value = value
      return option
    })
  elementOf("known-tags").replaceChildren(...options(completionsOf(tags.value, known.tags)))
  elementOf("known-collections").replaceChildren(...options(known.collections))
}

/** Shows once what became of many tabs, or what the service says about a capture. */
const showResult = async () => {
  const { [RESULT]: words } = await api.storage.session.get(RESULT)
  if (typeof words !== "string") return
  elementOf("result").textContent = words
  elementOf("result").hidden = false
  await api.storage.session.remove(RESULT)
}

/** Runs in the page: takes the token out of the address bar and the history, and lets the page say that it is done. */
const leaveToken = (fragment: string) => location.replace(fragment)

/** Asks whether to use the service that a handover page names. */
const showHandover = (link: string, { id: tabId }: chrome.tabs.Tab, settings: Settings) => {
  const handover = readHandover(link)
  const host = hostOf(link)
  elementOf("title").textContent = text("name")
  elementOf("host").textContent = host
  if ("problem" in handover) return showNotice(text(handover.problem))
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
}

const showNotice = (words: string) => {
  const notice = elementOf("refusal")
  notice.textContent = words
  notice.hidden = false
}

const show = async () => {
  const [stored, tab] = await Promise.all([loadSettings(), tabInFront()])
  settings = stored
  const dashboard = byId("dashboard", HTMLAnchorElement)
  dashboard.hidden = dashboardOf(settings) === ""
  dashboard.href = dashboardOf(settings)
  await Promise.all([showOutbox(), showResult()])
  const url = tab?.url ?? ""
  if (tab !== undefined && readHandoverLink(url) !== undefined) return showHandover(url, tab, settings)
  const refusal = refusedBy(url, settings)
  const isMissing = !isConnected(settings)
  elementOf("connect").hidden = !isMissing
  if (tab === undefined || refusal !== undefined) return showNotice(text(refusal ?? "blockedBrowser"))
  const words = await wordsOf(tab)
  const host = readableHost(URL.parse(url)?.host ?? url)
  elementOf("title").textContent = words.title || host
  elementOf("host").textContent = host
  elementOf("seen").hidden = !(await seen.has(url))
  if (isMissing) return
  known = await loadRemembered()
  tags.placeholder = text("tagsHint")
  suggest()
  const selection = settings.includeSelection ? words.selection : ""
  const quotation = quote(selection)
  note.value = `${settings.notePrefix}${quotation === "" ? "" : `\n\n${quotation}`}`
  form.hidden = false
  note.focus()
  note.setSelectionRange(settings.notePrefix.length, settings.notePrefix.length)
  note.scrollTop = 0
  form.addEventListener("submit", (event) => {
    event.preventDefault()
    void saveNow(url, tab, words)
  })
}

translate()
note.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.shiftKey || event.isComposing) return
  event.preventDefault()
  form.requestSubmit()
})
window.addEventListener("keydown", (event) => {
  if (event.key === "Escape") window.close()
})
window.addEventListener("online", () => askToSend("eager"))
tags.addEventListener("input", suggest)
onPress("undo", undoCapture)
onPress("to-options", () => api.runtime.openOptionsPage())
api.storage.onChanged.addListener((changes) => {
  void showOutbox()
  if (RESULT in changes) void showResult()
})
void show()
