import { Either } from "effect"
import { isObject, type Json } from "../../domain/Json.ts"
import { fieldSynonyms, type LinkField, normalizeFieldName } from "../FieldSynonyms.ts"
import { decoded, flag, names, parts, type ReadTime, stateOf, text } from "../Fields.ts"
import { type Leaf, type Path, splitPath, within } from "../Folders.ts"
import { type Entry, type Format, type Reading, readings } from "../Format.ts"

const isWeb = (value: string) => /^https?:\/\/\S/i.test(value)

/** Names are normalized; the first of equal names counts. */
const fieldsOf = (item: Json): ReadonlyMap<string, unknown> => {
  const fields = new Map<string, unknown>()
  for (const [name, value] of Object.entries(item)) {
    const normal = normalizeFieldName(name)
    if (!fields.has(normal)) fields.set(normal, value)
  }
  return fields
}

type Fields = ReadonlyMap<string, unknown>

/** A text, an object such as `{href}`, or the first of a list of these; objects with a `url` are other links. */
const addressOf = (value: unknown): string => {
  const one: unknown = Array.isArray(value) ? value[0] : value
  if (!isObject(one)) return text(one)
  return text(one["href"]) || (Array.isArray(value) ? "" : text(one["url"]))
}

/** The first address on the web; empty if no field has one. */
const urlOf = (fields: Fields): string => {
  for (const name of fieldSynonyms.url) {
    const url = addressOf(fields.get(name))
    if (isWeb(url)) return url
  }
  return ""
}

const valueOf = (fields: Fields, field: LinkField): unknown => {
  for (const name of fieldSynonyms[field]) {
    const value = fields.get(name)
    if (value !== undefined && value !== null && value !== "") return value
  }
  return undefined
}

const LOOKED_AT = 20

/** How deep in objects the lists may lie: `{"data": {"bookmarks": […]}}`. */
const MAX_WRAPPERS = 3

const itemOf = (node: unknown): unknown => (typeof node === "string" && isWeb(node) ? { url: node } : node)

const isLink = (node: unknown): boolean => {
  const item = itemOf(node)
  return isObject(item) && urlOf(fieldsOf(item)) !== ""
}

const isListOfLinks = (items: ReadonlyArray<unknown>): boolean => {
  const some = items.slice(0, LOOKED_AT)
  const links = some.filter(isLink).length
  return links > 0 && links * 2 >= some.length
}

const isNested = (value: unknown) => typeof value === "object" && value !== null

const hasLists = (node: unknown): boolean => isObject(node) && Object.values(node).some(Array.isArray)

const isGroup = (node: unknown): node is Json =>
  isObject(node) &&
  Object.values(node).some(
    (value) =>
      Array.isArray(value) && value.slice(0, LOOKED_AT).some((inner) => isLink(inner) || hasLists(inner))
  )

interface Search {
  readonly value: unknown
  readonly folders: Path
  readonly wrappers: number
}

/** Links, groups to search, and, in a list of links, all other items. */
const inList = (items: ReadonlyArray<unknown>, { folders }: Search): ReadonlyArray<Leaf | Search> => {
  const hasLinks = isListOfLinks(items)
  return items.flatMap((node): ReadonlyArray<Leaf | Search> => {
    if (isLink(node)) return hasLinks ? [{ node: itemOf(node), folders }] : []
    if (isGroup(node)) {
      const name = text(valueOf(fieldsOf(node), "title"))
      return [{ value: node, folders: within(folders, name), wrappers: 0 }]
    }
    return hasLinks ? [{ node, folders }] : []
  })
}

/** Groups are folders if they have a name. File order, without recursion. */
function* linksIn(json: unknown): Generator<Leaf> {
  const waiting: Array<Leaf | Search> = [{ value: json, folders: [], wrappers: 0 }]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if ("node" in next) {
      yield next
      continue
    }
    const { folders, value, wrappers } = next
    if (Array.isArray(value)) {
      const found = inList(value, next)
      for (let at = found.length - 1; at >= 0; at--) {
        const one = found[at]
        if (one !== undefined) waiting.push(one)
      }
    } else if (isObject(value) && wrappers < MAX_WRAPPERS)
      for (const inner of Object.values(value).filter(isNested).reverse())
        waiting.push({ value: inner, folders, wrappers: wrappers + 1 })
  }
}

/** A file that is one link itself has only that. */
const leavesIn = (json: unknown): Iterable<Leaf> => {
  const links = linksIn(json)
  const first = links.next()
  if (first.done !== true)
    return (function* () {
      yield first.value
      yield* links
    })()
  const fields = isObject(json) ? fieldsOf(json) : undefined
  return fields !== undefined && urlOf(fields) !== "" && valueOf(fields, "title") !== undefined
    ? [{ node: json, folders: [] }]
    : []
}

const isEmpty = (items: Iterable<unknown>): boolean => {
  for (const _ of items) return false
  return true
}

/** A path as text, or a list or an object with a name. */
const foldersOf = (value: unknown): Path => {
  if (Array.isArray(value)) return names(value)
  if (isObject(value)) return parts(text(value["name"]) || text(value["title"]), "/")
  return splitPath(text(value))
}

const read = (item: Json, folders: Path, time: ReadTime): Entry => {
  const fields = fieldsOf(item)
  const status = text(fields.get("status")).toLowerCase()
  return {
    url: urlOf(fields),
    title: decoded(valueOf(fields, "title")),
    note: decoded(valueOf(fields, "note")),
    description: decoded(valueOf(fields, "description")),
    tags: names(valueOf(fields, "tags")),
    folders: foldersOf(valueOf(fields, "folder")).reduce(within, folders),
    createdAt: time(valueOf(fields, "created")),
    favorite: flag(valueOf(fields, "favorite")),
    state: stateOf({
      archived: flag(valueOf(fields, "archived")) || status === "archived",
      unread: flag(valueOf(fields, "unread")) || status === "unread"
    })
  }
}

const guide = (file: string) =>
  `any list in JSON | ${file} | any program | fields for title, note, description, tags, folder, date and favorite, under many names`

/** Any JSON with a list of objects that have an address, or of addresses; also in objects and in groups with a name. */
export const genericJson: Format = {
  name: "json",
  label: "list of links (JSON)",
  guides: [guide("JSON")],
  counts: "item",
  recognizes: ({ json }) => !isEmpty(leavesIn(json)),
  read: ({ json }, time) => {
    const all = [...readings(leavesIn(json), (item, folders) => read(item, folders, time))]
    return all.length === 0 ? undefined : all
  }
}

const parsed = (line: string) => Either.getOrUndefined(Either.try((): unknown => JSON.parse(line)))

const linesOf = (text: string) => text.split(/\r\n?|\n/)

/** Number of characters that are searched for the first two lines. */
const LINES_START = 1024 * 1024

/** Whether a text has an object in JSON on each line (https://jsonlines.org), by its first two lines. */
export const isJsonLines = (text: string): boolean => {
  const [first = "", second = ""] = linesOf(text.slice(0, LINES_START)).filter((line) => /\S/.test(line))
  return isObject(parsed(first)) && /^\s*\{/.test(second)
}

const readingOf = (line: string, place: number, time: ReadTime): Reading => {
  const item = parsed(line)
  return { place, said: isObject(item) ? read(item, [], time) : "The line is not an object in JSON." }
}

export const genericJsonLines: Format = {
  name: "json-lines",
  label: "list of links (JSON Lines)",
  guides: [guide("JSON Lines")],
  counts: "line",
  recognizes: ({ json, text }) =>
    json === undefined &&
    isJsonLines(text) &&
    isListOfLinks(linesOf(text.slice(0, LINES_START)).slice(0, LOOKED_AT).map(parsed).filter(isObject)),
  read: ({ text }, time) => {
    if (!isJsonLines(text)) return undefined
    return linesOf(text).flatMap((line, index) => (/\S/.test(line) ? [readingOf(line, index + 1, time)] : []))
  }
}
