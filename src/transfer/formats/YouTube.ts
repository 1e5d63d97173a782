import { Either } from "effect"
import { type Row, table } from "../Csv.ts"
import type { ReadTime } from "../Fields.ts"
import { type Entry, type Format, FormatError, unreadableReading } from "../Format.ts"

/** The headers are in the language of the account, so the cells show what they are. */
const video = /^[\w-]{11}$/
const channel = /^UC[\w-]{22}$/
const playlist = /^(?:WL|LL|(?:PL|FL|UU|OL)[\w-]{5,})$/
const day = /^\d{4}-\d\d-\d\d/

const isVideo = ([id = "", added = ""]: ReadonlyArray<string>) =>
  video.test(id.trim()) && day.test(added.trim())
const isChannel = ([id = "", address = ""]: ReadonlyArray<string>) =>
  channel.test(id.trim()) && (address.trim() === "" || /youtube\.com\//i.test(address))

const isHeader = (line: string) =>
  /^"?(?:video id"?,|channel id"?,\s*"?channel url|playlist id"?,)/i.test(line.trim())

const SAMPLE = 20

const cellsOf = (line: string) => line.split(",").map((cell) => cell.replaceAll('"', ""))

const recognizes: Format["recognizes"] = ({ json, text }) => {
  if (json !== undefined) return false
  const lines = text
    .slice(0, 10_000)
    .replace(/^\ufeff/, "")
    .split(/\r\n?|\n/, SAMPLE)
  const [first = ""] = lines
  return isHeader(first) || lines.slice(1).some((line) => isVideo(cellsOf(line)) || isChannel(cellsOf(line)))
}

/** `NAME-videos.csv`, or `NAME.csv` in older exports. */
const playlistOf = (file: string) =>
  file
    .replace(/^.*[/\\]/, "")
    .replace(/\.csv$/i, "")
    .replace(/[-–]v[ií]d[eéè]os?$/i, "")
    .trim()

/** The lists of pages to watch and of those that were liked, by their fixed numbers or English names. */
const isWatchLater = (list: string) => list === "WL" || /^watch[ _-]?later$/i.test(list)
const isLiked = (list: string) => list === "LL" || /^liked[ _-]?videos$/i.test(list)

const entryOf = (
  { cells }: Row,
  list: { readonly id: string; readonly name: string },
  time: ReadTime
): Entry | string => {
  const [id = "", second = "", third = ""] = cells.map((cell) => cell.trim())
  if (isChannel(cells)) return { url: second || `https://www.youtube.com/channel/${id}`, title: third }
  if (!video.test(id)) return "It has no video ID."
  return {
    url: `https://www.youtube.com/watch?v=${id}`,
    folders: list.name === "" ? [] : [list.name],
    createdAt: time(second),
    favorite: isLiked(list.id) || isLiked(list.name),
    state: isWatchLater(list.id) || isWatchLater(list.name) ? "unread" : "read"
  }
}

/** Google's Takeout. A playlist, a table of videos without titles, becomes a folder. */
export const youTube: Format = {
  name: "youtube",
  label: "YouTube playlist or subscriptions (CSV)",
  guides: [
    "YouTube | `playlists/….csv` and `subscriptions.csv` in the Takeout archive | https://takeout.google.com | playlist as folder, *Watch later* as unread, *Liked videos* as favorites, date; channels with their names"
  ],
  counts: "line",
  recognizes,
  read: (file, time) => {
    if (!recognizes(file)) return undefined
    const found = Either.merge(table(file.text))
    if (found instanceof FormatError) return found
    const { rows, unreadable } = found
    // Older exports describe the playlist in a first table; the header of the second one follows its only row.
    const about = rows.slice(0, 1).find(({ cells }) => playlist.test(cells[0]?.trim() ?? ""))
    const entries = about === undefined ? rows : rows.slice(rows.indexOf(about) + 2)
    const list = {
      id: about?.cells[0]?.trim() ?? "",
      name: about?.cells[4]?.trim() || playlistOf(file.name)
    }
    return [
      ...entries.map((row) => ({ place: row.line, said: entryOf(row, list, time) })),
      ...unreadable.map(unreadableReading)
    ]
  }
}
