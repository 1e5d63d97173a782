import { byId, elementOf, make } from "./dom.ts"
import { changesOf, dayOf, type Filed } from "./edits.ts"
import type { LibraryLink } from "./library.ts"
import { askWorker } from "./questions.ts"
import { linkAddress, type Settings } from "./settings.ts"
import { text } from "./text.ts"

const radios = () => [...elementOf("states").querySelectorAll("input")]

/** The state that is chosen. */
const chosenState = (): string => radios().find(({ checked }) => checked)?.value ?? ""

/** Says that the page is saved already: when, and where it is filed; leads to the link in the dashboard. */
export const sayKnown = (link: LibraryLink, settings: Settings): void => {
  const line = elementOf("seen")
  const day = dayOf(link.createdAt, new Date())
  const words = make("span", "", link.collection === "" ? text("known", day) : text("knownIn", day))
  if (link.collection !== "") words.append(" ", make("em", "", link.collection))
  const open = make("a", "", text("knownOpen"))
  open.href = linkAddress(settings, link.id)
  open.target = "_blank"
  open.rel = "noreferrer"
  line.replaceChildren(words, open)
  line.hidden = false
}

/** Fills the form with the link, to be changed in place; `quotation` is added below its note. */
export const fillKnown = (link: LibraryLink, quotation: string): void => {
  byId("note", HTMLTextAreaElement).value = [link.note, quotation].filter(Boolean).join("\n\n")
  byId("tags", HTMLInputElement).value = link.tags.join(", ")
  byId("collection", HTMLInputElement).value = link.collection
  for (const radio of radios()) radio.checked = radio.value === link.state
  elementOf("states").hidden = false
  elementOf("save").textContent = text("saveChanges")
  elementOf("keys").hidden = true
}

/** The tokens that undo the changes made here, the last one first. */
let undoing: ReadonlyArray<string> = []

/** Tells the user something in the popup. */
type Say = (words: string, kind?: "good" | "bad") => void

const sayDone = (say: Say, problem: string | undefined, words: string) => {
  byId("save", HTMLButtonElement).disabled = false
  elementOf("undo").hidden = undoing.length === 0
  if (problem === undefined) say(words, "good")
  else say(problem || text("reading_unreachable"), "bad")
}

/** Makes the changes one after another; returns what is wrong, if one fails. */
const makeChanges = async (changes: ReturnType<typeof changesOf>): Promise<string | undefined> => {
  for (const change of changes) {
    const made = (await askWorker("change", change)) ?? { problem: "" }
    if ("problem" in made) return made.problem
    undoing = [made.undo, ...undoing]
  }
  return undefined
}

/** Changes the link as the fields say, and returns it as it is then. */
export const change = async (
  link: LibraryLink,
  fields: Omit<Filed, "state">,
  say: Say
): Promise<LibraryLink> => {
  const filed = { ...fields, state: chosenState() }
  const changes = changesOf(link, filed)
  if (changes.length === 0) {
    say(text("unchanged"))
    return link
  }
  byId("save", HTMLButtonElement).disabled = true
  const problem = await makeChanges(changes)
  sayDone(say, problem, text("changed"))
  return problem === undefined ? { ...link, ...filed } : ((await askWorker("link", link.id)) ?? link)
}

/** Undoes all changes made here, shows the link as it is then, and returns it. */
export const undoChanges = async (link: LibraryLink, say: Say): Promise<LibraryLink> => {
  let problem: string | undefined
  for (const token of undoing) {
    const undone = (await askWorker("change", { op: "undo", token })) ?? { problem: "" }
    if ("problem" in undone) problem ??= undone.problem
  }
  undoing = []
  const now = (await askWorker("link", link.id)) ?? link
  fillKnown(now, "")
  sayDone(say, problem, text("changesUndone"))
  return now
}
