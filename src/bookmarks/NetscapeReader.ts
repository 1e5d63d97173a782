import { isBrowserFolder } from "./BrowserFolders.ts"
import { type MarkupHandler, readMarkup } from "./Markup.ts"
import { MarkupText } from "./MarkupText.ts"

/** A bookmark as its markup writes it. */
export interface NetscapeEntry {
  readonly place: number
  /** Empty where there is none. */
  readonly url: string
  title: string
  /** The text of its DD. */
  text: string
  readonly addDate: string
  readonly tags: string
  readonly folders: ReadonlyArray<string>
  readonly favorite: boolean
}

/** What a file holds, before dates and tags are understood. */
export interface NetscapeContent {
  readonly entries: ReadonlyArray<NetscapeEntry>
  /** Whether this program wrote it. */
  readonly own: boolean
}

/** How a file of ours names its maker. */
export const GENERATOR = "Linkbower"

const attributes = new Set([
  ...["href", "add_date", "tags", "data-important", "name", "content"],
  ...["personal_toolbar_folder", "unfiled_bookmarks_folder"]
])

/** Folders deeper than this count as the deepest one that does not: names without end would be work without end. */
const MAX_DEPTH = 64

const blocks = new Set([
  ...["p", "div", "ul", "ol", "li", "pre", "blockquote", "table", "tr", "hr", "section", "article"],
  ...["h1", "h2", "h4", "h5", "h6"]
])

const marks = (value: string | undefined) => value !== undefined && value.toLowerCase() !== "false"

/**
 * Reads tag by tag what the format's makers write: a DT with an H3 or an A, perhaps a DD that describes it, and a DL
 * after an H3 that holds what is in the folder. Nothing of that has to be closed, or even there.
 */
class NetscapeReader implements MarkupHandler {
  readonly entries: Array<NetscapeEntry> = []
  own = false
  /** The folders around each list that is open, the innermost last. */
  readonly #lists: Array<ReadonlyArray<string>> = []
  /** The folder that was named last, until its list begins; a browser's own by what its markup says. */
  #folder: { name: string; readonly browsers: boolean } | null = null
  #entry: NetscapeEntry | null = null
  /** All that describes it: there may be several DDs. */
  #note: MarkupText | null = null
  /** Where text goes, until a tag ends it. */
  #reading: { readonly what: "title" | "folder" | "note"; readonly text: MarkupText } | null = null

  open(name: string, given: ReadonlyMap<string, string>, line: number): void {
    if (name === "a") this.#link(given, line)
    else if (name === "h3") this.#heading(given)
    else if (name === "dl") this.#openList()
    else if (name === "dd") this.#describe()
    else if (name === "dt") this.#leave()
    else if (name === "br") this.#reading?.text.breakLine(true)
    else if (name === "meta" && given.get("name")?.toLowerCase() === "generator")
      this.own ||= given.get("content") === GENERATOR
    else this.#block(name)
  }

  close(name: string): void {
    const what = this.#reading?.what
    if (name === "dl") {
      this.#leave()
      this.#folder = null
      this.#lists.pop()
    } else if (name === "dd" || (name === "a" && what === "title") || (name === "h3" && what === "folder"))
      this.#endText()
    else this.#block(name)
  }

  text(piece: string, referenced: boolean): void {
    this.#reading?.text.add(piece, referenced)
  }

  /** Takes over what was being read when the file ended. */
  end(): void {
    this.#leave()
  }

  get #path(): ReadonlyArray<string> {
    return this.#lists.at(-1) ?? []
  }

  #link(given: ReadonlyMap<string, string>, line: number): void {
    // A link in a description is part of it, but not one that says when it was saved: there the DT is missing.
    if (this.#reading?.what === "note" && !given.has("add_date")) return
    this.#leave()
    this.#folder = null
    this.#entry = {
      place: line,
      url: given.get("href")?.trim() ?? "",
      title: "",
      text: "",
      addDate: given.get("add_date") ?? "",
      tags: given.get("tags") ?? "",
      folders: this.#path,
      favorite: given.get("data-important")?.toLowerCase() === "true"
    }
    this.entries.push(this.#entry)
    this.#reading = { what: "title", text: new MarkupText({ lines: false }) }
  }

  #heading(given: ReadonlyMap<string, string>): void {
    this.#leave()
    this.#folder = {
      name: "",
      browsers: marks(given.get("personal_toolbar_folder")) || marks(given.get("unfiled_bookmarks_folder"))
    }
    this.#reading = { what: "folder", text: new MarkupText({ lines: false }) }
  }

  #openList(): void {
    this.#leave()
    const path = this.#path
    const folder = this.#folder
    this.#folder = null
    const named =
      folder !== null &&
      !folder.browsers &&
      !(path.length === 0 && !this.own && isBrowserFolder(folder.name)) &&
      path.length < MAX_DEPTH
    this.#lists.push(named ? [...path, folder.name === "" ? "Unnamed" : folder.name] : path)
  }

  #describe(): void {
    this.#endText()
    const text = this.#note ?? new MarkupText({ lines: true })
    this.#note?.breakLine(false)
    // What describes a folder is read all the same, and dropped: links in it are no bookmarks.
    if (this.#entry !== null) this.#note = text
    this.#reading = { what: "note", text }
  }

  #block(name: string): void {
    if (blocks.has(name) && this.#reading?.what === "note") this.#reading.text.breakLine(false)
  }

  #leave(): void {
    this.#endText()
    if (this.#entry !== null && this.#note !== null) this.#entry.text = this.#note.value
    this.#entry = null
    this.#note = null
  }

  #endText(): void {
    if (this.#reading === null) return
    const { text, what } = this.#reading
    this.#reading = null
    if (what === "folder" && this.#folder !== null) this.#folder.name = text.value
    if (what === "title" && this.#entry !== null) this.#entry.title = text.value
  }
}

/** What a Netscape bookmark file holds; empty where there is nothing of the kind. */
export const readNetscape = (html: string): NetscapeContent => {
  const reader = new NetscapeReader()
  readMarkup(html, attributes, reader)
  reader.end()
  return reader
}
