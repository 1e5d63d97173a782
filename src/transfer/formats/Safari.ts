import { Effect } from "effect"
import { isObject, type Json } from "../../domain/Json.ts"
import { list, text } from "../Fields.ts"
import { leaves, type Tree, within } from "../Folders.ts"
import {
  type Format,
  readings,
  type SourceFile,
  sortReadings,
  timeParser,
  wrongFormatError
} from "../Format.ts"
import { readXml, type XmlElement, xmlRoot } from "../Xml.ts"

const LABEL = "Safari bookmarks (property list)"

/** Returns the value of a property list's element; its depth is limited by `readXml`. */
const valueOf = (element: XmlElement): unknown => {
  if (element.name === "true" || element.name === "false") return element.name === "true"
  if (element.name === "array") return element.children.map(valueOf)
  if (element.name !== "dict") return element.text
  const entries = element.children.flatMap((key, index) => {
    const value = element.children[index + 1]
    return key.name === "key" && value !== undefined ? [[key.text, valueOf(value)] as const] : []
  })
  return Object.fromEntries(entries)
}

/** Safari's names of its own folders, whatever the language. */
const own = new Set(["", "BookmarksBar", "BookmarksMenu", "com.apple.ReadingList"])

const isFolder = (node: Json) =>
  node["WebBookmarkType"] === "WebBookmarkTypeList" || Array.isArray(node["Children"])

/** Whether a node stands for a part of the program, such as its history. */
const isProxy = (node: unknown) => isObject(node) && node["WebBookmarkType"] === "WebBookmarkTypeProxy"

const tree: Tree = {
  isFolder,
  nodes: (folder) => list(folder["Children"]).filter((node) => !isProxy(node)),
  inside: (folder, around) => {
    const name = text(folder["Title"])
    return around.length === 0 && own.has(name) ? around : within(around, name)
  }
}

const part = (bookmark: Json, name: string): Json => {
  const value = bookmark[name]
  return isObject(value) ? value : {}
}

const recognizes = ({ json, text }: SourceFile) =>
  json === undefined && xmlRoot(text) === "plist" && text.includes("WebBookmarkType")

/**
 * Safari's file `Bookmarks.plist` as XML, with its Reading List, whose entries are unread until they are opened. Places
 * count the entries.
 */
export const safari: Format = {
  name: "safari",
  label: LABEL,
  guides: [
    {
      from: "Safari, with its Reading List",
      file: "`Bookmarks.plist` as XML",
      how: "`plutil -convert xml1 -o bookmarks.xml ~/Library/Safari/Bookmarks.plist`",
      keeps: "folders; of the Reading List also date, preview as description, unread"
    }
  ],
  counts: "item",
  recognizes,
  read: Effect.fn("safari.read")(function* (file) {
    if (!recognizes(file)) return yield* wrongFormatError(LABEL)
    const time = yield* timeParser
    const roots = readXml(file.text).children.flatMap(({ children }) => children.map(valueOf))
    return sortReadings(
      readings(leaves(roots, tree), (bookmark, folders) => {
        const saved = part(bookmark, "ReadingList")
        const isSaved = "ReadingList" in bookmark
        return {
          url: text(bookmark["URLString"]),
          title:
            text(part(bookmark, "URIDictionary")["title"]) ||
            text(part(bookmark, "ReadingListNonSync")["Title"]),
          description: text(saved["PreviewText"]),
          folders,
          createdAt: time(saved["DateAdded"]),
          state: isSaved && !("DateLastViewed" in saved) ? "unread" : "read"
        }
      })
    )
  })
}
