import { isObject, type Json } from "../../domain/Json.ts"
import { decoded, list, names, type ReadTime, text } from "../Fields.ts"
import { type Path, within } from "../Folders.ts"
import type { Entry, Format, Reading, SourceFile } from "../Format.ts"
import { someItem } from "../Rows.ts"

/** `folders`, `tags` and time are those of the session. */
interface Tab {
  readonly node: unknown
  readonly folders: Path
  readonly tags: ReadonlyArray<string>
  readonly createdAt: string | null
}

const valuesOf = (value: unknown): ReadonlyArray<unknown> =>
  isObject(value) ? Object.values(value) : list(value)

/** The address of the page for which a suspending extension or a session manager stands. */
const addressOf = (tab: Json): string => {
  const url = text(tab["url"])
  if (!/^(?:[a-z]+-extension|about):/i.test(url)) return url
  const query = url.slice(url.search(/[?#]/) + 1)
  const inner = new URLSearchParams(query)
  return inner.get("url") ?? inner.get("uri") ?? url
}

const isOwnPage = (url: string) =>
  /^(?:about|chrome|edge|brave|vivaldi|opera|view-source|[a-z]+-extension):/i.test(url)

const entryOf = (tab: Json, { createdAt, folders, tags }: Tab): Entry | string => {
  const url = addressOf(tab)
  if (isOwnPage(url)) return "It is a page of the browser, not a link."
  return {
    url,
    title: decoded(tab["customTitle"]) || decoded(tab["title"]),
    note: decoded(tab["customDescription"]),
    description: decoded(tab["description"]),
    folders,
    tags,
    createdAt
  }
}

/** Places count the tabs. */
const tabFormat = (
  format: Pick<Format, "name" | "label"> & {
    readonly guide: string
    readonly recognizes: (file: SourceFile) => boolean
    readonly tabs: (json: unknown, time: ReadTime) => ReadonlyArray<Tab>
  }
): Format => ({
  name: format.name,
  label: format.label,
  guides: [format.guide],
  counts: "item",
  recognizes: format.recognizes,
  read: (file, time) =>
    format.recognizes(file)
      ? format.tabs(file.json, time).map((tab, index) => ({
          place: index + 1,
          said: isObject(tab.node) ? entryOf(tab.node, tab) : "It is a bare value, not an entry."
        }))
      : undefined
})

/** A value that is neither a session nor a group. */
const broken = (node: unknown): Tab => ({ node, folders: [], tags: [], createdAt: null })

/** Tab Session Manager's own tags, which say why it saved a session. */
const reasons = new Set(["regular", "winClose", "browserExit", "temp", "_displayAll"])

const isSession = (session: Json) =>
  isObject(session["windows"]) &&
  ["tabsNumber", "windowsNumber", "sessionStartTime", "lastEditedTime"].some((name) => name in session)

/** Tab Session Manager's sessions (https://github.com/sienori/Tab-Session-Manager, `src/background/export.js`). */
export const tabSessionManager = tabFormat({
  name: "tab-session-manager",
  label: "Tab Session Manager sessions (JSON)",
  guide: "Tab Session Manager | JSON | *Settings*, *Export sessions* | session as folder, its tags, its date",
  recognizes: ({ json }) => someItem(list(json), isSession),
  tabs: (json, time) =>
    list(json).flatMap((session) => {
      if (!isObject(session)) return [broken(session)]
      const tags = names(list(session["tag"])).filter((tag) => !reasons.has(tag))
      const folders = within([], text(session["name"]))
      const createdAt = time(session["date"], session["sessionStartTime"])
      return valuesOf(session["windows"])
        .flatMap(valuesOf)
        .map((node) => ({ node, folders, tags, createdAt }))
    })
})

const isCollection = (collection: Json) => Array.isArray(collection["folders"])
const isSavedSession = (session: Json) => Array.isArray(session["windows"])

const isBuddy = ({ json }: SourceFile) =>
  isObject(json) &&
  (/^nxs\.json/.test(text(json["format"])) ||
    someItem(list(json["sessions"]), isSavedSession) ||
    (Array.isArray(json["collections"]) && someItem(json["collections"], isCollection)))

/** Session Buddy's backup: sessions of windows of tabs, from version 4 on collections of folders of links. */
export const sessionBuddy = tabFormat({
  name: "session-buddy",
  label: "Session Buddy backup (JSON)",
  guide:
    "Session Buddy | JSON | its *Export* or *Backup* | session or collection and its folders as folders, date",
  recognizes: isBuddy,
  tabs: (json, time) => {
    if (!isObject(json)) return []
    return [...list(json["collections"]), ...list(json["sessions"])].flatMap((outer) => {
      if (!isObject(outer)) return [broken(outer)]
      const around = within([], text(outer["title"]) || text(outer["name"]))
      const createdAt = time(outer["created"])
      return [...list(outer["folders"]), ...list(outer["windows"])].flatMap((inner) => {
        if (!isObject(inner)) return [broken(inner)]
        const folders = within(around, text(inner["title"]))
        return [...list(inner["links"]), ...list(inner["tabs"])].map((node) => ({
          node,
          folders,
          tags: [],
          createdAt: isObject(node) ? (time(node["created"]) ?? createdAt) : createdAt
        }))
      })
    })
  }
})

const isList = (one: Json) => Array.isArray(one["cards"])

/** Toby's lists, in later versions within groups. */
const tobyLists = (json: unknown): ReadonlyArray<{ readonly list: unknown; readonly group: string }> => {
  if (!isObject(json)) return []
  const groups = list(json["groups"]).filter(isObject)
  return [
    ...list(json["lists"]).map((one) => ({ list: one, group: "" })),
    ...groups.flatMap((group) =>
      list(group["lists"]).map((one) => ({ list: one, group: text(group["name"]) || text(group["title"]) }))
    )
  ]
}

/** Toby's export: lists of cards. */
export const toby = tabFormat({
  name: "toby",
  label: "Toby export (JSON)",
  guide:
    "Toby | JSON | *Export*, *JSON* | space and list as folders, labels as tags, own title, description as the note",
  recognizes: ({ json }) =>
    someItem(
      tobyLists(json).map((one) => one.list),
      isList
    ),
  tabs: (json) =>
    tobyLists(json).flatMap((one) => {
      if (!isObject(one.list)) return [broken(one.list)]
      const folders = within(within([], one.group), text(one.list["title"]))
      const tags = names(list(one.list["labels"]))
      return list(one.list["cards"]).map((node) => ({ node, folders, tags, createdAt: null }))
    })
})

const SEPARATOR = " | "

/** In lines. */
const SAMPLE = 50

const beginsWithAddress = (line: string) => /^[a-z][a-z0-9+.-]{1,30}:\S/i.test(line)

const isTab = (line: string) => beginsWithAddress(line) && (line.includes(SEPARATOR) || !/\s/.test(line))

const linesOf = (text: string) => text.split(/\r\n?|\n/).map((line) => line.trim())

/** Whether every line starts with an address, and more than half of the lines have a title after it. */
const looksLikeOneTab = (text: string): boolean => {
  const lines = linesOf(text.slice(0, 100_000)).filter((line) => line !== "")
  const sample = lines.slice(0, SAMPLE)
  const titled = sample.filter((line) => line.includes(SEPARATOR))
  return sample.every(isTab) && titled.length > sample.length / 2
}

const readingOf = (line: string, place: number): Reading => {
  if (!isTab(line)) return { place, said: "The line does not begin with an address." }
  const at = line.indexOf(SEPARATOR)
  if (at === -1) return { place, said: { url: line } }
  return { place, said: { url: line.slice(0, at).trim(), title: line.slice(at + SEPARATOR.length).trim() } }
}

/** OneTab's export: one line per tab, with its address and its title, and an empty line between two groups of tabs. */
export const oneTab: Format = {
  name: "onetab",
  label: "OneTab export",
  guides: ["OneTab | text | *Export / Import URLs* | nothing more"],
  counts: "line",
  recognizes: ({ json, text }) => json === undefined && looksLikeOneTab(text),
  read: ({ text }) => {
    const lines = linesOf(text)
    if (!lines.some(isTab)) return undefined
    return lines.flatMap((line, index) => (line === "" ? [] : [readingOf(line, index + 1)]))
  }
}
