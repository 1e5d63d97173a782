import { byId, elementOf, make, onPress } from "./dom.ts"
import { type Entry, isWaiting } from "./outboxState.ts"
import { api, askToSend, openOutbox } from "./platform.ts"
import { text } from "./text.ts"
import { waitingOf } from "./trouble.ts"

const outbox = openOutbox()
const state = elementOf("outbox-state")
const retry = byId("retry", HTMLButtonElement)

const age = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" })

const copy = async ({ note, url }: Entry) => {
  await navigator.clipboard.writeText(note === "" ? url : `${url}\n\n${note}`)
  state.textContent = text("copied")
}

const remove = async ({ id, title, url }: Entry) => {
  if (!confirm(text("removeAsk", title || url))) return
  if (!(await outbox.withdraw(id))) state.textContent = text("beingSent")
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
  item.append(title, make("p", "quiet host", `${entry.url} · ${age.format(entry.at)}`))
  if (entry.note !== "") item.append(make("p", "quiet entry-note", entry.note))
  if (entry.refused !== undefined) item.append(make("p", "problem", text("refused", entry.refused)))
  const buttons = make("div", "row")
  buttons.append(button("retry", entry, again), button("copy", entry, copy), button("remove", entry, remove))
  item.append(buttons)
  return item
}

const render = async () => {
  const contents = await outbox.contents()
  const waiting = contents.entries.filter(isWaiting)
  const refused = contents.entries.filter((entry) => !isWaiting(entry))
  elementOf("waiting").replaceChildren(...waiting.map(row))
  elementOf("attention").replaceChildren(...refused.map(row))
  elementOf("attention-title").hidden = refused.length === 0
  retry.hidden = contents.entries.length === 0
  state.textContent = waitingOf(contents) || text("outboxEmpty")
}

/** Shows the waiting captures and those that need the user, and keeps the lists up to date. */
export const showOutbox = (): void => {
  onPress("retry", () => askToSend("asked"))
  api.storage.onChanged.addListener(() => void render())
  void render()
}
