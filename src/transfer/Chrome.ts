import { Effect } from "effect"
import { isObject } from "../domain/Json.ts"
import { decoded, text } from "./Fields.ts"
import { leaves, type Tree, within } from "./Folders.ts"
import {
  type Format,
  readings,
  type SourceFile,
  sortReadings,
  timeParser,
  wrongFormatError
} from "./Format.ts"

const LABEL = "bookmarks of a Chrome profile (JSON)"

/** Microseconds from 1601, the epoch of Chrome and of Windows, to 1970. */
const EPOCH = 11_644_473_600_000_000

const rootsOf = ({ json }: SourceFile): ReadonlyArray<unknown> =>
  isObject(json) && isObject(json["roots"]) ? Object.values(json["roots"]).filter(isObject) : []

const recognizes = (file: SourceFile): boolean =>
  rootsOf(file).some((root) => isObject(root) && root["type"] === "folder" && Array.isArray(root["children"]))

const tree: Tree = {
  isFolder: (node) => Array.isArray(node["children"]),
  inside: (folder, around) => within(around, text(folder["name"]))
}

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
    const children = rootsOf(file).flatMap((root) =>
      isObject(root) && Array.isArray(root["children"]) ? root["children"] : []
    )
    return sortReadings(
      readings(leaves(children, tree), (bookmark, folders) => ({
        url: text(bookmark["url"]),
        title: decoded(bookmark["name"]),
        folders,
        createdAt: time(Number(text(bookmark["date_added"])) - EPOCH)
      }))
    )
  })
}
