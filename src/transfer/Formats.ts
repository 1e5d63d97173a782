import type { Format } from "./Format.ts"
import { chrome } from "./formats/Chrome.ts"
import { evernote } from "./formats/Evernote.ts"
import { feedbin, googleReader, miniflux, newsblur, tinyTinyRss } from "./formats/FeedReaders.ts"
import { firefox } from "./formats/Firefox.ts"
import { genericCsv } from "./formats/GenericCsv.ts"
import { genericJson, genericJsonLines } from "./formats/GenericJson.ts"
import { gitHubStars } from "./formats/GitHubStars.ts"
import { hackerNews } from "./formats/HackerNews.ts"
import { karakeep } from "./formats/Karakeep.ts"
import { kindle } from "./formats/Kindle.ts"
import { linkwarden } from "./formats/Linkwarden.ts"
import { instapaperHtml, medium } from "./formats/ListPages.ts"
import { mastodonArchive, mastodonPosts } from "./formats/Mastodon.ts"
import { netscape } from "./formats/Netscape.ts"
import { oneTab } from "./formats/OneTab.ts"
import { opml } from "./formats/Opml.ts"
import { plainText } from "./formats/PlainText.ts"
import { pocketCsv, pocketHtml } from "./formats/Pocket.ts"
import { postsXml } from "./formats/PostsXml.ts"
import { raindrop } from "./formats/Raindrop.ts"
import { readeck, readeckCsv } from "./formats/Readeck.ts"
import { diigo, diigoCsv, goodLinks, matter, mymind, raindropApi, unmark } from "./formats/ReadingLists.ts"
import { readwise, readwiseApi, readwiseHighlights } from "./formats/Readwise.ts"
import { reddit, redditCsv } from "./formats/Reddit.ts"
import { safari } from "./formats/Safari.ts"
import { linkAce, linkAceCsv, shaarli, shiori } from "./formats/SelfHosted.ts"
import { delicious, instapaper, linkding, omnivore, pinboard, readability } from "./formats/Services.ts"
import { sessionBuddy, tabSessionManager, toby } from "./formats/Tabs.ts"
import { telegram } from "./formats/Telegram.ts"
import { twitterArchive, twitterCsv, twitterPosts } from "./formats/Twitter.ts"
import { wallabag, wallabagCsv, wallabagXml } from "./formats/Wallabag.ts"
import { xbel } from "./formats/Xbel.ts"
import { youTube } from "./formats/YouTube.ts"

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

/** The formats of any program, by what they have in common. The first that recognizes a file reads it. */
export const generalFormats: ReadonlyArray<Format> = [genericJson, genericJsonLines, genericCsv]

/** All supported formats of other programs, in the order of detection: plain text is what is left. */
export const formats: ReadonlyArray<Format> = [...specificFormats, ...generalFormats, plainText]
