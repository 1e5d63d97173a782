import { Effect } from "effect"
import { isObject, type Json } from "../../domain/Json.ts"
import { decoded, list, parts, text } from "../Fields.ts"
import { type Leaf, leaves, type Tree, within } from "../Folders.ts"
import {
  type Format,
  readings,
  type SourceFile,
  sortReadings,
  timeParser,
  wrongFormatError
} from "../Format.ts"

const LABEL = "Firefox backup (JSON)"
const CONTAINER = "text/x-moz-place-container"
const SEPARATOR = "text/x-moz-place-separator"

/** Root whose folders are tags: a bookmark inside one has the tag of the folder's name. Only old backups have it. */
const TAGS = "tagsFolder"

const recognizes = ({ json }: SourceFile): boolean =>
  isObject(json) &&
  json["type"] === CONTAINER &&
  (json["root"] === "placesRoot" || Array.isArray(json["children"]))

/** Folders marked as roots are the browser's own and add nothing to the path. */
const tree: Tree = {
  isFolder: (node) => node["type"] === CONTAINER || Array.isArray(node["children"]),
  inside: (folder, around) => ("root" in folder ? around : within(around, text(folder["title"])))
}

const isBookmark = ({ node }: Leaf) => !isObject(node) || node["type"] !== SEPARATOR

/** Returns the tags of each address, from the root of tags. */
const tagsByUrl = (root: Json | undefined): ReadonlyMap<string, ReadonlyArray<string>> => {
  const tags = new Map<string, Array<string>>()
  for (const { folders, node } of leaves(list(root?.["children"]), tree)) {
    const url = isObject(node) ? text(node["uri"]) : ""
    const said = tags.get(url) ?? []
    tags.set(url, said)
    if (folders[0] !== undefined) said.push(folders[0])
  }
  return tags
}

/** Returns the description by the page or its owner, which browsers stored as an annotation. */
const descriptionOf = (bookmark: Json): string => {
  const annotation = list(bookmark["annos"]).find(
    (one) => isObject(one) && one["name"] === "bookmarkProperties/description"
  )
  return isObject(annotation) ? text(annotation["value"]) : ""
}

/** Firefox's bookmark backup (Places), a tree. */
export const firefox: Format = {
  name: "firefox",
  label: LABEL,
  guides: [
    {
      from: "Firefox",
      file: "`bookmarks-….json`",
      how: "*Manage bookmarks*, *Import and Backup*, *Backup…*",
      keeps: "folders, tags, date, description"
    }
  ],
  counts: "item",
  recognizes,
  read: Effect.fnUntraced(function* (file) {
    if (!recognizes(file) || !isObject(file.json)) return yield* wrongFormatError(LABEL)
    const time = yield* timeParser
    const isTags = (node: unknown): node is Json => isObject(node) && node["root"] === TAGS
    const top = list(file.json["children"])
    const tags = tagsByUrl(top.find(isTags))
    const bookmarks = leaves(
      top.filter((node) => !isTags(node)),
      tree
    )
    return sortReadings(
      readings(bookmarks.filter(isBookmark), (bookmark, folders) => ({
        url: text(bookmark["uri"]),
        title: decoded(bookmark["title"]),
        description: descriptionOf(bookmark),
        tags: [...parts(text(bookmark["tags"]), ","), ...(tags.get(text(bookmark["uri"])) ?? [])],
        folders,
        createdAt: time(bookmark["dateAdded"])
      }))
    )
  })
}
