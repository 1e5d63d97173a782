import { Context, Effect, Schema } from "effect"
import type { Bookmark, FileFormat, Unreadable } from "../domain/Bookmark.ts"
import { isObject, type Json } from "../domain/Json.ts"
import { given, type ReadTime, type TimeReader } from "./Fields.ts"
import type { Leaf, Path } from "./Folders.ts"

/** A file to import, decoded. */
export interface SourceFile {
  /** Its name without a folder; empty if it has none. */
  readonly name: string
  readonly text: string
  /** Its parsed JSON; undefined if it is not JSON. */
  readonly json: unknown
  /**
   * Returns the text of another file of the same archive, by its path from this file's folder, such as
   * `content/page.html`; undefined if there is none, or if this file is not in an archive. Costs as much as the file is
   * long: ask only for what the format names.
   */
  readonly companion: (path: string) => string | undefined
}

/** A row of the documentation's table of formats: one product and its file. The texts are Markdown. */
export interface Guide {
  /** The products, as their users call them. */
  readonly from: string
  readonly file: string
  /** How to get the file. */
  readonly how: string
  /** What is kept, besides address and title. */
  readonly keeps: string
}

/** The bookmarks of a file, and the entries that cannot be read. */
interface Found {
  readonly bookmarks: ReadonlyArray<Bookmark>
  readonly unreadable: ReadonlyArray<Unreadable>
}

/** A format that can be recognized and read. */
export interface Format extends FileFormat {
  readonly guides: ReadonlyArray<Guide>
  /** Whether the file looks like this format. Cheap, never fails, and reliable: the first matching format is used. */
  readonly recognizes: (file: SourceFile) => boolean
  /** Reads the whole file; fails if it is not in this format after all, but not because of a single bad entry. */
  readonly read: (file: SourceFile) => Effect.Effect<Found, FormatError, FileTimes>
}

/** The whole file cannot be read; the message is one sentence for people. */
export class FormatError extends Schema.TaggedError<FormatError>()("FormatError", {
  message: Schema.String
}) {}

/** The fields of an entry; missing ones count as empty. */
export type Entry = Partial<Omit<Bookmark, "place">>

/** An entry at its place in the file, or a sentence on why it cannot be read. */
export interface Reading {
  readonly place: number
  readonly said: Entry | string
}

/** Drops an entry's only tag if it stands for a missing value, such as `null`. */
const tagsOf = (tags: ReadonlyArray<string>) =>
  tags.filter((tag) => (tags.length === 1 ? given(tag) : tag) !== "")

/** Sorts readings into bookmarks and unreadable entries; an entry without an address is unreadable. */
export const sortReadings = (readings: Iterable<Reading>): Found => {
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
        tags: tagsOf(said.tags ?? []),
        folders: said.folders?.filter((name) => name !== "") ?? [],
        createdAt: said.createdAt ?? null,
        favorite: said.favorite ?? false,
        state: said.state ?? "read",
        text: said.text ?? "",
        highlights: said.highlights ?? []
      })
  }
  return { bookmarks, unreadable }
}

/** The reader of the times of the file that is read. */
export class FileTimes extends Context.Tag("FileTimes")<FileTimes, TimeReader>() {}

/** A parser of save times that are plausible at the current time. */
export const timeParser: Effect.Effect<ReadTime, never, FileTimes> = Effect.map(FileTimes, ({ read }) => read)

/** Reads the entries of folders one by one, with places counted from 1; rejects values that are not objects. */
export const readings = function* (
  items: Iterable<Leaf>,
  read: (item: Json, folders: Path) => Entry | string
): Generator<Reading> {
  let place = 0
  for (const { folders, node } of items) {
    place += 1
    yield { place, said: isObject(node) ? read(node, folders) : "It is a bare value, not an entry." }
  }
}

/** Wraps items that are in no folder as leaves. */
export const withoutFolders = (items: ReadonlyArray<unknown>): ReadonlyArray<Leaf> =>
  items.map((node) => ({ node, folders: [] }))

/** The error for a file that is not in the requested format; `label` names the format for people. */
export const wrongFormatError = (label: string) =>
  new FormatError({ message: `The file is not a valid ${label}.` })

/** Number of items examined to recognize a file. */
const LOOKED_AT = 20

/** Whether one of the first 20 items is an object that satisfies `own`. */
export const someItem = (items: ReadonlyArray<unknown>, own: (item: Json) => boolean): boolean =>
  items.slice(0, LOOKED_AT).some((item) => isObject(item) && own(item))

/** Creates a format whose files are a JSON list of items, each of which identifies the format. */
export const listFormat = (format: {
  readonly name: Format["name"]
  readonly label: string
  readonly guides: Format["guides"]
  /** Returns the list in such a file; undefined if the file has none. */
  readonly items: (json: unknown) => ReadonlyArray<unknown> | undefined
  readonly own: (item: Json) => boolean
  readonly read: (item: Json, time: ReadTime, file: SourceFile) => Entry | string
}): Format => ({
  name: format.name,
  label: format.label,
  guides: format.guides,
  counts: "item",
  recognizes: (file) => someItem(format.items(file.json) ?? [], format.own),
  read: (file) => {
    const items = format.items(file.json)
    return items === undefined ||
      (items.length > 0 && !items.some((item) => isObject(item) && format.own(item)))
      ? Effect.fail(wrongFormatError(format.label))
      : Effect.map(timeParser, (time) =>
          sortReadings(readings(withoutFolders(items), (item) => format.read(item, time, file)))
        )
  }
})

/** Returns a file that is a list as a whole; undefined otherwise. */
export const asList = (json: unknown): ReadonlyArray<unknown> | undefined =>
  Array.isArray(json) ? json : undefined

/** Returns the list that a file has under this name; undefined if it has none. */
export const listIn = (json: unknown, name: string): ReadonlyArray<unknown> | undefined =>
  isObject(json) ? asList(json[name]) : undefined
