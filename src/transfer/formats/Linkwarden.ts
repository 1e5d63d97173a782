import { Effect } from "effect"
import { isObject, type Json } from "../../domain/Json.ts"
import { decoded, list, names, text } from "../Fields.ts"
import { type Leaf, pathsById } from "../Folders.ts"
import {
  type Format,
  readings,
  type SourceFile,
  someItem,
  sortReadings,
  timeParser,
  wrongFormatError
} from "../Format.ts"

const LABEL = "Linkwarden export (JSON)"

const collectionsOf = ({ json }: SourceFile): ReadonlyArray<unknown> =>
  list(isObject(json) ? json["collections"] : undefined)

const linksOf = (collection: unknown): ReadonlyArray<unknown> =>
  list(isObject(collection) ? collection["links"] : undefined)

/** An export without a collection still has its list of pinned links. */
const recognizes = (file: SourceFile): boolean =>
  someItem(collectionsOf(file), (collection) => Array.isArray(collection["links"])) ||
  (isObject(file.json) && Array.isArray(file.json["collections"]) && Array.isArray(file.json["pinnedLinks"]))

/** Linkwarden's own collection for links without one. */
const UNORGANIZED = "Unorganized"

/** Returns a link's key: its id, or its address if it has none. */
const keyOf = (link: Json) => text(link["id"]) || text(link["url"])

/**
 * Linkwarden's export: collections with their links, each collection naming its parent.
 *
 * Its description of a link is written by the owner, so it becomes the note. If Linkwarden itself imported a link, the
 * import's time is the older one.
 */
export const linkwarden: Format = {
  name: "linkwarden",
  label: LABEL,
  guides: [
    {
      from: "Linkwarden",
      file: "JSON",
      how: "*Settings*, *Account*, *Export data*",
      keeps: "collections, tags, description as the note, date, pinned as favorite, the page's text"
    }
  ],
  counts: "item",
  recognizes,
  read: Effect.fnUntraced(function* (file) {
    if (!recognizes(file)) return yield* wrongFormatError(LABEL)
    const time = yield* timeParser
    const collections = collectionsOf(file)
    const paths = pathsById(collections)
    const pins = list(isObject(file.json) ? file.json["pinnedLinks"] : undefined)
    const pinned = new Set(pins.filter(isObject).map(keyOf))
    const links = collections.flatMap((collection): ReadonlyArray<Leaf> => {
      const folders = paths.get(isObject(collection) ? text(collection["id"]) : "") ?? []
      const isOwn = folders.length === 1 && folders[0] === UNORGANIZED
      return linksOf(collection).map((node) => ({ node, folders: isOwn ? [] : folders }))
    })
    return sortReadings(
      readings(links, (link, folders) => ({
        url: text(link["url"]),
        title: decoded(link["name"]),
        note: text(link["description"]),
        tags: names(link["tags"]),
        folders,
        createdAt: time(link["importDate"], link["createdAt"]),
        favorite: pinned.has(keyOf(link)),
        text: text(link["textContent"])
      }))
    )
  })
}
