import { DateTime, Effect, Option, Schema, Stream } from "effect"
import type { KeptPage } from "../domain/KeptPage.ts"
import type { Link, LinkId } from "../domain/Link.ts"
import type { LinkQuery } from "../domain/LinkQuery.ts"
import { Service } from "../runtime/Services.ts"
import { type ZipEntry, zipOf } from "../runtime/ZipFile.ts"
import { HighlightStore } from "../store/pages/HighlightStore.ts"
import { PagePictureStore } from "../store/pages/PagePictureStore.ts"
import { PageStore } from "../store/pages/PageStore.ts"
import type { BookArticle, BookPicture } from "../transfer/books/Book.ts"
import { BookWriter } from "../transfer/books/BookWriter.ts"
import { EPUB, type EpubPage, firstFiles, lastFiles, pictureFile } from "../transfer/books/Epub.ts"
import { fileNameOf, MARKDOWN } from "../transfer/books/MarkdownFile.ts"
import { LinkQueries } from "./LinkQueries.ts"
import { SearchLinks } from "./SearchLinks.ts"

export const MAX_ARTICLES = 200
/** Size of a book's pictures together, in bytes. */
const MAX_PICTURES = 80 * 1024 * 1024

export { EPUB }

/** Several articles as Markdown are a zip of files. */
export const BookFormat = Schema.Literal("epub", "markdown")
export type BookFormat = typeof BookFormat.Type

export class NothingKept extends Schema.TaggedError<NothingKept>()("NothingKept", {}) {
  override get message() {
    return "None of these links has a kept page."
  }
}

const make = Effect.gen(function* () {
  const pages = yield* PageStore
  const pictures = yield* PagePictureStore
  const highlights = yield* HighlightStore
  const links = yield* LinkQueries
  const list = yield* SearchLinks
  const writer = yield* BookWriter

  const articleOf = (link: Link, page: KeptPage): BookArticle => ({
    id: link.id,
    url: link.url,
    title: link.title,
    author: page.author,
    siteName: page.siteName,
    publishedAt: page.publishedAt,
    language: page.language,
    savedAt: page.savedAt,
    html: page.html,
    highlights: []
  })

  const marksOf = Effect.fnUntraced(function* (id: LinkId, isBare: boolean) {
    const all = isBare ? [] : yield* highlights.ofLink(id)
    return all.flatMap(({ colour, end, start }) =>
      start === null || end === null ? [] : [{ start, end, colour }]
    )
  })

  const picturesOf = Effect.fnUntraced(function* (id: LinkId) {
    const kept = new Map<string, BookPicture & { readonly id: number; readonly size: number }>()
    for (const picture of yield* pictures.ofPage(id)) {
      if (picture.state !== "kept") continue
      const { address, ...known } = picture
      // Every picture is kept as WebP, a core media type of EPUB 3.3.
      kept.set(address, { ...known, name: `pictures/${id}-${picture.id}.webp`, type: "image/webp" })
    }
    return kept
  })

  /** An article that is gone by now is skipped. */
  const epubFiles = (ids: ReadonlyArray<LinkId>, title: string, isBare: boolean) =>
    Stream.suspend(() => {
      const written: Array<EpubPage> = []
      let room = MAX_PICTURES
      const filesOf = Effect.fnUntraced(function* (id: LinkId) {
        const link = yield* links.getAnywhere(id)
        const article = articleOf(link, yield* pages.read(id))
        const known = yield* picturesOf(id)
        const fitting = new Map(
          [...known].filter(([, { size }]) => {
            if (size > room) return false
            room -= size
            return true
          })
        )
        const marked = { ...article, highlights: yield* marksOf(id, isBare) }
        const { file, page } = yield* writer.page(marked, written.length + 1, fitting)
        written.push(page)
        const shown = new Set(page.pictures.map(({ name }) => name))
        const images = Stream.fromIterable([...fitting.values()].filter(({ name }) => shown.has(name))).pipe(
          Stream.mapEffect((picture) =>
            Effect.map(pictures.read(id, picture.id), (found) =>
              // A picture that is gone by now leaves an empty file, which readers show as missing.
              pictureFile(
                picture,
                Option.match(found, { onNone: () => new Uint8Array(), onSome: ({ bytes }) => bytes })
              )
            )
          )
        )
        return Stream.concat(Stream.make<[ZipEntry]>(file), images)
      })
      const chapters = Stream.fromIterable(ids).pipe(
        Stream.mapEffect((id) => Effect.orElseSucceed(filesOf(id), () => Stream.empty)),
        Stream.flatten()
      )
      return Stream.fromIterable(firstFiles).pipe(
        Stream.concat(chapters),
        Stream.concat(Stream.suspend(() => Stream.fromIterable(lastFiles(title, written))))
      )
    })

  const markdownOf = Effect.fnUntraced(function* (id: LinkId, isBare: boolean) {
    const link = yield* links.getAnywhere(id)
    const page = yield* pages.read(id)
    const text = yield* writer.markdown({
      ...articleOf(link, page),
      createdAt: link.createdAt,
      tags: link.tags,
      collection: link.collection?.name ?? null,
      note: link.note,
      quotes: isBare ? [] : yield* highlights.ofLink(id)
    })
    return { name: `${fileNameOf(link)}.md`, bytes: new TextEncoder().encode(text) }
  })

  /** `isBare` leaves out highlights. */
  const ofLink = Effect.fn("Books.ofLink")(function* (id: LinkId, format: BookFormat, isBare = false) {
    const link = yield* links.getAnywhere(id)
    if (format === "markdown") {
      const { bytes, name } = yield* markdownOf(id, isBare)
      return { name, type: MARKDOWN, articles: 1, bytes: Stream.make(bytes) }
    }
    // Read first: a missing page is a failure, not an empty book.
    yield* pages.read(id)
    const bytes = zipOf(epubFiles([id], link.title, isBare))
    return { name: `${fileNameOf(link)}.epub`, type: EPUB, articles: 1, bytes }
  })

  /** Makes a file of a list's pages, in its order, with as many pictures as fit. `title` names an EPUB. */
  const ofList = Effect.fn("Books.ofList")(function* (
    query: LinkQuery,
    title: string,
    format: BookFormat,
    isBare = false
  ) {
    const ids = (yield* list.kept(query, MAX_ARTICLES)).links.map(({ id }) => id)
    if (ids.length === 0) return yield* new NothingKept()
    const day = DateTime.formatIsoDateUtc(yield* DateTime.now)
    if (format === "epub") {
      const bytes = zipOf(epubFiles(ids, title, isBare))
      return { name: `linkbower-${day}.epub`, type: EPUB, articles: ids.length, bytes }
    }
    const files = Stream.fromIterable(ids).pipe(
      Stream.mapEffect((id) => Effect.option(markdownOf(id, isBare))),
      Stream.flatMap(Option.match({ onNone: () => Stream.empty, onSome: (file) => Stream.make(file) }))
    )
    return {
      name: `linkbower-${day}-markdown.zip`,
      type: "application/zip",
      articles: ids.length,
      bytes: zipOf(files)
    }
  })

  return { ofLink, ofList }
})

/** Makes files of kept pages, for other programs and devices. The same pages give the same bytes. */
export class Books extends Service<Books>()("Books", make) {}

export type BookFile = Effect.Effect.Success<ReturnType<Books["Type"]["ofLink"]>>
