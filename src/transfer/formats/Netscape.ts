import type { PlainLink } from "../../domain/ExportedLink.ts"
import { flag, type ReadTime, stateOf, tagSplitter } from "../Fields.ts"
import { isBrowserFolder, isTrashFolder } from "../Folders.ts"
import type { Format, Reading } from "../Format.ts"
import { type MarkupHandler, MarkupText, readMarkup } from "../Markup.ts"

interface NetscapeEntry {
  readonly place: number
  readonly url: string
  title: string
  text: string
  readonly addDate: string
  readonly lastModified: string
  readonly tags: string
  readonly folders: ReadonlyArray<string>
  readonly favorite: boolean
  /** Pinboard's, Shaarli's and linkding's mark of a page still to be read. */
  readonly unread: boolean
}

interface NetscapeContent {
  readonly entries: ReadonlyArray<NetscapeEntry>
  readonly byLinkbower: boolean
}

const GENERATOR = "Linkbower"

const attributes = new Set([
  ...["href", "add_date", "last_modified", "tags", "data-important", "toread", "name", "content"],
  ...["personal_toolbar_folder", "unfiled_bookmarks_folder"]
])

/** A deeper folder counts as its ancestor at this depth. */
const MAX_DEPTH = 64

const blocks = new Set([
  ...["p", "div", "ul", "ol", "li", "pre", "blockquote", "table", "tr", "hr", "section", "article"],
  ...["h1", "h2", "h4", "h5", "h6"]
])

const isSet = (value: string | undefined) => value !== undefined && value.toLowerCase() !== "false"

/** A DT with an H3 or an A, an optional DD, and a DL after an H3. All tags may be unclosed or missing. */
class NetscapeReader implements MarkupHandler {
  readonly entries: Array<NetscapeEntry> = []
  byLinkbower = false
  readonly #lists: Array<ReadonlyArray<string>> = []
  /** Number of open lists around the browser's trash; null outside of it. */
  #trash: number | null = null
  /** The folder named last, until its list begins; `browsers` if the markup marks it as one of the browser's own. */
  #folder: { name: string; readonly browsers: boolean } | null = null
  #entry: NetscapeEntry | null = null
  #note: MarkupText | null = null
  #reading: { readonly what: "title" | "folder" | "note"; readonly text: MarkupText } | null = null

  open(name: string, given: ReadonlyMap<string, string>, line: number): void {
    if (name === "a") this.#link(given, line)
    else if (name === "h3") this.#heading(given)
    else if (name === "dl") this.#openList()
    else if (name === "dd") this.#describe()
    else if (name === "dt") this.#leave()
    else if (name === "br") this.#reading?.text.breakLine(true)
    else if (name === "meta" && given.get("name")?.toLowerCase() === "generator")
      this.byLinkbower ||= given.get("content") === GENERATOR
    else this.#block(name)
  }

  close(name: string): void {
    const what = this.#reading?.what
    if (name === "dl") {
      this.#leave()
      this.#folder = null
      this.#lists.pop()
      if (this.#trash !== null && this.#lists.length <= this.#trash) this.#trash = null
    } else if (name === "dd" || (name === "a" && what === "title") || (name === "h3" && what === "folder"))
      this.#endText()
    else this.#block(name)
  }

  text(piece: string, referenced: boolean): void {
    this.#reading?.text.add(piece, referenced)
  }

  end(): void {
    this.#leave()
  }

  get #path(): ReadonlyArray<string> {
    return this.#lists.at(-1) ?? []
  }

  #link(given: ReadonlyMap<string, string>, line: number): void {
    // A link in a description is part of it, unless it has a save date: then only the DT is missing.
    if (this.#reading?.what === "note" && !given.has("add_date")) return
    this.#leave()
    this.#folder = null
    this.#entry = {
      place: line,
      url: given.get("href")?.trim() ?? "",
      title: "",
      text: "",
      addDate: given.get("add_date") ?? "",
      lastModified: given.get("last_modified") ?? "",
      tags: given.get("tags") ?? "",
      folders: this.#path,
      favorite: given.get("data-important")?.toLowerCase() === "true",
      unread: flag(given.get("toread"))
    }
    if (this.#trash === null) this.entries.push(this.#entry)
    this.#reading = { what: "title", text: new MarkupText({ lines: false }) }
  }

  #heading(given: ReadonlyMap<string, string>): void {
    this.#leave()
    this.#folder = {
      name: "",
      browsers: isSet(given.get("personal_toolbar_folder")) || isSet(given.get("unfiled_bookmarks_folder"))
    }
    this.#reading = { what: "folder", text: new MarkupText({ lines: false }) }
  }

  #openList(): void {
    this.#leave()
    const path = this.#path
    const folder = this.#folder
    this.#folder = null
    if (folder !== null && !this.byLinkbower && this.#lists.length <= 1 && isTrashFolder(folder.name))
      this.#trash ??= this.#lists.length
    const named =
      folder !== null &&
      !folder.browsers &&
      !(path.length === 0 && !this.byLinkbower && isBrowserFolder(folder.name)) &&
      path.length < MAX_DEPTH
    this.#lists.push(named ? [...path, folder.name === "" ? "Unnamed" : folder.name] : path)
  }

  #describe(): void {
    this.#endText()
    const text = this.#note ?? new MarkupText({ lines: true })
    this.#note?.breakLine(false)
    // A folder's description is read as well, and dropped: links in it are not bookmarks.
    if (this.#entry !== null) this.#note = text
    this.#reading = { what: "note", text }
  }

  #block(name: string): void {
    if (blocks.has(name) && this.#reading?.what === "note") this.#reading.text.breakLine(false)
  }

  #leave(): void {
    this.#endText()
    if (this.#entry !== null && this.#note !== null) this.#entry.text = this.#note.value
    this.#entry = null
    this.#note = null
  }

  #endText(): void {
    if (this.#reading === null) return
    const { text, what } = this.#reading
    this.#reading = null
    if (what === "folder" && this.#folder !== null) this.#folder.name = text.value
    if (what === "title" && this.#entry !== null) this.#entry.title = text.value
  }
}

const structure = /<(?:(a)\s(?:[^"'<>]|"[^"]*"|'[^']*')*|(\/?(?:dl|dt|dd|h3))(?:\s[^<>]*)?|(\/a)\s*)>/gi

const anyTag = /<\/?([a-z][a-z\d]*)(?:\s(?:[^"'<>]|"[^"<>]*"|'[^'<>]*')*)?\/?>|</gi

const formatting = new Set([
  ...["b", "i", "em", "strong", "u", "s", "del", "ins", "code", "kbd", "tt", "q", "cite", "abbr", "mark"],
  ...["span", "font", "small", "big", "sub", "sup"]
])

/** The text that is read: a title until its closing tag, a note, or none. */
type Part = "/a" | "/h3" | "note" | "none"

const single: Readonly<Record<Part, ReadonlySet<string>>> = {
  "/a": new Set(["br"]),
  "/h3": new Set(["br"]),
  note: new Set(["br", "p", "li", "hr"]),
  none: new Set(["meta"])
}

const withoutRawTags = (text: string, part: Part): string => {
  if (!text.includes("<")) return text
  const lower = text.toLowerCase()
  const isClosed = (name: string) => lower.includes(`<${name}`) && lower.includes(`</${name}>`)
  const pairs = new Map<string, boolean>()
  const isPair = (name: string): boolean => {
    if (!formatting.has(name) && !blocks.has(name) && !(name === "a" && part === "note")) return false
    const known = pairs.get(name) ?? isClosed(name)
    pairs.set(name, known)
    return known
  }
  return text.replace(anyTag, (tag, written?: string) => {
    const name = written?.toLowerCase() ?? ""
    const isPicture = name === "img" && part === "note" && tag.includes("=")
    return single[part].has(name) || isPicture || isPair(name) ? tag : `&lt;${tag.slice(1)}`
  })
}

/** Whether a tag begins a line or follows or precedes another tag, as those of the format do. */
const isAmongTags = (html: string, at: number, end: number): boolean =>
  /(?:^|[\r\n>])[^\S\r\n]*$/.test(html.slice(Math.max(0, at - 80), at)) ||
  /^\s*(?:<|$)/.test(html.slice(end, end + 80))

/** Exporters do not escape every `<script>` or `<!--` of a title, and a parser would miss the tags after it. */
const withoutRawMarkup = (html: string): string => {
  const found = [...html.matchAll(structure)].map(({ 0: tag, 1: link, 2: other, 3: closing, index }) => ({
    at: index,
    tag,
    name: (link ?? other ?? closing ?? "").toLowerCase()
  }))
  const closings: Array<ReadonlyArray<string>> = []
  let following: ReadonlyArray<string> = []
  for (const [index, { name }] of [...found.entries()].reverse()) {
    closings[index] = following
    if (name === "a" || name === "h3") following = []
    else if (/^\/(?:a|h3)$/.test(name) && !following.includes(name)) following = [...following, name]
  }
  let result = ""
  let from = 0
  let part: Part = "none"
  for (const [index, { at, name, tag }] of found.entries()) {
    const end = at + tag.length
    const isClosed = (closing: string) => closings[index]?.includes(closing) === true
    const isDated = name === "a" && /\sadd_date\s*=/i.test(tag)
    const isText =
      part === "note"
        ? !isDated && !isAmongTags(html, at, end) && !(name === "h3" && isClosed("/h3"))
        : name === part
          ? isClosed(part) && !/^[^\S\r\n]*(?:[\r\n<]|$)/.test(html.slice(end, end + 80))
          : isClosed(part) && (name !== "a" || !/\shref\s*=/i.test(tag))
    // A link in a note is part of it, however it is set.
    if (isText || (part === "note" && (name === "/a" || (name === "a" && !isDated)))) continue
    result += withoutRawTags(html.slice(from, at), part) + tag
    from = end
    if (name === "a") part = "/a"
    else if (name === "h3") part = "/h3"
    else part = name === "dd" ? "note" : "none"
  }
  return result + withoutRawTags(html.slice(from), part)
}

const readNetscape = (html: string): NetscapeContent => {
  const reader = new NetscapeReader()
  readMarkup(withoutRawMarkup(html), attributes, reader)
  reader.end()
  return reader
}

/** Whether a text is a Netscape bookmark file: its head says so, or it is markup with a list and links. */
const looksLikeNetscape = (text: string): boolean =>
  /netscape-bookmark-file/i.test(text.slice(0, 1_024)) ||
  (/^\s*</.test(text) && /<dl[\s>]/i.test(text) && /<a\s/i.test(text))

/** Splits linkding's text into its description and the owner's notes between these marks; null without the marks. */
const linkdingNotes = (text: string): { readonly description: string; readonly note: string } | null => {
  const from = text.indexOf("[linkding-notes]")
  if (from === -1) return null
  const [note = ""] = text.slice(from + "[linkding-notes]".length).split("[/linkding-notes]", 1)
  return { description: text.slice(0, from).trim(), note: note.trim() }
}

const LINKDING_ARCHIVED = "linkding:bookmarks.archived"

const readingOf = (
  { addDate, favorite, folders, lastModified, place, tags, text, title, unread, url }: NetscapeEntry,
  {
    byLinkbower,
    split,
    time
  }: {
    readonly byLinkbower: boolean
    readonly split: (list: string) => ReadonlyArray<string>
    readonly time: ReadTime
  }
): Reading => ({
  place,
  said: {
    url,
    title,
    note: text,
    ...(byLinkbower ? {} : linkdingNotes(text)),
    tags: split(tags).filter((tag) => tag !== LINKDING_ARCHIVED),
    folders,
    createdAt: time(addDate, lastModified),
    favorite,
    state: stateOf({ archived: split(tags).includes(LINKDING_ARCHIVED), unread })
  }
})

/**
 * The Netscape bookmark file
 * (https://learn.microsoft.com/previous-versions/windows/internet-explorer/ie-developer/platform-apis/aa753582(v=vs.85)).
 * It may be damaged or nested arbitrarily; every `A` outside a description is a bookmark, whatever its address.
 */
export const netscape: Format = {
  name: "netscape",
  label: "Netscape bookmark file (HTML)",
  guides: [
    "Chrome, Edge, Brave, Vivaldi, Opera, Safari, Firefox | bookmarks as HTML | the bookmark manager's *Export* | folders, date, and tags and description if present",
    "linkding | HTML | *Settings*, *Export* | tags, description, notes, date, unread, archived",
    "Shaarli, Shiori, LinkAce and others | bookmarks as HTML | their *Export* | tags, folders, date, description as the note"
  ],
  counts: "line",
  recognizes: ({ json, text }) => json === undefined && looksLikeNetscape(text),
  read: ({ text }, time) => {
    if (!looksLikeNetscape(text)) return undefined
    const { byLinkbower, entries } = readNetscape(text)
    const split = tagSplitter(entries.map(({ tags }) => tags))
    return entries.map((entry) => readingOf(entry, { byLinkbower, split, time }))
  }
}

const reference = (character: string) => `&#${character.codePointAt(0)};`

/** Escapes text for elements and quoted attributes, so that no part of it is markup. */
const escaped = (text: string): string => text.replace(/[&<>"']/g, reference)

/** White space that looks like layout becomes references: at both ends, and without `lines` every break and tab. */
const content = (text: string, { lines }: { readonly lines: boolean }): string => {
  const from = text.length - text.trimStart().length
  const to = text.trimEnd().length
  return text.replace(/[&<>"'\s]/g, (character, at: number) => {
    if (/\S/.test(character) || at < from || at >= to || character === "\r") return reference(character)
    if (lines) return character
    const collapses = /[\t\n\f]/.test(character) || (character === " " && text[at - 1] === " ")
    return collapses ? reference(character) : character
  })
}

const seconds = (time: string): number => Math.floor(Date.parse(time) / 1_000)

/** `now` is an ISO time. Folders and links follow. */
export const netscapeHead = (title: string, now: string): string => `<!DOCTYPE NETSCAPE-Bookmark-file-1>
<!-- This file holds bookmarks in the form that browsers import. -->
<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=UTF-8">
<META NAME="generator" CONTENT="${GENERATOR}">
<META NAME="date" CONTENT="${escaped(now)}">
<TITLE>${escaped(title)}</TITLE>
<H1>${escaped(title)}</H1>
<DL><p>
`

export const netscapeFolder = (name: string): string =>
  `<DT><H3>${content(name, { lines: false })}</H3>\n<DL><p>\n`

export const netscapeFolderEnd = "</DL><p>\n"

/** The address replaces a missing title; favorites are marked as by Raindrop, unread links as by Pinboard. */
export const netscapeLink = (link: PlainLink): string => {
  const attributes = [
    `HREF="${escaped(link.url)}"`,
    `ADD_DATE="${seconds(link.createdAt)}"`,
    `LAST_MODIFIED="${seconds(link.updatedAt)}"`,
    `PRIVATE="${link.shareable ? 0 : 1}"`,
    ...(link.tags.length === 0 ? [] : [`TAGS="${escaped(link.tags.join(","))}"`]),
    ...(link.favorite ? ['DATA-IMPORTANT="true"'] : []),
    ...(link.state === "unread" ? ['TOREAD="1"'] : [])
  ]
  const title = content(link.title === "" ? link.url : link.title, { lines: false })
  const note = link.note === "" ? "" : `<DD>${content(link.note, { lines: true })}\n`
  return `<DT><A ${attributes.join(" ")}>${title}</A>\n${note}`
}

export const netscapeFoot = "</DL><p>\n"
