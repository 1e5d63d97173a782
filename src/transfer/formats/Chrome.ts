import { Effect } from "effect"
import { isObject, type Json } from "../../domain/Json.ts"
import { decoded, list, text } from "../Fields.ts"
import { isTrashFolder, leaves, type Tree, within } from "../Folders.ts"
import {
  type Format,
  readings,
  type SourceFile,
  sortReadings,
  timeParser,
  wrongFormatError
} from "../Format.ts"

const LABEL = "bookmarks of a Chrome profile (JSON)"

/** Microseconds from 1601, the epoch of Chrome and of Windows, to 1970. */
const EPOCH = 11_644_473_600_000_000

/**
 * Returns the folders at the top, without the browser's trash. Opera keeps some of its folders in one more object, which
 * is not a folder itself.
 */
const rootsOf = ({ json }: SourceFile): ReadonlyArray<Json> => {
  const within = (roots: unknown) =>
    Object.entries(isObject(roots) ? roots : {}).flatMap(([name, root]) =>
      isObject(root) && !/trash/i.test(name) && !isTrashFolder(text(root["name"])) ? [root] : []
    )
  return within(isObject(json) ? json["roots"] : undefined).flatMap((root) =>
    Array.isArray(root["children"]) ? [root] : within(root)
  )
}

const recognizes = (file: SourceFile): boolean =>
  rootsOf(file).some((root) => root["type"] === "folder" && Array.isArray(root["children"]))

const tree: Tree = {
  isFolder: (node) => Array.isArray(node["children"]),
  inside: (folder, around) => within(around, text(folder["name"]))
}

/** Returns the description that its owner has written in Vivaldi. */
const noteOf = (bookmark: Json): string =>
  isObject(bookmark["meta_info"]) ? text(bookmark["meta_info"]["Description"]) : ""

/** The file `Bookmarks` in a profile of Chrome and of browsers based on it. */
export const chrome: Format = {
  name: "chrome",
  label: LABEL,
  guides: [
    {
      from: "Chrome and other Chromium browsers",
      file: "`Bookmarks`, in the profile's folder (JSON)",
      how: "copy the file",
      keeps: "folders, date"
    }
  ],
  counts: "item",
  recognizes,
  read: Effect.fnUntraced(function* (file) {
    if (!recognizes(file)) return yield* wrongFormatError(LABEL)
    const time = yield* timeParser
    const children = rootsOf(file).flatMap((root) => list(root["children"]))
    return sortReadings(
      readings(leaves(children, tree), (bookmark, folders) => ({
        url: text(bookmark["url"]),
        title: decoded(bookmark["name"]),
        note: noteOf(bookmark),
        folders,
        createdAt: time(Number(text(bookmark["date_added"])) - EPOCH)
      }))
    )
  })
}
