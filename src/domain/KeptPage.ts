import { Schema } from "effect"
import { escapeText } from "../shared/Text.ts"
import { articleText } from "./Article.ts"
import { LinkId } from "./Link.ts"

/** Where the text of a kept page came from: its site, the owner's browser, or the file of an import. */
export const PageSource = Schema.Literal("site", "browser", "file")
export type PageSource = typeof PageSource.Type

/** The number of a kept page's version: 1 for the first, and one more with each change. */
export const PageVersionNumber = Schema.Int.pipe(Schema.positive())

/** How many earlier versions of a page are kept; the oldest goes first. */
export const MAX_EARLIER_VERSIONS = 20

const text = (description: string) => Schema.String.annotations({ description })
const orNull = (description: string) => Schema.NullOr(Schema.String).annotations({ description })

const about = {
  title: text("The page's title."),
  author: orNull("The page's author."),
  siteName: orNull("The site's name for itself."),
  publishedAt: orNull("When the page was published, according to the page: a time in UTC, or a day."),
  language: orNull("The page's language, as a BCP 47 tag."),
  source: PageSource.annotations({
    description: "Where the text came from: the page's site, the owner's browser, or the file of an import."
  }),
  url: text("The address the page was read from.")
}

const html = text("The article: HTML of a fixed set of elements and attributes, without anything that runs.")
const savedAt = text("When this version was kept, as an ISO 8601 time in UTC.")
const words = Schema.NonNegativeInt.annotations({
  description: "How many words it has; two characters of a script without spaces count as one."
})

export const KeptPage = Schema.Struct({
  linkId: LinkId,
  version: PageVersionNumber.annotations({ description: "The number of this version." }),
  ...about,
  html,
  words,
  readingTime: Schema.NonNegativeInt.annotations({ description: "How long reading it takes, in minutes." }),
  savedAt
}).annotations({ identifier: "KeptPage" })
export type KeptPage = typeof KeptPage.Type

export const PageVersion = Schema.Struct({
  version: KeptPage.fields.version,
  savedAt,
  title: about.title,
  words,
  bytes: Schema.NonNegativeInt.annotations({
    description:
      "What this version takes in the library, in bytes. An earlier version is kept as what differs."
  })
}).annotations({ identifier: "PageVersion" })
export type PageVersion = typeof PageVersion.Type

/** A page to keep; its HTML is a clean article (`isCleanArticle`). */
export const NewPage = Schema.Struct({ ...about, html })
export type NewPage = typeof NewPage.Type

export const ExportedPage = Schema.Struct({
  ...NewPage.fields,
  savedAt,
  version: Schema.optionalWith(PageVersionNumber, { default: () => 1 })
})
export type ExportedPage = typeof ExportedPage.Type

/** What the setting `KEEP_PAGES` can say: the article, the page's text for searching alone, or neither is stored. */
export type KeepMode = "article" | "text" | "off"

/** The link's first page, the same, the same text in other structure or with other pictures, or a new version. */
export type Kept = "new" | "same" | "restructured" | "changed"

/** A kept page, or one of its versions, that cannot be read because its row in the library is damaged. */
export class PageDamaged extends Schema.TaggedError<PageDamaged>()("PageDamaged", {
  linkId: LinkId,
  version: PageVersionNumber
}) {
  override get message() {
    return `Version ${this.version} of the kept page of #${this.linkId} is damaged. Refresh the link to keep its page again.`
  }
}

export class PageNotKept extends Schema.TaggedError<PageNotKept>()("PageNotKept", { linkId: LinkId }) {
  override get message() {
    return `No such page is kept for #${this.linkId}.`
  }
}

/** Scripts without spaces: two of their characters are about a word. */
const unspaced = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}]/gu

const countWords = (text: string): number => {
  const characters = text.match(unspaced)?.length ?? 0
  const spaced = characters === 0 ? text : text.replace(unspaced, " ")
  return (spaced.match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}'’-]*/gu)?.length ?? 0) + Math.ceil(characters / 2)
}

/** Words that adults read in a minute (M. Brysbaert, https://doi.org/10.1016/j.jml.2019.104047). */
const WORDS_A_MINUTE = 238

const readingTime = (words: number): number => Math.max(1, Math.round(words / WORDS_A_MINUTE))

/** Ends of elements that stand for a break in the text, and breaks themselves. */
const blockEnds = /<\/(?!(?:a|em|strong|sub|sup|del|mark|q|kbd|code)>)|<br>/g

export const measureArticle = (html: string): Pick<KeptPage, "readingTime" | "words"> => {
  const words = countWords(articleText(html.replace(blockEnds, " $&")))
  return { words, readingTime: readingTime(words) }
}

/** Writes plain text as a clean article: a paragraph for each of its lines, without control characters. */
export const articleOfText = (text: string): string =>
  text
    .replace(/\p{Cc}+/gu, (controls) => (controls.includes("\n") ? "\n" : " "))
    .toWellFormed()
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .map((line) => `<p>${escapeText(line)}</p>`)
    .join("")
