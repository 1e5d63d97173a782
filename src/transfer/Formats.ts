import { chrome } from "./Chrome.ts"
import { evernote } from "./Evernote.ts"
import { feedbin, googleReader, miniflux, newsblur, tinyTinyRss } from "./FeedReaders.ts"
import { firefox } from "./Firefox.ts"
import type { Format } from "./Format.ts"
import { genericCsv } from "./GenericCsv.ts"
import { genericJson, genericJsonLines } from "./GenericJson.ts"
import { gitHubStars } from "./GitHubStars.ts"
import { hackerNews } from "./HackerNews.ts"
import { karakeep } from "./Karakeep.ts"
import { linkwarden } from "./Linkwarden.ts"
import { instapaperHtml, medium } from "./ListPages.ts"
import { mastodonArchive, mastodonPosts } from "./Mastodon.ts"
import { netscape } from "./Netscape.ts"
import { oneTab } from "./OneTab.ts"
import { opml } from "./Opml.ts"
import { plainText } from "./PlainText.ts"
import { pocketCsv, pocketHtml } from "./Pocket.ts"
import { postsXml } from "./PostsXml.ts"
import { raindrop } from "./Raindrop.ts"
import { readeck, readeckCsv } from "./Readeck.ts"
import { diigo, diigoCsv, goodLinks, matter, mymind, raindropApi, unmark } from "./ReadingLists.ts"
import { reddit, redditCsv } from "./Reddit.ts"
import { safari } from "./Safari.ts"
import { linkAce, linkAceCsv, shaarli, shiori } from "./SelfHosted.ts"
import { delicious, instapaper, linkding, omnivore, pinboard, readability, readwise } from "./Services.ts"
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
  instapaperHtml,
  medium,
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
