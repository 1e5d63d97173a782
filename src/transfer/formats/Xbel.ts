import { child, childText, elements, readXml, type XmlElement, xmlRoot } from "../../domain/Xml.ts"
import type { ReadTime } from "../Fields.ts"
import { isBrowserFolder, isTrashFolder, type Path, walk, within } from "../Folders.ts"
import type { Entry, Format } from "../Format.ts"

/** KDE's browsers keep the time among an entry's metadata. */
const metadataTime = (bookmark: XmlElement): string => {
  const info = child(bookmark, "info")
  return info === undefined ? "" : ([...elements(info, "time_added")][0]?.text ?? "")
}

const entryOf = (bookmark: XmlElement, folders: Path, time: ReadTime): Entry => ({
  url: bookmark.attributes.get("href")?.trim() ?? "",
  title: childText(bookmark, "title"),
  note: childText(bookmark, "desc"),
  folders,
  createdAt: time(bookmark.attributes.get("added"), metadataTime(bookmark))
})

const inside = (node: XmlElement, around: Path) => {
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
    const bookmarks = [...walk(readXml(text).children[0]?.children ?? [], inside)].filter(
      ({ node }) => node.name === "bookmark"
    )
    return bookmarks.map(({ folders, node }) => ({ place: node.line, said: entryOf(node, folders, time) }))
  }
}
