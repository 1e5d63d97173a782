import { Effect, Either } from "effect"
import type { Bookmark, BookmarkFile, FileFormat } from "../domain/Bookmark.ts"
import { chrome } from "./Chrome.ts"
import { decodeFile, jsonErrorAt } from "./Decode.ts"
import { evernote } from "./Evernote.ts"
import { feedbin, googleReader, miniflux, newsblur, tinyTinyRss } from "./FeedReaders.ts"
import { firefox } from "./Firefox.ts"
import { type Format, FormatError } from "./Format.ts"
import { gitHubStars } from "./GitHubStars.ts"
import { hackerNews } from "./HackerNews.ts"
import { karakeep } from "./Karakeep.ts"
import { linkwarden } from "./Linkwarden.ts"
import { mastodonArchive, mastodonPosts } from "./Mastodon.ts"
import { netscape } from "./Netscape.ts"
import { oneTab } from "./OneTab.ts"
import { opml } from "./Opml.ts"
import { plainText } from "./PlainText.ts"
import { pocketCsv, pocketHtml } from "./Pocket.ts"
import { postsXml } from "./PostsXml.ts"
import { raindrop } from "./Raindrop.ts"
import { readeck } from "./Readeck.ts"
import { diigo, diigoCsv, goodLinks, matter, mymind, raindropApi, unmark } from "./ReadingLists.ts"
import { reddit, redditCsv } from "./Reddit.ts"
import { safari } from "./Safari.ts"
import { linkAce, linkAceCsv, shaarli, shiori } from "./SelfHosted.ts"
import { delicious, instapaper, linkding, omnivore, pinboard, readability, readwise } from "./Services.ts"
import { genericCsv } from "./Tables.ts"
import { sessionBuddy, tabSessionManager, toby } from "./Tabs.ts"
import { telegram } from "./Telegram.ts"
import { twitterArchive, twitterCsv, twitterPosts } from "./Twitter.ts"
import { wallabag, wallabagCsv, wallabagXml } from "./Wallabag.ts"
import { xbel } from "./Xbel.ts"
import { youTube } from "./YouTube.ts"

/**
 * The formats of one product each, and of files that name their own format: at most one of them recognizes a file, so
 * their order does not matter. A new one also needs a line in `test/transfer/support/samples.ts`.
 */
export const specificFormats: ReadonlyArray<Format> = [
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
  opml,
  xbel,
  safari,
  evernote,
  postsXml,
  wallabagXml,
  wallabagCsv,
  readeck,
  linkAce,
  linkAceCsv,
  shaarli,
  shiori,
  diigo,
  diigoCsv,
  goodLinks,
  matter,
  mymind,
  unmark,
  raindropApi,
  googleReader,
  feedbin,
  miniflux,
  newsblur,
  tinyTinyRss,
  tabSessionManager,
  sessionBuddy,
  toby,
  gitHubStars,
  hackerNews,
  reddit,
  redditCsv,
  youTube,
  twitterArchive,
  twitterPosts,
  twitterCsv,
  mastodonArchive,
  mastodonPosts
]

/** The formats of any program, by what they have in common. The first that recognizes a file reads it. */
export const generalFormats: ReadonlyArray<Format> = [genericCsv, plainText]

/** All supported formats of other programs, in the order of detection. */
export const formats: ReadonlyArray<Format> = [...specificFormats, ...generalFormats]

const labels = new Intl.ListFormat("en").format(formats.map(({ label }) => label))

/** Whether a text starts like JSON: Markdown may also start with a bracket, but not with an object in it. */
const beginsLikeJson = (text: string) => /^\s*(?:\{\s*["}]|\[\s*[{\]])/.test(text)

/** Replaces the escapes `\x08` of Telegram Desktop, which JSON does not allow. */
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

/** Removes what JSON can encode but text cannot contain: unpaired surrogates and NULs. */
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
 * Reads a bookmark file: as `format` if given, else as the first format that recognizes it. Fails, with a sentence for
 * people, if the file is empty, damaged as a whole or in no supported format.
 *
 * The bookmarks' texts contain no unpaired surrogates and no NULs.
 */
export const readBookmarkFile = Effect.fn("readBookmarkFile")(function* (
  name: string,
  bytes: Uint8Array,
  format?: FileFormat["name"]
) {
  const text = decodeFile(bytes)
  if (!/\S/.test(text)) return yield* new FormatError({ message: "The file is empty." })
  const json = format !== "text" && beginsLikeJson(text) ? yield* parseJson(text) : undefined
  const file = { name, text, json, companion: () => undefined }
  const chosen = formats.find((one) => (format === undefined ? one.recognizes(file) : one.name === format))
  if (chosen === undefined)
    return yield* new FormatError({ message: `This is not a supported file. Supported formats: ${labels}.` })
  const { bookmarks, unreadable } = yield* chosen.read(file)
  const found: BookmarkFile = {
    format: chosen.name,
    bookmarks: json === undefined ? bookmarks : bookmarks.map(cleaned),
    unreadable
  }
  return found
})
