import { Effect } from "effect"
import { stateOf } from "../Fields.ts"
import { type Format, sortReadings, timeParser, wrongFormatError } from "../Format.ts"
import { readLinkList } from "../LinkList.ts"

const attributes = new Set(["href"])

/** Number of characters examined to recognize a page. */
const START = 4_096

const INSTAPAPER = "Instapaper export (HTML)"

const isInstapaper: Format["recognizes"] = ({ json, text }) => {
  const start = text.slice(0, START)
  return (
    json === undefined &&
    /^\s*</.test(start) &&
    /<title>\s*Instapaper: Export/i.test(start) &&
    !/netscape-bookmark-file/i.test(start)
  )
}

/** Instapaper's headings that name a state; any other one names a folder. */
const states = new Set(["unread", "archive", "starred", ""])

/** Instapaper's older export: a page with a list of links below each folder's name. */
export const instapaperHtml: Format = {
  name: "instapaper-html",
  label: INSTAPAPER,
  guides: [
    {
      from: "Instapaper",
      file: "HTML",
      how: "*Settings*, *Export*",
      keeps: "folder, *Starred* as favorite, *Unread* and *Archive*; CSV keeps more"
    }
  ],
  counts: "line",
  recognizes: isInstapaper,
  read: Effect.fn("instapaperHtml.read")(function* (file) {
    if (!isInstapaper(file)) return yield* wrongFormatError(INSTAPAPER)
    return sortReadings(
      readLinkList(file.text, attributes).map(({ given, heading, place, title }) => {
        const state = heading.toLowerCase()
        return {
          place,
          said: {
            url: given.get("href")?.trim() ?? "",
            title,
            folders: states.has(state) ? [] : [heading],
            favorite: state === "starred",
            state: stateOf({ archived: state === "archive", unread: state === "unread" })
          }
        }
      })
    )
  })
}

const MEDIUM = "Medium bookmarks (HTML)"

const isMedium: Format["recognizes"] = ({ json, text }) =>
  json === undefined &&
  /^\s*</.test(text.slice(0, START)) &&
  /<a [^>]{0,200}class="h-cite\b/i.test(text.slice(0, 4 * START)) &&
  !/class="[^"]{0,100}\be-content\b/i.test(text)

/** The lists of stories in Medium's archive, `bookmarks/bookmarks-0001.html` and others, marked as microformats. */
export const medium: Format = {
  name: "medium",
  label: MEDIUM,
  guides: [
    {
      from: "Medium",
      file: "the archive's `bookmarks/….html`",
      how: "*Settings*, *Download your information*",
      keeps: "date"
    }
  ],
  counts: "line",
  recognizes: isMedium,
  read: Effect.fn("medium.read")(function* (file) {
    if (!isMedium(file)) return yield* wrongFormatError(MEDIUM)
    const time = yield* timeParser
    return sortReadings(
      readLinkList(file.text, attributes)
        .filter(({ given }) => given.has("href"))
        .map((link) => ({
          place: link.place,
          said: {
            url: link.given.get("href")?.trim() ?? "",
            title: link.title,
            createdAt: time(link.time)
          }
        }))
    )
  })
}
