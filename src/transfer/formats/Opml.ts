import { Option } from "effect"
import { joinNotes } from "../../domain/Note.ts"
import { parseWebUrl } from "../../domain/WebUrl.ts"
import { elements, readXml, type XmlElement, xmlRoot } from "../../domain/Xml.ts"
import { parts, type ReadTime } from "../Fields.ts"
import { type Path, walk, within } from "../Folders.ts"
import type { Entry, Format, Reading } from "../Format.ts"
import { markupLinks } from "../PageText.ts"

const isWeb = (url: string) => Option.isSome(parseWebUrl(url))

const given = ({ attributes }: XmlElement, ...names: ReadonlyArray<string>): string => {
  for (const name of names) {
    const value = attributes.get(name)?.trim() ?? ""
    if (value !== "") return value
  }
  return ""
}

/** A feed's site, if the file has it, else the feed itself. */
const addressOf = (outline: XmlElement): string => {
  const site = given(outline, "htmlurl", "url", "href")
  return isWeb(site) ? site : given(outline, "xmlurl") || site
}

/** Separated by commas, each a word or a path that begins with a slash. */
const tagsOf = (outline: XmlElement) =>
  parts(given(outline, "category"), ",")
    .map((category) => category.replace(/^\/+|\/+$/g, ""))
    .filter((category) => category !== "")

const feedNote = (outline: XmlElement, url: string) => {
  const feed = given(outline, "xmlurl")
  return feed === "" || feed === url ? "" : `Feed: ${feed}`
}

/** The outline itself if it has an address, else the links in its text. */
const entriesOf = (outline: XmlElement, folders: Path, time: ReadTime): ReadonlyArray<Entry> => {
  const url = addressOf(outline)
  const own = { folders, tags: tagsOf(outline), createdAt: time(given(outline, "created")) }
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

const readingsOf = (outline: XmlElement, folders: Path, time: ReadTime): ReadonlyArray<Reading> => {
  const entries = entriesOf(outline, folders, time)
  // An outline with a type is meant to have an address.
  const isBroken = entries.length === 0 && given(outline, "type") !== "" && outline.children.length === 0
  return (isBroken ? [{}] : entries).map((said) => ({ place: outline.line, said }))
}

/** An outline without an address is a folder; one with an address groups what is in it only for the eye. */
const inside = (outline: XmlElement, around: Path) => ({
  nodes: outline.children.filter(({ name }) => name === "outline"),
  folders: within(around, addressOf(outline) === "" ? given(outline, "text", "title") : "")
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
    const outlines = [...elements(readXml(text), "body")].flatMap((body) => inside(body, []).nodes)
    return [...walk(outlines, inside)].flatMap(({ folders, node }) => readingsOf(node, folders, time))
  }
}
