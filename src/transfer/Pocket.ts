import { Effect } from "effect"
import type { LinkState } from "../domain/Link.ts"
import { decoded, parts, type ReadTime, stateOf } from "./Fields.ts"
import { type Format, type Reading, sortReadings, timeParser, wrongFormatError } from "./Format.ts"
import { type MarkupHandler, MarkupText, readMarkup } from "./Markup.ts"
import { hasAll, tableFormat } from "./Tables.ts"

/** Pocket's states: `unread`, and `archive` for what its owner has put away. */
const pocketState = (status: string) =>
  stateOf({ archived: /archive/i.test(status), unread: /^unread$/i.test(status.trim()) })

/** The table that Pocket exported until it was shut down: `title,url,time_added,tags,status`. */
export const pocketCsv = tableFormat({
  name: "pocket-csv",
  label: "Pocket export (CSV)",
  guides: [
    {
      from: "Pocket (shut down)",
      file: "`part_….csv`",
      how: "an export made in time",
      keeps: "tags, date, unread or archived"
    }
  ],
  own: (columns) => hasAll(columns, "title", "url", "timeadded", "tags", "status"),
  read: (cell, time) => ({
    url: cell("url"),
    title: decoded(cell("title")),
    tags: parts(cell("tags"), "|"),
    createdAt: time(cell("timeadded")),
    state: pocketState(cell("status"))
  })
})

const LABEL = "Pocket export (HTML)"

const attributes = new Set(["href", "time_added", "tags"])

const looksLikePocket = (text: string): boolean =>
  /^\s*</.test(text) &&
  (/<title>\s*Pocket Export/i.test(text.slice(0, 4_096)) || /\btime_added\s*=/i.test(text))

/** A link whose title is being read. */
interface OpenLink {
  readonly given: ReadonlyMap<string, string>
  readonly place: number
  readonly title: MarkupText
}

/** Reads every `a` as a bookmark, in the state that the heading of its list names. */
class PocketReader implements MarkupHandler {
  readonly readings: Array<Reading> = []
  readonly #time: ReadTime
  #link: OpenLink | null = null
  #heading: MarkupText | null = null
  #state: LinkState = "read"

  constructor(time: ReadTime) {
    this.#time = time
  }

  open(name: string, given: ReadonlyMap<string, string>, line: number): void {
    if (name === "a" || name === "li") this.end()
    if (name === "h1") this.#heading = new MarkupText({ lines: false })
    if (name === "a") this.#link = { given, place: line, title: new MarkupText({ lines: false }) }
  }

  close(name: string): void {
    if (name === "a" || name === "li" || name === "ul") this.end()
    if (name === "h1" && this.#heading !== null) {
      this.#state = pocketState(this.#heading.value)
      this.#heading = null
    }
  }

  text(piece: string, referenced: boolean): void {
    this.#link?.title.add(piece, referenced)
    this.#heading?.add(piece, referenced)
  }

  end(): void {
    if (this.#link === null) return
    const { given, place, title } = this.#link
    this.#link = null
    this.readings.push({
      place,
      said: {
        url: given.get("href")?.trim() ?? "",
        title: title.value,
        tags: parts(given.get("tags") ?? "", ","),
        createdAt: this.#time(given.get("time_added")),
        state: this.#state
      }
    })
  }
}

/** Pocket's older export, `ril_export.html`: a list of unread pages and one of read pages. */
export const pocketHtml: Format = {
  name: "pocket-html",
  label: LABEL,
  guides: [
    {
      from: "Pocket, older",
      file: "`ril_export.html`",
      how: "an export made in time",
      keeps: "tags, date, unread or archived"
    }
  ],
  counts: "line",
  recognizes: ({ json, text }) => json === undefined && looksLikePocket(text),
  read: Effect.fn("pocketHtml.read")(function* ({ text }) {
    if (!looksLikePocket(text)) return yield* wrongFormatError(LABEL)
    const reader = new PocketReader(yield* timeParser)
    readMarkup(text, attributes, reader)
    reader.end()
    return sortReadings(reader.readings)
  })
}
