import { normalizeCollectionPath } from "../../src/shared/CollectionPath.ts"
import { readHandoverLink } from "../../src/shared/Handover.ts"
import { readableHost } from "../../src/shared/HostName.ts"
import { MAX_CAPTURE_NOTE, MAX_CAPTURE_TAGS } from "../../src/shared/Limits.ts"
import { normalizeOwnerTags } from "../../src/shared/Tags.ts"
import { hostOf } from "./addresses.ts"
import { type PageWords, quote } from "./capture.ts"
import { byId, elementOf, make, onPress, translate } from "./dom.ts"
import type { LibraryLink, Names } from "./library.ts"
import { type Contents, makeOutbox, roomIn } from "./outbox.ts"
import {
  api,
  askToSend,
  loadRemembered,
  loadSettings,
  outboxEnvironment,
  RESULT,
  storeRemembered,
  storeSettings
} from "./platform.ts"
import { askWorker } from "./questions.ts"
import { completionsOf, readRemembered, remembering, splitTags } from "./remembered.ts"
import { captureOf, inTime, refusedBy, tabInFront, wordsOf } from "./saves.ts"
import { canRead, dashboardOf, defaults, isConnected, type Settings } from "./settings.ts"
import { text } from "./text.ts"
import { troubleOf, waitingOf } from "./trouble.ts"

/** How long a capture can be undone, in milliseconds. */
const HOLD = 3_000
/** How long a capture waits while the popup asks whether to send the page's text, in milliseconds. */
const ASKING = 60_000

/** The same while the worker makes a snapshot of the page, in milliseconds. */
const COPYING = 20_000

/** Names that a field offers at most: a browser draws all of them. */
const MAX_OFFERED = 100
/** How long the form waits for what is known of the page, in milliseconds. */
const KNOWING = 1_000

const outbox = makeOutbox(outboxEnvironment)
const form = byId("form", HTMLFormElement)
const note = byId("note", HTMLTextAreaElement)
const tags = byId("tags", HTMLInputElement)
const collection = byId("collection", HTMLInputElement)
const snapshot = byId("snapshot", HTMLInputElement)
const undo = byId("undo", HTMLButtonElement)
const status = elementOf("status")

/** The capture made in this popup: held back, or being sent. */
let made:
  | { readonly id: string; readonly port: chrome.runtime.Port; readonly timer: number; held: boolean }
  | undefined

let known = readRemembered(undefined)

/** The library's own tags and collections, if the extension may read it. */
let names: Names = { tags: [], collections: [] }

/** The link of this page, if its fields may be changed here. */
let link: LibraryLink | undefined

/** The number of captures that the outbox has room for. */
let room = 0

let settings = defaults

const say = (words: string, kind: "good" | "bad" | "" = "") => {
  status.textContent = words
  status.dataset["kind"] = kind
}

/** Says how many captures wait, but not beside what became of this one. */
const showOthers = (others: Contents) => {
  elementOf("others").hidden = others.entries.length === 0 || made !== undefined
  elementOf("waiting").textContent = waitingOf(others) || text("attention")
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

/** Shows the fields; a page that is saved shows what became of it, and its note. */
const editing = (can: boolean) => {
  note.readOnly = !can
  elementOf("noting").hidden = !can && note.value.trim() === ""
  for (const part of ["filing", "copying", "save", "keys"]) elementOf(part).hidden = !can
  for (const part of ["ask", "offer", "others"]) elementOf(part).hidden = true
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
  if (made === undefined) {
    if (link !== undefined) link = await (await import("./known.ts")).undoChanges(link, say)
    return
  }
  if (!(await outbox.withdraw(made.id))) return release()
  edit()
  say(text("undone"))
}

/** Remembers tags and a collection for suggestions in this browser. */
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

/** What the fields say; undefined after it is said what is wrong with them. */
const readFields = () => {
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
  return { path, written, given: normalizeOwnerTags(splitTags(tags.value)) }
}

/** Changes the link of this page as the fields say. */
const saveChanges = async (known: typeof import("./known.ts"), before: LibraryLink) => {
  const read = readFields()
  if (read === undefined) return
  const filed = { note: read.written, tags: read.given, collection: read.path }
  link = await known.change(before, filed, say)
  remember(read.given, read.path)
}

const saveNow = async (url: string, tab: chrome.tabs.Tab, words: PageWords) => {
  if (made !== undefined) return
  if (link !== undefined && !snapshot.checked) return saveChanges(await import("./known.ts"), link)
  if (room === 0) return say(text("full"), "bad")
  const read = readFields()
  if (read === undefined) return
  if (link !== undefined) await saveChanges(await import("./known.ts"), link)
  const { given, path, written } = link === undefined ? read : { given: [], path: "", written: "" }
  // If the user removed the quotation from the note, the selection is not sent either.
  const isQuoted = words.selection !== "" && written.includes(quote(words.selection))
  const capture = captureOf(url, written, {
    ...words,
    selection: isQuoted ? words.selection : "",
    tags: given.slice(0, MAX_CAPTURE_TAGS),
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
  if (document.activeElement !== note || note.checkVisibility() === false) undo.focus()
  editing(false)
  say(text("savedHeld"), "good")
  if (isAsking) ask(settings, readText)
  remember(given, path)
  await kept.catch(() => {
    edit()
    say(text("notKept"), "bad")
  })
}

/** Tags or collections that complete a field: those that were written here last, and then the library's. */
const suggest = () => {
  const options = (list: ReadonlyArray<string>) =>
    list.slice(0, MAX_OFFERED).map((value) => {
      const option = make("option", "")
      option.value = value
      return option
    })
  const all = (own: ReadonlyArray<string>, more: ReadonlyArray<string>) => [...new Set([...own, ...more])]
  const path = collection.value.trim().toLowerCase()
  const paths = all(known.collections, names.collections)
  elementOf("known-tags").replaceChildren(...options(completionsOf(tags.value, all(known.tags, names.tags))))
  elementOf("known-collections").replaceChildren(
    ...options(paths.filter((name) => name.toLowerCase().includes(path)))
  )
}

/** Shows once what became of many tabs, or what the service says about a capture. */
const showResult = async () => {
  const { [RESULT]: words } = await api.storage.session.get(RESULT)
  if (typeof words !== "string") return
  elementOf("result").textContent = words
  elementOf("result").hidden = false
  await api.storage.session.remove(RESULT)
}

const showNotice = (words: string) => {
  const notice = elementOf("refusal")
  notice.textContent = words
  notice.hidden = false
}

/** Shows the letter of a site on a colour that is the same for every page of it, as the dashboard does. */
const showTile = (host: string) => {
  const tile = elementOf("tile")
  tile.textContent = [...host.replace(/^www\./, "")][0] ?? ""
  let hash = 0
  for (const character of host.replace(/^www\./, ""))
    hash = (Math.imul(hash, 31) + character.charCodeAt(0)) | 0
  tile.style.setProperty("--hue", `${(hash >>> 0) % 360}`)
}

/** Shows the search, once the user turns to it. */
const offerSearch = () => {
  const search = byId("search", HTMLInputElement)
  search.hidden = false
  search.placeholder = text("search")
  search.ariaLabel = text("search")
  elementOf("brand").hidden = true
  const start = async () => (await import("./find.ts")).startSearch(settings)
  search.addEventListener("focus", () => void start(), { once: true })
}

/** Asks once whether the extension may read the library. */
const offerReading = async () => {
  if (canRead(settings) || settings.askedToRead || made !== undefined) return
  elementOf("offer").hidden = false
  const answer = async () => {
    elementOf("offer").hidden = true
    await storeSettings({ ...(await loadSettings()), askedToRead: true })
  }
  elementOf("offer").addEventListener("click", () => void answer())
}

/** Shows what is known of the page: the library's link, if the extension may read it; and whether it may change it. */
const showKnown = async (url: string, quotation: string) => {
  const { link: found, seen } = (await inTime(askWorker("known", url), KNOWING)) ?? {}
  if (seen) {
    elementOf("seen").textContent = text("seen")
    elementOf("seen").hidden = false
  }
  if (found === undefined) return
  const known = await import("./known.ts")
  known.sayKnown(found, settings)
  if (!settings.mayChange) return
  link = found
  known.fillKnown(found, quotation)
}

/** Moves a quotation down as soon as the user writes something before it. */
const makeRoom = () => {
  if (note.selectionEnd !== 0) return
  note.value = `\n\n${note.value}`
  note.setSelectionRange(0, 0)
}

const completeFields = async () => {
  names = (await askWorker("names", true)) ?? names
  suggest()
}

const show = async () => {
  const [stored, tab] = await Promise.all([loadSettings(), tabInFront()])
  settings = stored
  const dashboard = byId("dashboard", HTMLAnchorElement)
  dashboard.hidden = dashboardOf(settings) === ""
  dashboard.href = dashboardOf(settings)
  if (canRead(settings)) offerSearch()
  await Promise.all([showOutbox(), showResult()])
  const url = tab?.url ?? ""
  if (tab !== undefined && readHandoverLink(url) !== undefined) {
    const problem = (await import("./handover.ts")).showHandover(url, tab, settings)
    return problem === undefined ? undefined : showNotice(problem)
  }
  const refusal = refusedBy(url, settings)
  const isMissing = !isConnected(settings)
  elementOf("connect").hidden = !isMissing
  if (tab === undefined || refusal !== undefined) return showNotice(text(refusal ?? "blockedBrowser"))
  const words = await wordsOf(tab)
  const host = readableHost(URL.parse(url)?.host ?? url)
  elementOf("title").textContent = words.title || host
  elementOf("host").textContent = host
  showTile(host)
  const quotation = quote(settings.includeSelection ? words.selection : "")
  note.value = [settings.notePrefix, quotation].filter(Boolean).join("\n\n")
  await showKnown(url, quotation)
  if (isMissing) return
  known = await loadRemembered()
  tags.placeholder = text("tagsHint")
  collection.placeholder = text("collectionHint")
  note.placeholder = text("noteHint")
  suggest()
  if (canRead(settings)) void completeFields()
  else await offerReading()
  form.hidden = false
  note.focus()
  const start = link?.note.length ?? settings.notePrefix.length
  note.setSelectionRange(start, start)
  if (start === 0 && quotation !== "") note.addEventListener("beforeinput", makeRoom, { once: true })
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
collection.addEventListener("input", suggest)
onPress("undo", undoCapture)
onPress("to-options", () => api.runtime.openOptionsPage())
api.storage.onChanged.addListener((changes) => {
  void showOutbox()
  if (RESULT in changes) void showResult()
})
void show()
