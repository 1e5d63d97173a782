import { Option } from "effect"
import { joinNotes } from "../../domain/Note.ts"
import { parseWebUrl } from "../../domain/WebUrl.ts"
import { child, childText, elements, readXml, type XmlElement, xmlRoot } from "../../domain/Xml.ts"
import { cleanLine } from "../../shared/Text.ts"
import { parts, type ReadTime } from "../Fields.ts"
import { isBrowserFolder, isTrashFolder, type Path, walk, within } from "../Folders.ts"
import type { Entry, Format, Reading } from "../Format.ts"
import { markupLinks, pageText } from "../PageText.ts"

const isWeb = (url: string) => Option.isSome(parseWebUrl(url))

const given = ({ attributes }: XmlElement, ...names: ReadonlyArray<string>): string => {
  for (const name of names) {
    const value = attributes.get(name)?.trim() ?? ""
    if (value !== "") return value
  }
  return ""
}

/** A feed's site, if the file has it, else the feed itself. */
const outlineAddress = (outline: XmlElement): string => {
  const site = given(outline, "htmlurl", "url", "href")
  return isWeb(site) ? site : given(outline, "xmlurl") || site
}

/** Separated by commas, each a word or a path that begins with a slash. */
const outlineTags = (outline: XmlElement) =>
  parts(given(outline, "category"), ",")
    .map((category) => category.replace(/^\/+|\/+$/g, ""))
    .filter((category) => category !== "")

const feedNote = (outline: XmlElement, url: string) => {
  const feed = given(outline, "xmlurl")
  return feed === "" || feed === url ? "" : `Feed: ${feed}`
}

/** The outline itself if it has an address, else the links in its text. */
const outlineEntries = (outline: XmlElement, folders: Path, time: ReadTime): ReadonlyArray<Entry> => {
  const url = outlineAddress(outline)
  const own = { folders, tags: outlineTags(outline), createdAt: time(given(outline, "created")) }
  const note = given(outline, "_note", "note")
  if (url !== "")
    return [
      {
        ...own,
        url,
        title: given(outline, "title", "text"),
        note: joinNotes(note, feedNote(outline, url)),
        description: given(outline, "description")
      }
    ]
  return markupLinks(given(outline, "text", "title"))
    .concat(markupLinks(note))
    .map((link) => ({ ...own, url: link.url, title: link.label }))
}

const outlineReadings = (outline: XmlElement, folders: Path, time: ReadTime): ReadonlyArray<Reading> => {
  const entries = outlineEntries(outline, folders, time)
  // An outline with a type is meant to have an address.
  const isBroken = entries.length === 0 && given(outline, "type") !== "" && outline.children.length === 0
  return (isBroken ? [{}] : entries).map((said) => ({ place: outline.line, said }))
}

/** An outline without an address is a folder; one with an address groups what is in it only for the eye. */
const insideOutline = (outline: XmlElement, around: Path) => ({
  nodes: outline.children.filter(({ name }) => name === "outline"),
  folders: within(around, outlineAddress(outline) === "" ? given(outline, "text", "title") : "")
})

/** OPML 1.0 and 2.0 (http://opml.org/spec2.opml), which feed readers use for subscriptions and outliners for notes. */
export const opml: Format = {
  name: "opml",
  label: "OPML outline",
  guides: [
    "Feed readers and outliners (Feedly, Inoreader, NetNewsWire, Podcasts, OmniOutliner and others) | OPML | *Export OPML* | the feed's site (its feed as a note), folders, categories as tags, description, date"
  ],
  counts: "line",
  recognizes: ({ json, text }) => json === undefined && xmlRoot(text) === "opml",
  read: ({ text }, time) => {
    if (xmlRoot(text) !== "opml") return undefined
    const outlines = [...elements(readXml(text), "body")].flatMap((body) => insideOutline(body, []).nodes)
    return [...walk(outlines, insideOutline)].flatMap(({ folders, node }) =>
      outlineReadings(node, folders, time)
    )
  }
}

/** KDE's browsers keep the time among an entry's metadata. */
const metadataTime = (bookmark: XmlElement): string => {
  const info = child(bookmark, "info")
  return info === undefined ? "" : ([...elements(info, "time_added")][0]?.text ?? "")
}

const bookmarkEntry = (bookmark: XmlElement, folders: Path, time: ReadTime): Entry => ({
  url: bookmark.attributes.get("href")?.trim() ?? "",
  title: childText(bookmark, "title"),
  note: childText(bookmark, "desc"),
  folders,
  createdAt: time(bookmark.attributes.get("added"), metadataTime(bookmark))
})

const insideFolder = (node: XmlElement, around: Path) => {
  const name = childText(node, "title")
  if (node.name !== "folder" || (around.length === 0 && isTrashFolder(name))) return undefined
  return {
    nodes: node.children,
    folders: around.length === 0 && isBrowserFolder(name) ? around : within(around, name)
  }
}

/** XBEL 1.0 (https://pyxml.sourceforge.net/topics/xbel/): the bookmark file of Konqueror, Galeon, buku and floccus. */
export const xbel: Format = {
  name: "xbel",
  label: "XBEL bookmark file",
  guides: [
    "Konqueror, Falkon, Galeon, buku, floccus | XBEL | the export, or the file `bookmarks.xbel` | folders, description as the note, date"
  ],
  counts: "line",
  recognizes: ({ json, text }) => json === undefined && xmlRoot(text) === "xbel",
  read: ({ text }, time) => {
    if (xmlRoot(text) !== "xbel") return undefined
    const bookmarks = [...walk(readXml(text).children[0]?.children ?? [], insideFolder)].filter(
      ({ node }) => node.name === "bookmark"
    )
    return bookmarks.map(({ folders, node }) => ({
      place: node.line,
      said: bookmarkEntry(node, folders, time)
    }))
  }
}

const sourceOf = (note: XmlElement): string => {
  const attributes = child(note, "note-attributes")
  const source = attributes === undefined ? "" : childText(attributes, "source-url")
  return Option.isSome(parseWebUrl(source)) ? source : ""
}

/** The page that was clipped, or the links that the owner wrote. */
const noteEntries = (note: XmlElement, time: ReadTime): ReadonlyArray<Entry | string> => {
  const content = childText(note, "content")
  const title = childText(note, "title")
  const tags = note.children.filter(({ name }) => name === "tag").map(({ text }) => text)
  const own = { tags: tags.filter((tag) => tag !== ""), createdAt: time(childText(note, "created")) }
  const source = sourceOf(note)
  if (source !== "") return [{ ...own, url: source, title, text: pageText(content) }]
  const links = markupLinks(content)
  if (links.length === 0) return [`The note${title === "" ? "" : ` “${cleanLine(title, 80)}”`} has no link.`]
  return links.map(({ label, url }) => ({ ...own, url, title: label, note: title }))
}

/** http://xml.evernote.com/pub/evernote-export4.dtd. A clipped page is a bookmark; other notes give their links. */
export const evernote: Format = {
  name: "evernote",
  label: "Evernote export (ENEX)",
  guides: [
    "Evernote, and programs that write its files | ENEX | select the notebook, *Export notebook* | clipped pages with their text, links in notes with the note's title as the note, tags, date"
  ],
  counts: "line",
  recognizes: ({ json, text }) => json === undefined && xmlRoot(text) === "en-export",
  read: ({ text }, time) => {
    if (xmlRoot(text) !== "en-export") return undefined
    const notes = [...elements(readXml(text, { skipped: new Set(["data", "recognition"]) }), "note")]
    return notes.flatMap((note) =>
      noteEntries(note, time).map((said): Reading => ({ place: note.line, said }))
    )
  }
}
