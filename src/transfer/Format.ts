import { Either, Schema } from "effect"
import type { Bookmark, FileFormat, Unreadable } from "../domain/Bookmark.ts"
import { isObject, type Json } from "../domain/Json.ts"
import { given, type ReadTime } from "./Fields.ts"
import type { Leaf, Path } from "./Folders.ts"

export interface SourceFile {
  /** A name without folder; may be empty. */
  readonly name: string
  readonly text: string
  readonly json: unknown
  /** Finds a file by its path from this file's folder (`content/page.html`); reading it costs as much as it is long. */
  readonly companion: (path: string) => string | undefined
}

/**
 * Reads a row of the documentation's table of formats, whose cells are Markdown: the names that users know, the file, how
 * to get it, and what an import keeps of it.
 */
export const guideOf = (row: string) => {
  const [from = "", file = "", how = "", keeps = ""] = row.split(" | ")
  return { from, file, how, keeps }
}

interface Found {
  readonly bookmarks: ReadonlyArray<Bookmark>
  readonly unreadable: ReadonlyArray<Unreadable>
}

export interface Format extends FileFormat {
  /** Rows of the documentation's table, which `guideOf` reads. */
  readonly guides: ReadonlyArray<string>
  /** Cheap, never fails, and reliable: the first matching format is used. */
  readonly recognizes: (file: SourceFile) => boolean
  /** Bad entries included; undefined if the file is not in this format after all. */
  readonly read: (file: SourceFile, time: ReadTime) => Iterable<Reading> | FormatError | undefined
}

export class FormatError extends Schema.TaggedError<FormatError>()("FormatError", {
  message: Schema.String
}) {}

export type Entry = { readonly [Field in keyof Omit<Bookmark, "place">]?: Bookmark[Field] | undefined }

/** An entry, or a sentence on why it cannot be read. */
export interface Reading {
  readonly place: number
  readonly said: Entry | string
}

/** Drops an entry's only tag if it stands for a missing value, such as `null`. */
const tagsOf = (tags: ReadonlyArray<string>) =>
  tags.filter((tag) => (tags.length === 1 ? given(tag) : tag) !== "")

export const unreadableReading = ({ place, reason }: Unreadable): Reading => ({ place, said: reason })

const sortReadings = (readings: Iterable<Reading>): Found => {
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

export const readFormat = (
  format: Format,
  file: SourceFile,
  time: ReadTime
): Either.Either<Found, FormatError> => {
  const read = format.read(file, time)
  if (read instanceof FormatError) return Either.left(read)
  return read === undefined
    ? Either.left(new FormatError({ message: `The file is not a valid ${format.label}.` }))
    : Either.right(sortReadings(read))
}

/** Places count from 1; values that are not objects are rejected. */
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
