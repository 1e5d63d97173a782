import { Clock, Effect } from "effect"
import type { Bookmark, Unreadable } from "../domain/Bookmark.ts"
import { isObject, type Json } from "../domain/Schemas.ts"
import { type ReadTime, timesBy } from "./Fields.ts"
import type { Leaf, Path } from "./Folders.ts"
import { type Format, FormatError } from "./Format.ts"

/** What an entry says; what it does not is empty. */
export type Entry = Partial<Omit<Bookmark, "place">>

/** An entry at its place, or a sentence about why there is none. */
export interface Reading {
  readonly place: number
  readonly said: Entry | string
}

/** What a file holds, sorted. */
interface Found {
  readonly bookmarks: ReadonlyArray<Bookmark>
  readonly unreadable: ReadonlyArray<Unreadable>
}

/** Sorts readings into bookmarks and what is none; an entry without an address is none. */
export const found = (readings: Iterable<Reading>): Found => {
  const bookmarks: Array<Bookmark> = []
  const unreadable: Array<Unreadable> = []
  for (const { place, said } of readings) {
    const url = typeof said === "string" ? "" : (said.url ?? "")
    if (typeof said === "string") unreadable.push({ place, reason: said })
    else if (url === "") unreadable.push({ place, reason: "It has no address." })
    else
      bookmarks.push({
        place,
        url,
        title: said.title === undefined || said.title === url ? "" : said.title,
        note: said.note ?? "",
        description: said.description ?? "",
        tags: said.tags ?? [],
        folders: said.folders ?? [],
        createdAt: said.createdAt ?? null,
        favorite: said.favorite ?? false
      })
  }
  return { bookmarks, unreadable }
}

/** The times that can be true at this moment. */
export const times: Effect.Effect<ReadTime> = Effect.map(Clock.currentTimeMillis, timesBy)

/** Reads what stands in folders one by one, counted from 1; what is no object is no entry. */
export const readings = function* (
  items: Iterable<Leaf>,
  read: (item: Json, folders: Path) => Entry | string
): Generator<Reading> {
  let place = 0
  for (const { folders, node } of items) {
    place += 1
    yield { place, said: isObject(node) ? read(node, folders) : "It is not an entry but a bare value." }
  }
}

/** Items that stand in no folder. */
export const unfiled = (items: ReadonlyArray<unknown>): ReadonlyArray<Leaf> =>
  items.map((node) => ({ node, folders: [] }))

/** The failure of a file that is read as what it is not; a label is what a person calls such a file. */
export const notThis = (label: string) => new FormatError({ message: `This is no ${label}.` })

/** So many items may be broken before a file is not recognised. */
const LOOKED_AT = 20

/** Whether one of the first items is an object of this kind. */
export const someItem = (items: ReadonlyArray<unknown>, own: (item: Json) => boolean): boolean =>
  items.slice(0, LOOKED_AT).some((item) => isObject(item) && own(item))

/** A format that is a list of items in JSON, each of which tells by itself which format it is of. */
export const listFormat = (format: {
  readonly name: Format["name"]
  readonly label: string
  /** The list in such a file; undefined where the file has none. */
  readonly items: (json: unknown) => ReadonlyArray<unknown> | undefined
  readonly own: (item: Json) => boolean
  readonly read: (item: Json, time: ReadTime) => Entry | string
}): Format => ({
  name: format.name,
  label: format.label,
  counts: "item",
  recognises: (file) => someItem(format.items(file.json) ?? [], format.own),
  read: (file) => {
    const items = format.items(file.json)
    return items === undefined ||
      (items.length > 0 && !items.some((item) => isObject(item) && format.own(item)))
      ? Effect.fail(notThis(format.label))
      : Effect.map(times, (time) => found(readings(unfiled(items), (item) => format.read(item, time))))
  }
})

/** The list a file is as a whole. */
export const whole = (json: unknown): ReadonlyArray<unknown> | undefined =>
  Array.isArray(json) ? json : undefined
