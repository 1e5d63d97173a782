import { hostOf, readAddress, readHandover } from "./addresses.ts"
import { connect, isPermitted, questionOf, verdictText } from "./connection.ts"
import { byId, elementOf, make, onPress, translate } from "./dom.ts"
import { ENGINE_ORIGINS } from "./engines.ts"
import { type Entry, isWaiting, makeOutbox } from "./outbox.ts"
import {
  api,
  askToSend,
  HANDOVER,
  loadSettings,
  outboxEnvironment,
  storeRemembered,
  storeSettings
} from "./platform.ts"
import { askWorker } from "./questions.ts"
import { readRemembered } from "./remembered.ts"
import {
  canRead,
  exported,
  handedOver,
  imported,
  isConnected,
  isPage,
  movedTo,
  readHeaders,
  readSettings,
  type Settings
} from "./settings.ts"
import { type TextName, text } from "./text.ts"
import { waitingOf } from "./trouble.ts"

const outbox = makeOutbox(outboxEnvironment)
const outboxState = elementOf("outbox-state")
const retryAll = byId("retry", HTMLButtonElement)

const dateFormat = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" })

const copy = async ({ note, url }: Entry) => {
  await navigator.clipboard.writeText(note === "" ? url : `${url}\n\n${note}`)
  outboxState.textContent = text("copied")
}

const remove = async ({ id, title, url }: Entry) => {
  if (!confirm(text("removeAsk", title || url))) return
  if (!(await outbox.withdraw(id))) outboxState.textContent = text("beingSent")
}

const again = async ({ id }: Entry) => {
  await outbox.retry(id)
  askToSend("asked")
}

const button = (name: "copy" | "remove" | "retry", entry: Entry, press: (entry: Entry) => unknown) => {
  const element = make("button", "button small", text(name), () => press(entry))
  element.type = "button"
  // Screen readers announce the button alone, so its label names the capture.
  element.ariaLabel = `${text(name)}: ${entry.title || entry.url}`
  return element
}

const row = (entry: Entry): HTMLElement => {
  const item = make("li", "entry")
  const title = make("p", "entry-title", entry.title || entry.url)
  title.dir = "auto"
  item.append(title, make("p", "quiet host", `${entry.url} · ${dateFormat.format(entry.at)}`))
  if (entry.note !== "") item.append(make("p", "quiet entry-note", entry.note))
  const filing = [...(entry.tags ?? []).map((tag) => `#${tag}`), entry.collection ?? ""].join(" ").trim()
  if (filing !== "") item.append(make("p", "quiet entry-note", filing))
  if (entry.refused !== undefined) item.append(make("p", "problem", text("refused", entry.refused)))
  const buttons = make("div", "row")
  buttons.append(button("retry", entry, again), button("copy", entry, copy), button("remove", entry, remove))
  item.append(buttons)
  return item
}

const render = async () => {
  isDue = false
  const contents = await outbox.contents()
  const waiting = contents.entries.filter(isWaiting)
  const refused = contents.entries.filter((entry) => !isWaiting(entry))
  elementOf("waiting").replaceChildren(...waiting.slice(0, MAX_LISTED).map(row))
  elementOf("more-waiting").hidden = waiting.length <= MAX_LISTED
  elementOf("more-waiting").textContent = text("moreWaiting", waiting.length - MAX_LISTED)
  elementOf("attention").replaceChildren(...refused.map(row))
  elementOf("attention-title").hidden = refused.length === 0
  retryAll.hidden = contents.entries.length === 0
  outboxState.textContent = waitingOf(contents) || text("outboxEmpty")
}

let isDue = false

/** Renders once for all the changes of a moment. */
const renderSoon = () => {
  if (!isDue) setTimeout(render, 100)
  isDue = true
}

/** Shows the waiting captures and those that need the user, and keeps the lists up to date. */
const showOutbox = (): void => {
  onPress("retry", () => askToSend("asked"))
  api.storage.onChanged.addListener(renderSoon)
  renderSoon()
}

const texts = ["address", "token", "dashboard", "headers", "notePrefix"] as const
const flags = [
  "includeSelection",
  "saveAtOnce",
  "markSaved",
  "besideResults",
  "saveBookmarks",
  "folderAsCollection"
] as const

/** The optional permissions that a flag requires; Firefox also asks for consent to the data that is sent. */
const needed: Partial<Record<(typeof flags)[number], chrome.permissions.Permissions>> = {
  markSaved: { permissions: ["tabs"] },
  besideResults: { origins: ENGINE_ORIGINS },
  saveBookmarks: {
    permissions: ["bookmarks"],
    ...(typeof browser === "undefined" ? {} : { data_collection: ["bookmarksInfo"] })
  }
}

/** Maximum number of waiting captures that are listed. */
const MAX_LISTED = 100

/** The element of a setting, whose id is the setting's name. */
const box = (name: (typeof flags)[number] | "file" | "link" | "sendText") => byId(name, HTMLInputElement)
const field = (name: (typeof texts)[number]) =>
  name === "headers" ? byId(name, HTMLTextAreaElement) : byId(name, HTMLInputElement)

const showMessage = (id: string, words: string, kind: "good" | "bad" | "" = "") => {
  const place = elementOf(id)
  place.textContent = words
  place.dataset["kind"] = kind
}

const fill = (settings: Settings) => {
  for (const name of texts) field(name).value = settings[name]
  for (const name of flags) box(name).checked = settings[name]
  box("sendText").checked = settings.sendText === "yes"
  box("folderAsCollection").disabled = !settings.saveBookmarks
  showService(settings)
  showReading(settings)
  const privacy = byId("privacy", HTMLAnchorElement)
  privacy.hidden = settings.address === ""
  privacy.href = `${settings.address}/docs/extension-privacy`
}

const byHand = byId("by-hand", HTMLDetailsElement)
const more = byId("more", HTMLDetailsElement)

/** Shows the service, and the fields for another one only if the user asks for them. */
const showService = (settings: Settings) => {
  const isSet = isConnected(settings)
  elementOf("connected").hidden = !isSet
  elementOf("connected").textContent = text("isConnectedTo", hostOf(settings.address))
  elementOf("by-hand-title").textContent = text(isSet ? "changeConnection" : "byHand")
  elementOf("handover").hidden = isSet && !byHand.open
  elementOf("test").hidden = !isSet && !byHand.open
  elementOf("test").textContent = text(isSet && !byHand.open ? "testAgain" : "test")
}

const readToken = byId("readToken", HTMLInputElement)

/** Shows whether the extension may read the library. */
const showReading = (settings: Settings) => {
  const isSet = canRead(settings)
  readToken.value = settings.readToken
  elementOf("stop").hidden = !isSet
  elementOf("finding-state").hidden = !isSet
  elementOf("finding-state").textContent = text(settings.mayChange ? "reading_change" : "reading_read")
  elementOf("beside").hidden = !isSet
  for (const part of ["finding-hint", "finding-how", "finding-command"]) elementOf(part).hidden = isSet
}

/** Stores the reading token if it works, and what it may do. */
const allowReading = async () => {
  const given = readToken.value.trim()
  const settings = await loadSettings()
  const tell = (name: TextName, kind: "good" | "bad") => showMessage("reading-verdict", text(name), kind)
  if (given === "") return tell("readingNone", "bad")
  if (settings.address === "") return tell("readingFirst", "bad")
  showMessage("reading-verdict", text("testing"))
  const found = (await askWorker("test", given)) ?? "unreachable"
  const works = found === "read" || found === "change"
  if (!works) return tell(`reading_${found}`, "bad")
  const changed = {
    ...(await loadSettings()),
    readToken: given,
    mayChange: found === "change",
    askedToRead: true
  }
  await storeSettings(changed)
  showReading(changed)
  showMessage("reading-verdict", "")
}

const stopReading = async () => {
  const changed = { ...(await loadSettings()), readToken: "", mayChange: false, besideResults: false }
  await storeSettings(changed)
  fill(changed)
  showMessage("reading-verdict", text("readingStopped"), "good")
}

const showProblem = (name: (typeof texts)[number], problem: TextName) => {
  byHand.open = true
  more.open ||= name === "headers" || name === "dashboard"
  field(name).ariaInvalid = "true"
  field(name).focus()
  showMessage("verdict", text(problem), "bad")
}

const saveAndTest = async () => {
  for (const name of texts) field(name).ariaInvalid = null
  const [address = "", token, dashboard = "", headers = ""] = texts.map((name) => field(name).value.trim())
  const read = readAddress(address)
  if ("problem" in read) return showProblem("address", read.problem)
  if (readHeaders(headers) === undefined) return showProblem("headers", "headersBroken")
  if (dashboard !== "" && !isPage(dashboard)) return showProblem("dashboard", "dashboardBroken")
  await test(read.address, (before) =>
    readSettings({ ...movedTo(read.address, before), token, dashboard, headers })
  )
}

/** Stores the changed settings and shows whether they work; must be called before any await of a click's handler. */
const test = async (address: string, changeSettings: (before: Settings) => Settings) => {
  showMessage("verdict", text("testing"))
  const { settings, ...verdict } = await connect(address, changeSettings)
  fill(settings)
  showMessage("verdict", verdictText(verdict), verdict.finding === "works" ? "good" : "bad")
  if (verdict.finding === "token" || verdict.finding === "noToken") {
    byHand.open = true
    field("token").focus()
  }
}

const accept = byId("accept", HTMLButtonElement)

/** Asks whether to use the pasted link's service; says nothing while the field is empty. */
const ask = async () => {
  const link = box("link").value.trim()
  const handover = readHandover(link)
  box("link").ariaInvalid = link !== "" && "problem" in handover ? "true" : null
  accept.hidden = "problem" in handover
  if (link === "") return showMessage("question", "")
  if ("problem" in handover) return showMessage("question", text(handover.problem), "bad")
  const { question, verb } = questionOf(handover, await loadSettings())
  showMessage("question", question)
  accept.textContent = text(verb)
}

const takeHandover = async () => {
  const handover = readHandover(box("link").value)
  if ("problem" in handover) return ask()
  // The token must not stay readable.
  box("link").value = ""
  void ask()
  await test(handover.address, (before) => handedOver(handover, before))
}

/** Asks about the handover page on which the button was pressed, if it was pressed without a popup. */
const takePressed = async () => {
  const { [HANDOVER]: link } = await api.storage.session.get(HANDOVER)
  if (typeof link !== "string") return
  await api.storage.session.remove(HANDOVER)
  box("link").value = link
  await ask()
  accept.focus()
}

const change = async (some: Partial<Settings>) => {
  await storeSettings({ ...(await loadSettings()), ...some })
  showMessage("changed", text("changed"), "good")
}

/** Saves a flag, if the browser grants the permission that it needs. */
const flip = async (name: (typeof flags)[number]) => {
  const permissions = box(name).checked ? needed[name] : undefined
  if (permissions !== undefined) box(name).checked = await api.permissions.request(permissions)
  await change({ [name]: box(name).checked })
  box("folderAsCollection").disabled = !box("saveBookmarks").checked
}

const download = async () => {
  const link = document.createElement("a")
  link.href = URL.createObjectURL(new Blob([exported(await loadSettings())], { type: "application/json" }))
  link.download = "linkbower-settings.json"
  link.click()
  URL.revokeObjectURL(link.href)
}

const upload = async (file: File | undefined) => {
  if (file === undefined) return
  const settings = imported(await file.text(), await loadSettings())
  if (settings === undefined) return showMessage("moved", text("importBroken"), "bad")
  await storeSettings(settings)
  fill(settings)
  showMessage("moved", text("imported"), "good")
}

translate()
document.title = text("optionsTitle")
elementOf("service").addEventListener("submit", (event) => {
  event.preventDefault()
  void saveAndTest()
})
elementOf("handover").addEventListener("submit", (event) => {
  event.preventDefault()
  void takeHandover()
})
box("link").addEventListener("input", () => void ask())
field("notePrefix").addEventListener(
  "change",
  () => void change({ notePrefix: field("notePrefix").value.trim() })
)
box("sendText").addEventListener(
  "change",
  () => void change({ sendText: box("sendText").checked ? "yes" : "no" })
)
elementOf("reading").addEventListener("submit", (event) => {
  event.preventDefault()
  void allowReading()
})
onPress("stop", stopReading)
byHand.addEventListener("toggle", () => void loadSettings().then(showService))
onPress("forget", async () => {
  await storeRemembered(readRemembered(undefined))
  showMessage("changed", text("forgotten"), "good")
})
for (const name of flags) box(name).addEventListener("change", () => void flip(name))
onPress("export", download)
onPress("import", () => box("file").click())
box("file").addEventListener("change", async () => {
  await upload(box("file").files?.[0])
  // Cleared, so that choosing the same file again fires a change event.
  box("file").value = ""
})
void loadSettings().then(async (settings) => {
  fill(settings)
  more.open = settings.dashboard !== "" || settings.headers !== ""
  if (isConnected(settings) && !(await isPermitted(settings.address)))
    showMessage("verdict", text("allowFirst", hostOf(settings.address)))
  await takePressed()
})
api.storage.session.onChanged.addListener(() => void takePressed())
showOutbox()
