import type { ImportWarning } from "../shared/ImportWarnings.ts"
import type { HighlightColour } from "./Highlight.ts"
import type { LinkState } from "./Link.ts"

/** A passage that another program's user has highlighted, as read from a file: plain text of any length. */
export interface BookmarkHighlight {
  /** The passage; never empty. */
  readonly quote: string
  readonly note: string
  readonly colour: HighlightColour
  /** An ISO time in UTC; null if the file has no valid time. */
  readonly createdAt: string | null
}

/** A link as read from a file, not yet matched. Fields that the format lacks are empty, null, false or `read`. */
export interface Bookmark {
  /** Its position in the file, counted from 1: a line, a table row or a list item (`FileFormat.counts`). */
  readonly place: number
  /** The address as written in the file; it may be invalid. */
  readonly url: string
  /** Empty if the file has none, or repeats the address as the title. */
  readonly title: string
  readonly note: string
  readonly description: string
  /** The tags as written in the file: not normalized, possibly repeated. */
  readonly tags: ReadonlyArray<string>
  /** The names of its folders, outermost first, without a browser's built-in top folders. */
  readonly folders: ReadonlyArray<string>
  /** When it was saved there, as an ISO time in UTC; null if the file has no valid time. */
  readonly createdAt: string | null
  readonly favorite: boolean
  /** `read` if the format knows no states. */
  readonly state: LinkState
  /** The page's own text without markup, as the program that wrote the file has kept it; it may be of any length. */
  readonly text: string
  readonly highlights: ReadonlyArray<BookmarkHighlight>
}

/** An entry of a file that is not a readable bookmark; it does not affect the other entries. */
export interface Unreadable {
  readonly place: number
  /** One sentence for the user about what is wrong with the entry. */
  readonly reason: string
}

export interface BookmarkFile {
  readonly format: FileFormat["name"]
  readonly label: FileFormat["label"]
  readonly counts: FileFormat["counts"]
  readonly bookmarks: ReadonlyArray<Bookmark>
  readonly unreadable: ReadonlyArray<Unreadable>
  readonly warnings: ReadonlyArray<ImportWarning>
}

export interface FileFormat {
  readonly name: string
  readonly label: string
  /** The unit of `Bookmark.place`. */
  readonly counts: "line" | "item"
}
