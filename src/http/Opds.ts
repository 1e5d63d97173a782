import { HttpLayerRouter, HttpServerRequest } from "@effect/platform"
import { Effect, Option, Redacted } from "effect"
import { LinkId } from "../domain/Link.ts"
import { Books, EPUB, MAX_ARTICLES } from "../library/Books.ts"
import { EReaders } from "../library/EReaders.ts"
import type { KeptLink } from "../library/SearchLinks.ts"
import { readableHost } from "../shared/HostName.ts"
import { isHttpUrl, withoutUser } from "../shared/WebAddress.ts"
import { escapeXml } from "../shared/Xml.ts"
import { LinkStore } from "../store/links/LinkStore.ts"
import { SearchStore } from "../store/links/SearchStore.ts"
import { EReaderStore } from "../store/signin/EReaderStore.ts"
import { feedId, iri } from "./Atom.ts"
import { DamagedPage, NotFound, NotKept, Unauthorized, Unavailable } from "./api/Failures.ts"
import { conditionalResponse } from "./EmbeddedFile.ts"
import { listQuery, ownerCursor, searchParams } from "./ListQuery.ts"
import { bookResponse } from "./Pages.ts"
import { PublicRate } from "./PublicRate.ts"
import { groups, pathOf } from "./RouteGroups.ts"

/** Media types of the feeds that lead on, and of those with books (OPDS 1.2, 9). */
const NAVIGATION = "application/atom+xml;profile=opds-catalog;kind=navigation"
const ACQUISITION = "application/atom+xml;profile=opds-catalog;kind=acquisition"

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
interface Shelf extends About {
  readonly about: string
  readonly href: string
}

/** A book of a feed. Without `page`, it is of several pages. */
interface FeedBook extends About {
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
const navigationFeed = (head: About, { self, start }: Paths, shelves: ReadonlyArray<Shelf>): string =>
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
const acquisitionFeed = (
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

/** A list of links as a feed. */
interface ShelfSource {
  /** Its place below the catalog. */
  readonly path: string
  readonly title: string
  readonly about: string
  readonly query: string
}

const fixed: ReadonlyArray<ShelfSource> = [
  { path: "unread", title: "Unread", about: "The kept pages that you have not read.", query: "is:unread" },
  {
    path: "favorites",
    title: "Favorites",
    about: "The kept pages of your favorite links.",
    query: "is:favorite"
  }
]

/** What can stand below the catalog itself; any other segment is treated as a secret. */
const parts: ReadonlySet<string> = new Set([...fixed.map(({ path }) => path), "searches", "books"])

/** The password of an `Authorization: Basic` header (RFC 7617), whatever the user name; the scheme is case-insensitive. */
const basicPassword = (authorization: string | undefined): Redacted.Redacted => {
  const [, encoded = ""] = /^basic +([\w+/=-]+) *$/i.exec(authorization ?? "") ?? []
  const pair = Buffer.from(encoded, "base64").toString()
  const colon = pair.indexOf(":")
  return Redacted.make(colon === -1 ? "" : pair.slice(colon + 1))
}

/** Returns when a feed was last updated: when its newest entry was saved. */
const newestOf = (books: ReadonlyArray<KeptLink>, otherwise: string) => books[0]?.createdAt ?? otherwise

/** OPDS 1.2 (https://specs.opds.io/opds-1.2). E-readers cannot sign in: the address, or a password, is the secret. */
export const routes = Effect.gen(function* () {
  const router = yield* HttpLayerRouter.HttpRouter
  const ereaders = yield* EReaders
  const { withToken } = yield* EReaderStore
  const books = yield* Books
  const links = yield* LinkStore
  const searches = yield* SearchStore
  const rate = yield* PublicRate

  const shelves = Effect.map(
    searches.all,
    (all): ReadonlyArray<ShelfSource> => [
      ...fixed,
      ...all.map(({ id, name, query }) => ({
        path: `searches/${id}`,
        title: name,
        about: "The kept pages of a saved search.",
        query
      }))
    ]
  )

  const shelfAt = Effect.fnUntraced(function* (path: string) {
    return (yield* shelves).find((shelf) => shelf.path === path) ?? (yield* new NotFound())
  })

  /** `start` is the path of the catalog as requested; `createdAt` is when the secret was made. */
  const root = Effect.fn("Opds.root")(function* (start: string, createdAt: string) {
    const entries = (yield* shelves).map((shelf) => ({
      id: feedId(`e-readers ${createdAt} ${shelf.path}`),
      title: shelf.title,
      about: shelf.about,
      updatedAt: createdAt,
      href: `${start}/${shelf.path}`
    }))
    const head = { id: feedId(`e-readers ${createdAt}`), title: "Linkbower", updatedAt: createdAt }
    return yield* conditionalResponse(navigationFeed(head, { self: start, start }, entries), NAVIGATION)
  })

  const shelf = Effect.fn("Opds.shelf")(function* (start: string, path: string, createdAt: string) {
    const source = yield* shelfAt(path)
    const { cursor } = yield* searchParams
    const query = yield* listQuery({ q: source.query, sort: "newest", cursor })
    const page = yield* Effect.mapError(ereaders.shelf(query), () => new Unavailable())
    const self = `${start}/${path}`
    const name = `e-readers ${createdAt} ${path}`
    const updatedAt = newestOf(page.links, createdAt)
    const entries = page.links.map(
      (book): FeedBook => ({
        id: feedId(`page ${book.id} ${book.createdAt}`),
        title: book.title,
        updatedAt: book.createdAt,
        author: book.author ?? book.siteName ?? readableHost(book.host),
        summary: book.summary || book.description,
        href: `${start}/books/${book.id}.epub`,
        page: { ...book, url: withoutUser(book.url) }
      })
    )
    const whole: FeedBook = {
      id: feedId(`${name} as one book`),
      title: `${source.title}: all in one book`,
      updatedAt,
      author: "Linkbower",
      summary: `The newest pages of this list, at most ${MAX_ARTICLES}.`,
      href: `${start}/books/${path.replace("/", "-")}.epub`
    }
    const shown = cursor === undefined && entries.length > 1 ? [whole, ...entries] : entries
    const next = page.next === null ? null : `${self}?cursor=${ownerCursor.encode(page.next)}`
    const here = typeof cursor === "string" ? `${self}?cursor=${cursor}` : self
    const head = { id: feedId(name), title: source.title, updatedAt }
    return yield* conditionalResponse(acquisitionFeed(head, { self: here, start, next }, shown), ACQUISITION)
  })

  const book = Effect.fn("Opds.book")(function* (name: string) {
    if (/^[1-9]\d{0,14}$/.test(name)) {
      const id = LinkId.make(Number(name))
      // Fails for a link in the trash, which e-readers cannot read.
      const file = Effect.zipRight(links.get(id), books.ofLink(id, "epub", true))
      return yield* Effect.map(file, bookResponse).pipe(
        Effect.catchTags({
          LinkNotFound: ({ message }) => new NotFound(message),
          PageNotKept: ({ message }) => new NotKept(message),
          PageDamaged: ({ message }) => new DamagedPage(message)
        })
      )
    }
    const source = yield* shelfAt(name.replace(/^searches-/, "searches/"))
    const query = yield* listQuery({ q: source.query, sort: "newest" })
    const file = Effect.catchTags(books.ofList(query, source.title, "epub", true), {
      NothingKept: () => new NotFound(),
      ReaderUnavailable: () => new Unavailable()
    })
    return bookResponse(yield* file)
  })

  const respond = Effect.gen(function* () {
    const { headers, url } = yield* HttpServerRequest.HttpServerRequest
    const all = pathOf(url)
      .slice(groups.opds.place.length)
      .split("/")
      .filter((part) => part !== "")
    const [first = ""] = all
    const isBasic = first === "" || parts.has(first)
    const token = isBasic ? basicPassword(headers["authorization"]) : Redacted.make(first)
    const access = yield* withToken(token)
    if (Option.isNone(access)) return yield* isBasic ? new Unauthorized() : new NotFound()
    const start = isBasic ? groups.opds.place : `${groups.opds.place}/${first}`
    const path = (isBasic ? all : all.slice(1)).join("/")
    const { createdAt } = access.value
    if (path === "") return yield* root(start, createdAt)
    const [, name] = /^books\/([\w-]+)\.epub$/.exec(path) ?? []
    return yield* name === undefined ? shelf(start, path, createdAt) : book(name)
  })

  yield* router.add("GET", groups.opds.place, rate.reading(respond))
  yield* router.add("GET", `${groups.opds.place}/*`, rate.reading(respond))
})
