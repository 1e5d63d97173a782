import { Effect } from "effect"
import { isObject, type Json } from "../../domain/Json.ts"
import { decoded, flag, list, names, type ReadTime, text } from "../Fields.ts"
import { type Path, pathsById } from "../Folders.ts"
import {
  type Entry,
  type Format,
  listIn,
  readings,
  type SourceFile,
  someItem,
  sortReadings,
  timeParser,
  withoutFolders,
  wrongFormatError
} from "../Format.ts"
import { highlightsIn } from "../Highlights.ts"

const LABEL = "Karakeep export (JSON)"

const bookmarksOf = ({ json }: SourceFile): ReadonlyArray<unknown> | undefined => listIn(json, "bookmarks")

const isOwn = (item: Json) => "content" in item && Array.isArray(item["tags"]) && !("url" in item)

/** An export without bookmarks still has its lists. */
const recognizes = (file: SourceFile): boolean => {
  const bookmarks = bookmarksOf(file)
  if (bookmarks === undefined) return false
  return bookmarks.length === 0
    ? isObject(file.json) && Array.isArray(file.json["lists"])
    : someItem(bookmarks, isOwn)
}

/** Returns the paths of the lists that their owner fills; a smart list is a search, not a folder. */
const folders = (json: unknown) =>
  pathsById(
    list(isObject(json) ? json["lists"] : undefined).filter((one) => isObject(one) && one["type"] !== "smart")
  )

/** Returns the path of the first list that the bookmark names, and the names of the others as tags. */
const inLists = (item: Json, paths: ReadonlyMap<string, Path>) => {
  const [folders = [], ...others] = list(item["lists"]).flatMap((id) => {
    const path = paths.get(text(id))
    return path === undefined ? [] : [path]
  })
  const outer = new Set(folders)
  const further = others.flatMap((path) => path.slice(-1)).filter((name) => !outer.has(name))
  return { folders, tags: [...names(item["tags"]), ...further] }
}

const read = (item: Json, time: ReadTime, paths: ReadonlyMap<string, Path>): Entry | string => {
  const content = isObject(item["content"]) ? item["content"] : {}
  if (content["type"] === "text") return "It is a text, not a link."
  if (content["type"] === "asset") return "It is a file, not a link."
  return {
    url: text(content["url"]),
    title: decoded(item["title"]),
    note: text(item["note"]),
    ...inLists(item, paths),
    createdAt: time(item["createdAt"]),
    highlights: highlightsIn(item["highlights"], time),
    favorite: flag(item["favourited"]),
    state: flag(item["archived"]) ? "archived" : "read"
  }
}

/** Karakeep's export: bookmarks with their content, and lists that name their parents. */
export const karakeep: Format = {
  name: "karakeep",
  label: LABEL,
  guides: [
    {
      from: "Karakeep",
      file: "JSON",
      how: "*Settings*, *Import / Export*",
      keeps:
        "the first list that is not a search, tags, further lists as tags, note, highlights, date, favorite, archived"
    }
  ],
  counts: "item",
  recognizes,
  read: Effect.fnUntraced(function* (file) {
    if (!recognizes(file)) return yield* wrongFormatError(LABEL)
    const time = yield* timeParser
    const paths = folders(file.json)
    return sortReadings(readings(withoutFolders(bookmarksOf(file) ?? []), (item) => read(item, time, paths)))
  })
}
