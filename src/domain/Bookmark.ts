/**
 * A link as a file of bookmarks tells of it, before anything is known of the library it goes into. What a format has no
 * word for is empty, null or false.
 */
export interface Bookmark {
  /** Where in the file it stands, counted from 1: a line of text, a row of a table or an item of a list (`FileFormat.counts`). */
  readonly place: number
  /** The address as the file writes it; nothing says that it is one. */
  readonly url: string
  /** Empty where the file has none, or has the address in its place. */
  readonly title: string
  readonly note: string
  /** What the page says of itself. */
  readonly description: string
  /** As the file writes them: not normalised, and perhaps repeated. */
  readonly tags: ReadonlyArray<string>
  /** The names of the folders around it, the outermost first; a browser's own top folders are left out. */
  readonly folders: ReadonlyArray<string>
  /** When it was saved there, as an ISO time in UTC; null where the file does not say, or says nonsense. */
  readonly createdAt: string | null
  readonly favorite: boolean
}

/** Something in a file that is no bookmark, or one that cannot be read; nothing else of the file is the worse for it. */
export interface Unreadable {
  readonly place: number
  /** One sentence for a person; it names what is wrong, not what a link is. */
  readonly reason: string
}

/** What was found in a file. */
export interface BookmarkFile {
  readonly format: FileFormat["name"]
  readonly bookmarks: ReadonlyArray<Bookmark>
  readonly unreadable: ReadonlyArray<Unreadable>
}

/** A kind of file that bookmarks come in. */
export interface FileFormat {
  /** As the command line writes it. */
  readonly name:
    | "linkbower"
    | "netscape"
    | "pocket-html"
    | "pocket-csv"
    | "raindrop"
    | "karakeep"
    | "linkwarden"
    | "omnivore"
    | "instapaper"
    | "wallabag"
    | "linkding"
    | "pinboard"
    | "readwise"
    | "onetab"
    | "telegram"
    | "firefox"
    | "chrome"
    | "delicious"
    | "readability"
    | "csv"
    | "text"
  /** As a person calls it. */
  readonly label: string
  /** What `Bookmark.place` counts. */
  readonly counts: "line" | "item"
}
