import { EPUB } from "../library/Books.ts"
import { isHttpUrl } from "../shared/WebAddress.ts"
import { escapeXml } from "../shared/Xml.ts"
import { iri } from "./Atom.ts"

/** Media types of the feeds that lead on, and of those with books (OPDS 1.2, 9). */
export const NAVIGATION = "application/atom+xml;profile=opds-catalog;kind=navigation"
export const ACQUISITION = "application/atom+xml;profile=opds-catalog;kind=acquisition"

/** The relation of a book's file to its entry: anyone who sees the entry may have it. */
const OPEN_ACCESS = "http://opds-spec.org/acquisition/open-access"

interface About {
  /** Never changes, whatever else does. */
  readonly id: string
  readonly title: string
  /** An ISO 8601 time in UTC. */
  readonly updatedAt: string
}

/** A feed that another one leads to. */
export interface Shelf extends About {
  readonly about: string
  readonly href: string
}

/** A book of a feed. Without `page`, it is of several pages. */
export interface FeedBook extends About {
  readonly author: string
  readonly summary: string
  /** The path of its file. */
  readonly href: string
  readonly page?: {
    readonly url: string
    readonly category: string
    readonly language: string | null
    /** A day or a time. */
    readonly publishedAt: string | null
  }
}

interface Paths {
  readonly self: string
  readonly start: string
}

const link = (rel: string, type: string, href: string) =>
  `<link rel="${rel}" type="${escapeXml(type)}" href="${escapeXml(href)}"/>`

const about = ({ id, title, updatedAt }: About) => `<id>${escapeXml(id)}</id>
<title>${escapeXml(title)}</title>
<updated>${escapeXml(updatedAt)}</updated>`

/** Writes a feed; the paths in it are relative to the host, which e-readers at home may reach under another name. */
const feed = (head: About, links: ReadonlyArray<string>, entries: ReadonlyArray<string>) =>
  `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xmlns:dc="http://purl.org/dc/terms/">
${[about(head), "<author><name>Linkbower</name></author>", ...links, ...entries].join("\n")}
</feed>
`

const shelfEntry = (shelf: Shelf) => `<entry>
${about(shelf)}
<content type="text">${escapeXml(shelf.about)}</content>
${link("subsection", ACQUISITION, shelf.href)}
</entry>`

/** Writes the feed that leads to the others (OPDS 1.2, 2.2). */
export const navigationFeed = (head: About, { self, start }: Paths, shelves: ReadonlyArray<Shelf>): string =>
  feed(head, [link("self", NAVIGATION, self), link("start", NAVIGATION, start)], shelves.map(shelfEntry))

const pageFacts = ({ category, language, publishedAt, url }: NonNullable<FeedBook["page"]>) => [
  ...(language === null ? [] : [`<dc:language>${escapeXml(language)}</dc:language>`]),
  ...(publishedAt === null ? [] : [`<dc:issued>${escapeXml(publishedAt)}</dc:issued>`]),
  `<category term="${escapeXml(category)}" label="${escapeXml(category)}"/>`,
  ...(isHttpUrl(url) ? [`<link rel="alternate" type="text/html" href="${iri(url)}"/>`] : [])
]

const bookEntry = (book: FeedBook) =>
  [
    "<entry>",
    about(book),
    `<author><name>${escapeXml(book.author)}</name></author>`,
    ...(book.page === undefined ? [] : [`<published>${escapeXml(book.updatedAt)}</published>`]),
    ...(book.page === undefined ? [] : pageFacts(book.page)),
    ...(book.summary === "" ? [] : [`<summary type="text">${escapeXml(book.summary)}</summary>`]),
    link(OPEN_ACCESS, EPUB, book.href),
    "</entry>"
  ].join("\n")

/** Writes a page of books (OPDS 1.2, 2.3); `next` is the path of the next one. */
export const acquisitionFeed = (
  head: About,
  { next, self, start }: Paths & { readonly next: string | null },
  books: ReadonlyArray<FeedBook>
): string =>
  feed(
    head,
    [
      link("self", ACQUISITION, self),
      link("start", NAVIGATION, start),
      link("up", NAVIGATION, start),
      ...(next === null ? [] : [link("next", ACQUISITION, next)])
    ],
    books.map(bookEntry)
  )
