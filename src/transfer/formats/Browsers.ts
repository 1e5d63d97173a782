import { isObject, type Json } from "../../domain/Json.ts"
import { readXml, type XmlElement, xmlRoot } from "../../domain/Xml.ts"
import { list, parts, text } from "../Fields.ts"
import { isTrashFolder, type Leaf, leaves, type Tree, within } from "../Folders.ts"
import type { SourceFile } from "../Format.ts"
import { at, type Item, plain, treeFormat } from "../Rows.ts"

/** Microseconds from 1601, the epoch of Chrome and of Windows, to 1970. */
const CHROME_EPOCH = 11_644_473_600_000_000

/** Leaves out the browser's trash. Opera keeps some of its folders in one more object, which is not a folder itself. */
const chromeRoots = ({ json }: SourceFile): ReadonlyArray<Json> => {
  const within = (roots: unknown) =>
    Object.entries(isObject(roots) ? roots : {}).flatMap(([name, root]) =>
      isObject(root) && !/trash/i.test(name) && !isTrashFolder(text(root["name"])) ? [root] : []
    )
  return within(at(json, "roots")).flatMap((root) =>
    Array.isArray(root["children"]) ? [root] : within(root)
  )
}

const chromeTree: Tree = {
  isFolder: (node) => Array.isArray(node["children"]),
  inside: (folder, around) => within(around, text(folder["name"]))
}

/** The file `Bookmarks` in a profile of Chrome and of browsers based on it. Vivaldi's users write descriptions. */
export const chrome = treeFormat({
  name: "chrome",
  label: "bookmarks of a Chrome profile (JSON)",
  guide:
    "Chrome and other Chromium browsers | `Bookmarks`, in the profile's folder (JSON) | copy the file | folders, date",
  recognizes: (file) =>
    chromeRoots(file).some((root) => root["type"] === "folder" && Array.isArray(root["children"])),
  leaves: (file) =>
    leaves(
      chromeRoots(file).flatMap((root) => list(root["children"])),
      chromeTree
    ),
  fields: {
    url: "url",
    title: "name",
    note: "meta_info.Description",
    createdAt: (item, time) => time(Number(text(item("date_added"))) - CHROME_EPOCH)
  }
})

const FIREFOX_FOLDER = "text/x-moz-place-container"
const FIREFOX_SEPARATOR = "text/x-moz-place-separator"

/** Folders marked as roots are the browser's own and add nothing to the path. */
const firefoxTree: Tree = {
  isFolder: (node) => node["type"] === FIREFOX_FOLDER || Array.isArray(node["children"]),
  inside: (folder, around) => ("root" in folder ? around : within(around, text(folder["title"])))
}

/** Whether a node is the root of old backups whose folders are tags: each holds the bookmarks that have its name. */
const isTagsRoot = (node: unknown) => at(node, "root") === "tagsFolder"

const firefoxTags = (root: unknown): ReadonlyMap<string, ReadonlyArray<string>> => {
  const tags = new Map<string, Array<string>>()
  for (const { folders, node } of leaves(list(at(root, "children")), firefoxTree)) {
    const url = text(at(node, "uri"))
    const said = tags.get(url) ?? []
    tags.set(url, said)
    if (folders[0] !== undefined) said.push(folders[0])
  }
  return tags
}

function* firefoxLeaves({ json }: SourceFile): Generator<Leaf> {
  const top = list(at(json, "children"))
  const tags = firefoxTags(top.find(isTagsRoot))
  const others = top.filter((node) => !isTagsRoot(node))
  for (const { folders, node } of leaves(others, firefoxTree)) {
    if (!isObject(node)) yield { folders, node }
    else if (node["type"] !== FIREFOX_SEPARATOR)
      yield {
        folders,
        node: { ...node, tags: [...parts(text(node["tags"]), ","), ...(tags.get(text(node["uri"])) ?? [])] }
      }
  }
}

/** The page or its owner wrote it; browsers stored it as an annotation. */
const firefoxDescription = (item: Item): string =>
  text(
    at(
      list(item("annos")).find((one) => at(one, "name") === "bookmarkProperties/description"),
      "value"
    )
  )

export const firefox = treeFormat({
  name: "firefox",
  label: "Firefox backup (JSON)",
  guide:
    "Firefox | `bookmarks-….json` | *Manage bookmarks*, *Import and Backup*, *Backup…* | folders, tags, date, description",
  recognizes: ({ json }) =>
    at(json, "type") === FIREFOX_FOLDER &&
    (at(json, "root") === "placesRoot" || Array.isArray(at(json, "children"))),
  leaves: firefoxLeaves,
  fields: {
    url: "uri",
    title: "title",
    description: firefoxDescription,
    tags: (item) => list(item("tags")).map(text),
    createdAt: "dateAdded"
  }
})

/** `readXml` limits the depth. */
const plistValue = (element: XmlElement): unknown => {
  if (element.name === "true" || element.name === "false") return element.name === "true"
  if (element.name === "array") return element.children.map(plistValue)
  if (element.name !== "dict") return element.text
  const { children } = element
  const entries = children.flatMap((key, index) => {
    const value = children[index + 1]
    return key.name === "key" && value !== undefined ? [[key.text, plistValue(value)] as const] : []
  })
  return Object.fromEntries(entries)
}

/** Safari's names of its own folders, whatever the language. */
const safariFolders = new Set(["", "BookmarksBar", "BookmarksMenu", "com.apple.ReadingList"])

/** Proxies stand for parts of the program, such as its history. */
const safariTree: Tree = {
  isFolder: (node) => node["WebBookmarkType"] === "WebBookmarkTypeList" || Array.isArray(node["Children"]),
  nodes: (folder) =>
    list(folder["Children"]).filter((node) => at(node, "WebBookmarkType") !== "WebBookmarkTypeProxy"),
  inside: (folder, around) => {
    const name = text(folder["Title"])
    return around.length === 0 && safariFolders.has(name) ? around : within(around, name)
  }
}

/** Safari's file `Bookmarks.plist` as XML, with its Reading List, whose entries are unread until they are opened. */
export const safari = treeFormat({
  name: "safari",
  label: "Safari bookmarks (property list)",
  guide:
    "Safari, with its Reading List | `Bookmarks.plist` as XML | `plutil -convert xml1 -o bookmarks.xml ~/Library/Safari/Bookmarks.plist` | folders; of the Reading List also date, preview as description, unread",
  recognizes: ({ json, text }) =>
    json === undefined && xmlRoot(text) === "plist" && text.includes("WebBookmarkType"),
  leaves: ({ text }) =>
    leaves(
      readXml(text).children.flatMap(({ children }) => children.map(plistValue)),
      safariTree
    ),
  fields: {
    url: "URLString",
    title: plain("URIDictionary.title ReadingListNonSync.Title"),
    description: "ReadingList.PreviewText",
    createdAt: "ReadingList.DateAdded",
    unread: (item) => item("ReadingList") !== undefined && item("ReadingList.DateLastViewed") === undefined
  }
})
