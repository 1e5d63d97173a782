import { Option } from "effect"
import { parseWebUrl } from "../../domain/WebUrl.ts"
import { child, childText, elements, readXml, type XmlElement, xmlRoot } from "../../domain/Xml.ts"
import { cleanLine } from "../../shared/Text.ts"
import type { ReadTime } from "../Fields.ts"
import type { Entry, Format, Reading } from "../Format.ts"
import { markupLinks, pageText } from "../PageText.ts"

const sourceOf = (note: XmlElement): string => {
  const attributes = child(note, "note-attributes")
  const source = attributes === undefined ? "" : childText(attributes, "source-url")
  return Option.isSome(parseWebUrl(source)) ? source : ""
}

/** The page that was clipped, or the links that the owner wrote. */
const entriesOf = (note: XmlElement, time: ReadTime): ReadonlyArray<Entry | string> => {
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
    return notes.flatMap((note) => entriesOf(note, time).map((said): Reading => ({ place: note.line, said })))
  }
}
