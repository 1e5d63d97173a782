import type { Format } from "./Format.ts"
import { chrome, firefox, safari } from "./formats/Browsers.ts"
import { feedbin, googleReader, miniflux, newsblur, tinyTinyRss } from "./formats/FeedReaders.ts"
import { genericCsv } from "./formats/GenericCsv.ts"
import { genericJson, genericJsonLines } from "./formats/GenericJson.ts"
import { kindle } from "./formats/Kindle.ts"
import { mastodonArchive, mastodonPosts } from "./formats/Mastodon.ts"
import { netscape } from "./formats/Netscape.ts"
import { plainText } from "./formats/PlainText.ts"
import {
  goodLinks,
  instapaper,
  instapaperHtml,
  matter,
  medium,
  omnivore,
  pocketCsv,
  pocketHtml,
  readability,
  readwise
} from "./formats/ReadLater.ts"
import { readwiseApi, readwiseHighlights } from "./formats/Readwise.ts"
import { gitHubStars, hackerNews, reddit, redditCsv } from "./formats/Saved.ts"
import {
  karakeep,
  linkAce,
  linkAceCsv,
  linkding,
  linkwarden,
  readeck,
  readeckCsv,
  shaarli,
  shiori,
  unmark,
  wallabag,
  wallabagCsv,
  wallabagXml
} from "./formats/SelfHosted.ts"
import {
  delicious,
  diigo,
  diigoCsv,
  mymind,
  pinboard,
  postsXml,
  raindrop,
  raindropApi
} from "./formats/Services.ts"
import { oneTab, sessionBuddy, tabSessionManager, toby } from "./formats/Tabs.ts"
import { telegram } from "./formats/Telegram.ts"
import { twitterArchive, twitterCsv, twitterPosts } from "./formats/Twitter.ts"
import { evernote, opml, xbel } from "./formats/XmlFiles.ts"
import { youTube } from "./formats/YouTube.ts"

/** At most one of these formats recognizes a file. A new one also needs a sample in `test/transfer/samples`. */
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
  instapaperHtml,
  medium,
  readwise,
  readwiseHighlights,
  readwiseApi,
  kindle,
  oneTab,
  opml,
  xbel,
  safari,
  evernote,
  postsXml,
  wallabagXml,
  wallabagCsv,
  readeck,
  readeckCsv,
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

/** Formats of any program: the first that recognizes a file reads it. */
export const generalFormats: ReadonlyArray<Format> = [genericJson, genericJsonLines, genericCsv]

/** In the order of detection; plain text is any other text. */
export const formats: ReadonlyArray<Format> = [...specificFormats, ...generalFormats, plainText]
