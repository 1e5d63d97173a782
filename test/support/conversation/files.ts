import { strToU8, zipSync } from "fflate"
import type { Row, Script } from "./script.ts"

/** A file of bookmarks with these pages. */
export const bookmarks = (...titles: ReadonlyArray<string>) =>
  `<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DL><p>\n${titles
    .map((title) => `<DT><A HREF="{${title}}" TAGS="from-file">${title}</A>`)
    .join("\n")}\n</DL><p>`

const png = new Uint8Array([
  0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0
])
const places = strToU8(`SQLite format 3\0${"\0".repeat(200)}`)

const photo = { photo: [{ file_id: "p", file_unique_id: "p", width: 9, height: 9 }] }

/** Files that are not imported; each is answered with the reason, and changes nothing. */
const refusals: ReadonlyArray<Row> = [
  { shows: "a picture sent as a file", file: "picture.png", content: png },
  { shows: "a PDF", file: "paper.pdf", content: "%PDF-1.7\n%\u00e2\u00e3\u00cf\u00d3\n1 0 obj\n" },
  { shows: "a browser's database", file: "places.sqlite", content: places },
  { shows: "a backup of this library", file: "library.db", content: places },
  { shows: "JSON that is cut off", file: "cut.json", content: '[{"url": "https://exa' },
  { shows: "JSON that holds no links", file: "settings.json", content: strToU8('{"theme": "dark"}') },
  { shows: "an empty file", file: "empty.txt", content: " " },
  { shows: "a text without links", file: "diary.txt", content: "Dear diary,\ntoday I saved nothing.\n" },
  { shows: "a page of bookmarks without any", file: "none.html", content: bookmarks() },
  { shows: "a zip of pictures", file: "pictures.zip", content: zipSync({ "a.png": png, "b.png": png }) }
].map((row) => ({ ...row, answer: /^[A-Z“].*\.$/s, not: /Import \d/, buttons: [], count: 0 }))

/** `/export`, and files that are sent to the bot. */
export const filesInChat: Script = {
  name: "files",
  rows: [
    {
      shows: "/export of an empty library",
      say: "/export",
      answer: /^Nothing is saved yet\. Send me a link\.$/,
      count: 0
    },
    { shows: "how to import", say: "/import", answer: /^Send me a file of links/ },
    ...refusals,
    {
      shows: "a photo keeps the usual hint",
      say: "",
      more: photo,
      answer: /link/,
      not: /import/i,
      count: 0
    },
    {
      shows: "a voice message too",
      say: "",
      more: { voice: { file_id: "v" } },
      answer: /link/,
      not: /import/i
    },
    {
      shows: "an animation too, which is also a document",
      file: "cat.mp4",
      content: "x",
      more: { animation: { file_id: "a" } },
      answer: /link/,
      not: /import/i
    },
    {
      shows: "a file too large for Telegram's bots",
      file: "large.html",
      content: "x",
      more: { document: { file_id: "L", file_name: "large.html", file_size: 31_000_000 } },
      answer: /^“large\.html” is 31 MB\. Telegram lets bots download up to 20 MB\. Import it in the dashboard/
    },
    {
      shows: "a file that Telegram has deleted",
      file: "gone.html",
      content: "x",
      more: { document: { file_id: "unknown", file_name: "gone.html", file_size: 10 } },
      answer: /^I couldn’t download the file from Telegram\./
    },
    {
      shows: "a file of bookmarks is asked about first",
      file: "bookmarks.html",
      content: bookmarks("Alpha", "Beta", "Gamma"),
      answer: /^Import 3 links from “bookmarks\.html”\?\n/,
      buttons: ["Import", "Cancel"],
      count: 0
    },
    {
      shows: "no",
      press: "Cancel",
      answer: /^Cancelled\. Nothing was imported\.$/,
      buttons: [],
      notice: /^Cancelled$/,
      count: 0
    },
    {
      shows: "the same file again",
      file: "bookmarks.html",
      content: bookmarks("Alpha", "Beta", "Gamma"),
      answer: /^Import 3 links/,
      buttons: ["Import", "Cancel"]
    },
    {
      shows: "yes",
      press: "Import",
      on: /^Import 3/,
      answer: /3 links imported/,
      buttons: ["Take back"],
      notice: /^Importing…$/,
      stored: { url: "{Alpha}", tags: ["from-file"] },
      count: 3
    },
    {
      shows: "a file with some links that are here",
      file: "more.html",
      content: bookmarks("Gamma", "Delta"),
      answer: /^Import 2 links from “more\.html”\? 1 is already here\./
    },
    {
      shows: "import of the rest",
      press: "Import",
      on: /more\.html/,
      answer: /1 link imported · 1 already here/,
      count: 4
    },
    {
      shows: "taking it back",
      press: "Take back",
      answer: /1 link imported · 1 already here\n↩ Took back the import: 1 link deleted\.$/,
      buttons: [],
      notice: /^Undone$/,
      count: 3
    },
    {
      shows: "a file of which everything is here",
      file: "same.html",
      content: bookmarks("Alpha", "Beta", "Gamma"),
      answer: /All of them are already here\./
    },
    {
      shows: "import of nothing new",
      press: "Import",
      on: /same\.html/,
      answer: /: no new links · 3 already here$/,
      count: 3
    },
    {
      shows: "a zip with bookmarks",
      file: "takeout.zip",
      content: zipSync({
        "Takeout/Bookmarks.html": strToU8(
          bookmarks("Zipped").replace(/\{.*?\}/, "https://example.org/zipped")
        )
      }),
      answer: /^Import 1 link from “takeout\.zip”\?/
    },
    { shows: "it is left out", press: "Cancel", on: /takeout/, answer: /Nothing was imported/, count: 3 },
    {
      shows: "a text with a caption, which is no search",
      file: "list.txt",
      content: "https://example.org/one\nnot an address\n",
      caption: "my old list",
      answer: /^Import 1 link from “list\.txt”\?/
    },
    {
      shows: "a file under /import",
      file: "listed.txt",
      content: "https://example.org/listed\n",
      caption: "/import",
      answer: /^Import 1 link from “listed\.txt”\?/
    },
    { shows: "both are left out", press: "Cancel", on: /listed\.txt/, answer: /Nothing was imported/ },
    { shows: "the other too", press: "Cancel", on: /“list\.txt/, answer: /Nothing was imported/, count: 3 },
    {
      shows: "a file with a link in its caption: the link is saved",
      file: "extra.html",
      content: bookmarks("Never"),
      caption: "{Captioned} worth a look #later",
      answer: /didn’t import “extra\.html”\. To import it, send it without a link\.$/,
      stored: { url: "{Captioned}", note: "worth a look", tags: ["later"] },
      count: 4
    },
    {
      shows: "a picture with a link in its caption is no import",
      file: "shot.png",
      content: png,
      caption: "{Shot}",
      answer: /Shot/,
      not: /alone/,
      count: 5
    },
    {
      shows: "everything as a file",
      say: "/export",
      answer: /^Your library: 5 links\.$/,
      sends: {
        name: /^linkbower-[\d-]+\.json$/,
        text: /"format":"linkbower"[\s\S]*worth a look[\s\S]*\]\}\s*$/
      }
    },
    {
      shows: "as bookmarks",
      say: "/export html",
      answer: /^Your library: 5 links\.$/,
      sends: { name: /\.html$/, text: /NETSCAPE-Bookmark-file-1[\s\S]*Captioned/ }
    },
    {
      shows: "as a table",
      say: "/export csv",
      answer: /^Your library: 5 links\.$/,
      sends: { name: /\.csv$/, text: /url[\s\S]*Captioned/ }
    },
    { shows: "an unknown format", say: "/export pdf", answer: /\/export html for browsers/ }
  ]
}

/** Imports that are taken back, by `/undo` and by their button. */
export const takingBack: Script = {
  name: "taking imports back",
  rows: [
    { shows: "a link that is here before", say: "{Alpha}", answer: /^Alpha/, count: 1 },
    {
      shows: "a file",
      file: "old.html",
      content: bookmarks("Alpha", "Beta", "Gamma"),
      answer: /^Import 3 links from “old\.html”\? 1 is already here\./
    },
    {
      shows: "it is imported",
      press: "Import",
      on: /old\.html/,
      answer: /: 2 links imported · 1 already here$/,
      buttons: ["Take back"],
      stored: { url: "{Alpha}", tags: ["from-file"] },
      count: 3
    },
    {
      shows: "/undo takes the import back and says what it did",
      say: "/undo",
      answer: /^Took back the import: 2 links deleted, 1 link as before\.$/,
      stored: { url: "{Alpha}", withoutTags: ["from-file"] },
      count: 1
    },
    {
      shows: "its button has nothing left to take back",
      press: "Take back",
      answer: null,
      notice: /can no longer be undone\.$/,
      count: 1
    },
    {
      shows: "the file can be imported again",
      file: "old.html",
      content: bookmarks("Alpha", "Beta", "Gamma"),
      answer: /^Import 3 links/
    },
    {
      shows: "it is",
      press: "Import",
      on: /^Import 3 links/,
      answer: /: 2 links imported · 1 already here$/,
      count: 3
    },
    {
      shows: "the dashboard changes a link of the file",
      change: { op: "note", note: "mine now" },
      of: "{Beta}",
      answer: null
    },
    {
      shows: "/undo says that a link has changed since",
      say: "/undo",
      answer:
        /^The note of 1 of 3 links has been changed since the import\. Taking it back keeps what you have changed\.$/,
      buttons: ["Take back the rest"],
      count: 3
    },
    {
      shows: "the rest is taken back",
      press: "Take back the rest",
      answer: /^Took back the import: 1 link deleted, /,
      stored: { url: "{Beta}", note: "mine now" },
      count: 2
    }
  ]
}

/** Files in a group. */
export const filesInGroup: Script = {
  name: "files in a group",
  chat: { id: -1001234567890, type: "supergroup" },
  rows: [
    {
      shows: "no backup for a group",
      say: "/backup@my_bot",
      answer: /^A backup holds your whole library, so I send it only to a private chat/
    },
    { shows: "a link for the export", say: "/save@my_bot {Shared}", answer: /Shared/, count: 1 },
    {
      shows: "an export",
      say: "/export@my_bot",
      answer: /^Your library: 1 link\.$/,
      sends: { name: /\.json$/, text: /Shared/ }
    }
  ]
}
