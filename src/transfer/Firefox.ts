import { Effect } from "effect"
import { isObject, type Json } from "../domain/Schemas.ts"
import { decoded, list, parts, text } from "./Fields.ts"
import { type Leaf, leaves, type Tree, within } from "./Folders.ts"
import type { Format, SourceFile } from "./Format.ts"
import { found, notThis, readings, times } from "./Items.ts"

const LABEL = "Firefox backup (JSON)"
const CONTAINER = "text/x-moz-place-container"
const SEPARATOR = "text/x-moz-place-separator"

/** Where a mark inside stands for the tag of the folder's name; only backups of old have this root. */
const TAGS = "tagsFolder"

const recognises = ({ json }: SourceFile): boolean =>
  isObject(json) &&
  json["type"] === CONTAINER &&
  (json["root"] === "placesRoot" || Array.isArray(json["children"]))

/** The browser's own folders are marked as roots. */
const tree: Tree = {
  isFolder: (node) => node["type"] === CONTAINER || Array.isArray(node["children"]),
  inside: (folder, around) => ("root" in folder ? around : within(around, text(folder["title"])))
}

const isMark = ({ node }: Leaf) => !isObject(node) || node["type"] !== SEPARATOR

/** The tags of each address, from the root of tags. */
const taggings = (root: Json | undefined): ReadonlyMap<string, ReadonlyArray<string>> => {
  const tags = new Map<string, Array<string>>()
  for (const { folders, node } of leaves(list(root?.["children"]), tree)) {
    const url = isObject(node) ? text(node["uri"]) : ""
    const said = tags.get(url) ?? []
    tags.set(url, said)
    if (folders[0] !== undefined) said.push(folders[0])
  }
  return tags
}

/** What the page, or its owner, says of it: browsers kept that as an annotation. */
const descriptionOf = (mark: Json): string => {
  const annotation = list(mark["annos"]).find(
    (one) => isObject(one) && one["name"] === "bookmarkProperties/description"
  )
  return isObject(annotation) ? text(annotation["value"]) : ""
}

/** The tree that Firefox writes when it backs up its bookmarks (Places). */
export const firefox: Format = {
  name: "firefox",
  label: LABEL,
  counts: "item",
  recognises,
  read: Effect.fnUntraced(function* (file) {
    if (!recognises(file) || !isObject(file.json)) return yield* notThis(LABEL)
    const time = yield* times
    const isTags = (node: unknown): node is Json => isObject(node) && node["root"] === TAGS
    const top = list(file.json["children"])
    const tags = taggings(top.find(isTags))
    const marks = leaves(
      top.filter((node) => !isTags(node)),
      tree
    )
    return found(
      readings(marks.filter(isMark), (mark, folders) => ({
        url: text(mark["uri"]),
        title: decoded(mark["title"]),
        description: descriptionOf(mark),
        tags: [...parts(text(mark["tags"]), ","), ...(tags.get(text(mark["uri"])) ?? [])],
        folders,
        createdAt: time(mark["dateAdded"])
      }))
    )
  })
}
