import { Effect } from "effect"
import { decoded, parts, stateOf } from "../Fields.ts"
import { type Format, sortReadings, timeParser, wrongFormatError } from "../Format.ts"
import { readLinkList } from "../LinkList.ts"
import { hasAll, tableFormat } from "../Tables.ts"

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
    const time = yield* timeParser
    return sortReadings(
      readLinkList(text, attributes).map(({ given, heading, place, title }) => ({
        place,
        said: {
          url: given.get("href")?.trim() ?? "",
          title,
          tags: parts(given.get("tags") ?? "", ","),
          createdAt: time(given.get("time_added")),
          state: pocketState(heading)
        }
      }))
    )
  })
}
