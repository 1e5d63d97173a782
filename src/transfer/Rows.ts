import { Either } from "effect"
import type { Bookmark } from "../domain/Bookmark.ts"
import { isObject, type Json } from "../domain/Json.ts"
import { childText, readXml, type XmlElement, xmlRoot } from "../domain/Xml.ts"
import { columnsOf, table } from "./Csv.ts"
import { decoded, flag, given, list, names, type ReadTime, stateOf, text } from "./Fields.ts"
import type { Leaf } from "./Folders.ts"
import {
  type Entry,
  type Format,
  FormatError,
  type Reading,
  readings,
  type SourceFile,
  unreadableReading
} from "./Format.ts"
import { highlightsIn } from "./Highlights.ts"
import { type MarkupHandler, MarkupText, readMarkup } from "./Markup.ts"
import { pageText } from "./PageText.ts"

interface ListedLink {
  readonly place: number
  /** The anchor's attributes, its `title`, the `heading` above and the `time` in its item; empty without one. */
  readonly fields: Readonly<Record<string, string>>
}

const attributes = new Set(["href", "tags", "time_added"])

const headings = new Set(["h1", "h2", "h3"])

interface OpenLink {
  readonly given: ReadonlyMap<string, string>
  readonly place: number
  readonly title: MarkupText
  readonly time: MarkupText
}

class LinkListReader implements MarkupHandler {
  readonly links: Array<ListedLink> = []
  #link: OpenLink | null = null
  #heading = ""
  #text: MarkupText | null = null

  open(name: string, given: ReadonlyMap<string, string>, line: number): void {
    if (name === "a" || name === "li") this.end()
    if (headings.has(name)) this.#text = new MarkupText({ lines: false })
    if (name === "time") this.#text = this.#link?.time ?? null
    if (name !== "a") return
    const title = new MarkupText({ lines: false })
    this.#link = { given, place: line, title, time: new MarkupText({ lines: false }) }
    this.#text = title
  }

  close(name: string): void {
    if (headings.has(name)) this.#heading = this.#text?.value ?? ""
    if (headings.has(name) || name === "time" || name === "a") this.#text = null
    if (name === "li" || name === "ul" || name === "ol") this.end()
  }

  text(piece: string, referenced: boolean): void {
    this.#text?.add(piece, referenced)
  }

  end(): void {
    if (this.#link === null) return
    const { given, place, time, title } = this.#link
    this.#link = null
    this.#text = null
    const texts = { title: title.value, heading: this.#heading, time: time.value }
    this.links.push({ place, fields: { ...Object.fromEntries(given), ...texts } })
  }
}

/** End tags may be missing. */
export const readLinkList = (html: string): ReadonlyArray<ListedLink> => {
  const reader = new LinkListReader()
  readMarkup(html, attributes, reader)
  reader.end()
  return reader.links
}

/** Formats as rows: how a file is recognized, and where the fields of its entries lie. */

/** A column (by `normalizeFieldName`), a path of keys (`feed.title`), an XML element, or an attribute (`@href`). */
export type Item = (field: string) => unknown

type Code<Value> = (item: Item, time: ReadTime, file: SourceFile) => Value

/** The fields that have a value, separated by spaces; or code. */
type Said<Value> = string | Code<Value>

/** Several fields are alternatives in this order. */
interface Fields {
  readonly url: Said<string>
  readonly title?: Said<string>
  readonly note?: Said<string>
  readonly description?: Said<string>
  readonly tags?: Said<ReadonlyArray<string>>
  /** The name of one folder; by default the folders around the entry. */
  readonly folders?: Said<ReadonlyArray<string>>
  readonly createdAt?: Said<string | null>
  readonly favorite?: Said<boolean>
  readonly archived?: Said<boolean>
  readonly unread?: Said<boolean>
  readonly text?: Said<string>
  readonly highlights?: Said<Bookmark["highlights"]>
}

interface Row extends Pick<Format, "name" | "label"> {
  readonly guide: string
  readonly fields: Fields
  readonly refuses?: (item: Item) => string | undefined
}

/** `a b|c`: `a` and one of `b`, `c`; `a[]` a list, `a{}` an object, `!a` missing. One of several texts is enough. */
type Marks = string | ReadonlyArray<string>

const has = (marks: Marks, holds: (field: string) => boolean): boolean =>
  [marks]
    .flat()
    .some((all) =>
      all
        .split(" ")
        .every((some) =>
          some.split("|").some((one) => (one.startsWith("!") ? !holds(one.slice(1)) : holds(one)))
        )
    )

const firstOf = (fields: string, read: (value: unknown) => string) => {
  const all = fields.split(" ")
  return (item: Item): string => {
    for (const field of all) {
      const value = read(item(field))
      if (value !== "") return value
    }
    return ""
  }
}

export const plain = (fields: string) => firstOf(fields, text)
export const entities = (fields: string) => firstOf(fields, decoded)
export const html = (fields: string) => {
  const first = plain(fields)
  return (item: Item) => pageText(first(item))
}
/** The names in a list, but not those in a text. */
export const listed = (field: string) => (item: Item) => names(list(item(field)))
export const wordsIn = (field: string) => (item: Item) =>
  text(item(field))
    .split(/\s+/)
    .filter((word) => word !== "")

const entryReader = (fields: Fields) => {
  const reader = <Value>(said: Said<Value> | undefined, named: (fields: string) => Code<Value>) => {
    if (said === undefined) return () => undefined
    return typeof said === "string" ? named(said) : said
  }
  const flagged = (said: Said<boolean> | undefined) =>
    reader(said, (some) => {
      const all = some.split(" ")
      return (item) => all.some((field) => flag(item(field)))
    })
  const url = reader(fields.url, plain)
  const title = reader(fields.title, entities)
  const note = reader(fields.note, plain)
  const description = reader(fields.description, plain)
  const tags = reader(fields.tags, (field) => (item) => names(item(field)))
  const folders = reader(fields.folders, (some) => {
    const name = plain(some)
    return (item) => [name(item)]
  })
  const createdAt = reader(fields.createdAt, (some) => {
    const all = some.split(" ")
    return (item, time) => time(...all.map(item))
  })
  const pageText = reader(fields.text, html)
  const highlights = reader(fields.highlights, (field) => (item, time) => highlightsIn(item(field), time))
  const [favorite, archived, unread] = [fields.favorite, fields.archived, fields.unread].map(flagged)
  return (item: Item, time: ReadTime, file: SourceFile): Entry => ({
    url: url(item, time, file),
    title: title(item, time, file),
    note: note(item, time, file),
    description: description(item, time, file),
    tags: tags(item, time, file),
    folders: folders(item, time, file),
    createdAt: createdAt(item, time, file),
    text: pageText(item, time, file),
    highlights: highlights(item, time, file),
    favorite: favorite?.(item, time, file),
    state: stateOf({
      archived: archived?.(item, time, file) ?? false,
      unread: unread?.(item, time, file) ?? false
    })
  })
}

const readerOf = ({ fields, refuses }: Row): Code<Entry | string> => {
  const read = entryReader(fields)
  return (item, time, file) => refuses?.(item) ?? read(item, time, file)
}

const headOf = ({ guide, label, name }: Row, counts: Format["counts"]) => ({
  name,
  label,
  guides: [guide],
  counts
})

export const at = (json: unknown, path: string): unknown => {
  if (path === "") return json
  if (!path.includes(".")) return isObject(json) ? json[path] : undefined
  return path.split(".").reduce(at, json)
}

export const itemOf =
  (object: Json): Item =>
  (path) =>
    at(object, path)

/** Entries of JSON with the folders around them. Places count the entries. */
export const treeFormat = (
  row: Row & {
    readonly recognizes: (file: SourceFile) => boolean
    readonly leaves: (file: SourceFile) => Iterable<Leaf>
  }
): Format => {
  const read = readerOf(row)
  return {
    ...headOf(row, "item"),
    recognizes: row.recognizes,
    read: (file, time) =>
      row.recognizes(file) ? leafReadings(read, row.leaves(file), time, file) : undefined
  }
}

const leafReadings = (read: Code<Entry | string>, leaves: Iterable<Leaf>, time: ReadTime, file: SourceFile) =>
  readings(leaves, (node, folders) => {
    const said = read(itemOf(node), time, file)
    return typeof said === "string" ? said : { ...said, folders: said.folders ?? folders }
  })

const LOOKED_AT = 20

/** One of the first 20 items is enough. */
export const someItem = (items: ReadonlyArray<unknown>, own: (item: Json) => boolean): boolean =>
  items.slice(0, LOOKED_AT).some((item) => isObject(item) && own(item))

const isMarked = (marks: Marks) => (item: Json) =>
  has(marks, (field) => {
    if (field.endsWith("[]")) return Array.isArray(item[field.slice(0, -2)])
    return field.endsWith("{}") ? isObject(item[field.slice(0, -2)]) : field in item
  })

/** Each item identifies the format. `items` are the paths at which the list may lie, or code that finds it. */
export const listFormat = (
  row: Row & {
    readonly items?: ReadonlyArray<string> | ((json: unknown) => unknown)
    readonly marks: Marks | ((item: Json) => boolean)
  }
): Format => {
  const { items = [""] } = row
  const read = readerOf(row)
  const isOwn = typeof row.marks === "function" ? row.marks : isMarked(row.marks)
  const itemsIn = ({ json }: SourceFile): ReadonlyArray<unknown> | undefined => {
    const found =
      typeof items === "function" ? items(json) : items.map((path) => at(json, path)).find(Array.isArray)
    return Array.isArray(found) ? found : undefined
  }
  return {
    ...headOf(row, "item"),
    recognizes: (file) => someItem(itemsIn(file) ?? [], isOwn),
    read: (file, time) => {
      const found = itemsIn(file)
      const isList =
        found !== undefined && (found.length === 0 || found.some((item) => isObject(item) && isOwn(item)))
      return isList
        ? leafReadings(
            read,
            found.map((node) => ({ node, folders: [] })),
            time,
            file
          )
        : undefined
    }
  }
}

type OwnColumns = (columns: ReadonlySet<string>) => boolean

export const hasColumns =
  (marks: Marks): OwnColumns =>
  (columns) =>
    has(marks, (column) => columns.has(column))

/** Cheap: reads only the first line. */
export const isTableWith = ({ json, text }: SourceFile, isOwn: OwnColumns): boolean =>
  json === undefined && isOwn(new Set(columnsOf(text)))

/** Rows that cannot be read come last. */
export const readRows = (
  file: SourceFile,
  isOwn: OwnColumns,
  read: (rows: ReadonlyArray<{ readonly line: number; readonly item: Item }>) => ReadonlyArray<Reading>
): ReadonlyArray<Reading> | FormatError | undefined => {
  if (!isTableWith(file, isOwn)) return undefined
  const found = Either.merge(table(file.text))
  if (found instanceof FormatError) return found
  const { columns, rows, unreadable } = found
  if (!isOwn(new Set(columns))) return undefined
  const cells = rows.map((row) => ({
    line: row.line,
    item: (column: string) => {
      const index = columns.indexOf(column)
      return index === -1 ? undefined : given(text(row.cells[index]))
    }
  }))
  return [...read(cells), ...unreadable.map(unreadableReading)]
}

/** Tables are recognized by the names of their columns. */
export const tableFormat = (row: Row & { readonly marks: Marks | OwnColumns }): Format => {
  const read = readerOf(row)
  const isOwn = typeof row.marks === "function" ? row.marks : hasColumns(row.marks)
  return {
    ...headOf(row, "line"),
    recognizes: (file) => isTableWith(file, isOwn),
    read: (file, time) =>
      readRows(file, isOwn, (rows) =>
        rows.map(({ item, line }) => ({ place: line, said: read(item, time, file) }))
      )
  }
}

const xmlItem =
  (element: XmlElement): Item =>
  (field) =>
    field.startsWith("@") ? (element.attributes.get(field.slice(1)) ?? "") : childText(element, field)

/** `marks` identify the format near the start. */
export const xmlFormat = (
  row: Row & {
    readonly root: string
    readonly marks: RegExp
    readonly entries: (file: XmlElement) => Iterable<XmlElement>
    readonly item?: (element: XmlElement) => Item
  }
): Format => {
  const { entries, item = xmlItem, marks, root } = row
  const read = readerOf(row)
  const recognizes = ({ json, text }: SourceFile) =>
    json === undefined && xmlRoot(text) === root && marks.test(text.slice(0, 8_192))
  return {
    ...headOf(row, "line"),
    recognizes,
    read: (file, time) =>
      recognizes(file)
        ? [...entries(readXml(file.text))].map((element) => ({
            place: element.line,
            said: read(item(element), time, file)
          }))
        : undefined
  }
}

export const pageFormat = (
  row: Row & {
    readonly recognizes: (start: string, text: string) => boolean
    readonly isEntry?: (item: Item) => boolean
  }
): Format => {
  const read = readerOf(row)
  const recognizes = ({ json, text }: SourceFile) =>
    json === undefined && /^\s*</.test(text) && row.recognizes(text.slice(0, 4_096), text)
  return {
    ...headOf(row, "line"),
    recognizes,
    read: (file, time) =>
      recognizes(file)
        ? readLinkList(file.text).flatMap(({ fields, place }) => {
            const item = (field: string) => fields[field]
            return row.isEntry?.(item) === false ? [] : [{ place, said: read(item, time, file) }]
          })
        : undefined
  }
}
