import { Effect, Either } from "effect"
import type { Bookmark, BookmarkFile, FileFormat } from "../domain/Bookmark.ts"
import { chrome } from "./Chrome.ts"
import { decodeFile, jsonErrorAt } from "./Decode.ts"
import { firefox } from "./Firefox.ts"
import { type Format, FormatError } from "./Format.ts"
import { karakeep } from "./Karakeep.ts"
import { linkwarden } from "./Linkwarden.ts"
import { netscape } from "./Netscape.ts"
import { oneTab } from "./OneTab.ts"
import { plainText } from "./PlainText.ts"
import { pocketCsv, pocketHtml } from "./Pocket.ts"
import { raindrop } from "./Raindrop.ts"
import {
  delicious,
  instapaper,
  linkding,
  omnivore,
  pinboard,
  readability,
  readwise,
  wallabag
} from "./Services.ts"
import { genericCsv } from "./Tables.ts"
import { telegram } from "./Telegram.ts"

/** Every foreign format that can be read, in the order in which a file is held against them: the narrow ones first. */
export const formats: ReadonlyArray<Format> = [
  netscape,
  pocketHtml,
  telegram,
  chrome,
  firefox,
  karakeep,
  linkwarden,
  omnivore,
  wallabag,
  linkding,
  pinboard,
  readability,
  delicious,
  raindrop,
  pocketCsv,
  instapaper,
  readwise,
  oneTab,
  genericCsv,
  plainText
]

const labels = new Intl.ListFormat("en").format(formats.map(({ label }) => label))

/** Text in Markdown may begin with a bracket too, but not with an object in it. */
const beginsLikeJson = (text: string) => /^\s*(?:\{\s*["}]|\[\s*[{\]])/.test(text)

/** Telegram Desktop writes controls as `\x08`, which JSON does not know. */
const withKnownEscapes = (text: string) =>
  text.replace(/\\(?:x([\da-fA-F]{2})|[\s\S])/g, (escape, code?: string) =>
    code === undefined ? escape : `\\u00${code}`
  )

const parsed = (text: string) => Either.try((): unknown => JSON.parse(text))

const parseJson = (text: string): Either.Either<unknown, FormatError> =>
  parsed(text).pipe(
    Either.orElse((error) => (text.includes("\\x") ? parsed(withKnownEscapes(text)) : Either.left(error))),
    Either.mapLeft(() => {
      const at = jsonErrorAt(text)
      const line = text.slice(0, at).split(/\r\n?|\n/).length
      return new FormatError({
        message:
          at === text.length
            ? `The file ends on line ${line} in the middle of its JSON.`
            : `The file begins as JSON, but line ${line} is not valid JSON.`
      })
    })
  )

/** JSON can write what is no text: half a character, or a NUL. */
const clean = (text: string) => text.toWellFormed().replaceAll("\0", "")

const cleaned = (bookmark: Bookmark): Bookmark => ({
  ...bookmark,
  url: clean(bookmark.url),
  title: clean(bookmark.title),
  note: clean(bookmark.note),
  description: clean(bookmark.description),
  tags: bookmark.tags.map(clean),
  folders: bookmark.folders.map(clean)
})

/**
 * Reads a file of bookmarks: as `format` where that is named, else as the first one that recognises it. Fails, with a
 * sentence for a person, where the file is empty, damaged as a whole or of no format that can be read.
 *
 * No text of a bookmark has half a character or a NUL in it.
 */
export const readBookmarkFile = Effect.fn("readBookmarkFile")(function* (
  name: string,
  bytes: Uint8Array,
  format?: FileFormat["name"]
) {
  const text = decodeFile(bytes)
  if (!/\S/.test(text)) return yield* new FormatError({ message: "The file is empty." })
  const json = format !== "text" && beginsLikeJson(text) ? yield* parseJson(text) : undefined
  const file = { name, text, json }
  const chosen = formats.find((one) => (format === undefined ? one.recognises(file) : one.name === format))
  if (chosen === undefined)
    return yield* new FormatError({ message: `This is no file of bookmarks. What can be read: ${labels}.` })
  const { bookmarks, unreadable } = yield* chosen.read(file)
  const found: BookmarkFile = {
    format: chosen.name,
    bookmarks: json === undefined ? bookmarks : bookmarks.map(cleaned),
    unreadable
  }
  return found
})
