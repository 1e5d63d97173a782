import { Context, Effect, Layer, Schema } from "effect"
import { Link } from "../domain/Link.ts"
import { type Cursor, isInTrash, type LinkQuery } from "../domain/LinkQuery.ts"
import type { ReaderUnavailable } from "../search/Reader.ts"
import { EReaderStore } from "../store/signin/EReaderStore.ts"
import { SearchLinks } from "./SearchLinks.ts"

/** Links on a page of a shelf, links read at a time for it, and how many are read for it at most. */
const PAGE = 50
const READ_AT_ONCE = 100
const MAX_READ = 2_000

/** A link with a kept page, as an e-reader lists it. The note is not among the fields: e-readers are third parties. */
const ShelfBook = Link.pick(
  ...(["id", "url", "host", "title", "author", "siteName", "summary", "description", "category"] as const),
  ...(["language", "publishedAt", "createdAt", "kept", "deletedAt"] as const)
)
export type ShelfBook = typeof ShelfBook.Type

const decodeBook = Schema.decodeSync(Schema.parseJson(ShelfBook))

/** A page of a shelf, and where the next one begins. */
export interface ShelfPage {
  readonly books: ReadonlyArray<ShelfBook>
  readonly next: Cursor | null
}

/** The access of the owner's e-readers, which cannot sign in, and what they list. */
export class EReaders extends Context.Tag("EReaders")<
  EReaders,
  EReaderStore["Type"] & {
    /**
     * Returns the links of a list of which a page is kept, newest first, 50 a page. A page can have fewer, or none, with
     * a next one, because only so many links are read for it.
     */
    readonly shelf: (query: LinkQuery) => Effect.Effect<ShelfPage, ReaderUnavailable>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const store = yield* EReaderStore
      const list = yield* SearchLinks

      const shelf = Effect.fn("EReaders.shelf")(function* (query: LinkQuery) {
        const books: Array<ShelfBook> = []
        // Nothing of the trash is read elsewhere.
        if (isInTrash(query)) return { books, next: null }
        let cursor = query.cursor
        for (let seen = 0; seen < MAX_READ; seen += READ_AT_ONCE) {
          const page = yield* list.page({ ...query, sort: "newest", limit: READ_AT_ONCE, cursor })
          for (const json of page.links) {
            const book = decodeBook(json)
            if (!book.kept || book.deletedAt !== undefined) continue
            const last = books.at(-1)
            if (last !== undefined && books.length === PAGE)
              return { books, next: { sort: "newest" as const, value: last.createdAt, id: last.id } }
            books.push(book)
          }
          if (page.next === null) return { books, next: null }
          cursor = page.next
        }
        return { books, next: cursor ?? null }
      })

      return { ...store, shelf }
    })
  )
}
