import { Effect } from "effect"
import { parseArticle } from "../domain/ArticleTree.ts"
import { isRightToLeft } from "../domain/Direction.ts"
import type { Link } from "../domain/Link.ts"
import type { MessageRef } from "../domain/Messages.ts"
import { Books } from "../library/Books.ts"
import { MAX_OUTGOING, OutgoingFiles } from "../library/OutgoingFiles.ts"
import { SearchLinks } from "../library/SearchLinks.ts"
import { readableHost } from "../shared/HostName.ts"
import { LinkStore } from "../store/links/LinkStore.ts"
import { PageStore } from "../store/pages/PageStore.ts"
import { button } from "./Buttons.ts"
import { linkLine } from "./Card.ts"
import {
  type Button,
  type Content,
  concat,
  type Html,
  lines,
  text,
  type UserError,
  userError
} from "./Content.ts"
import { readingParts } from "./ReadingParts.ts"

/** A page of more messages than this is sent as an EPUB. */
const MAX_PARTS = 3

/** Length of the longest article that is divided into messages, in UTF-16 units of HTML. */
const MAX_HTML = 200_000

const FILE_FAILED = "I couldn’t make the file; the log says why."

const plainName = (name: string) => name.replace(/[^\w.]+/g, "-").replace(/-+(?=\.)/g, "")

const minutes = (time: number) => `${time} min`

const markup = (html: string): Html => ({ html, length: html.length })

/** The messages of a kept page: its text, or its file. The owner's replies to each concern the link. */
export interface Reading {
  readonly link: Link
  readonly messages: ReadonlyArray<Content>
}

export const makeReadingCommands = Effect.gen(function* () {
  const books = yield* Books
  const files = yield* OutgoingFiles
  const links = yield* LinkStore
  const list = yield* SearchLinks
  const pages = yield* PageStore

  const epubButton = ({ id }: Link) => button("⬇ EPUB", { _tag: "Epub", id })
  const cardButton = ({ id }: Link): Button => button("Show card", { _tag: "Show", id })

  /** Fails with what to do if no page is kept of a link. */
  const pageOf = Effect.fnUntraced(function* (link: Link) {
    return yield* Effect.mapError(pages.read(link.id), (error) =>
      error._tag === "PageDamaged"
        ? userError(error.message)
        : userError(`No page is kept of #${link.id}. /refresh ${link.id} reads it again.`)
    )
  })

  const epub = Effect.fn("ReadingCommands.epub")(function* (message: MessageRef, link: Link) {
    yield* pageOf(link)
    const book = yield* Effect.mapError(books.ofLink(link.id, "epub"), ({ message }) => userError(message))
    if (yield* files.isFull)
      return yield* userError("Two files are still waiting to be sent. Try again once they’ve arrived.")
    const file = `${message.chatId}-${message.messageId}`
    yield* Effect.catchAll(files.write(file, book.bytes, MAX_OUTGOING), ({ reason }) =>
      Effect.zipRight(Effect.logWarning(`no EPUB for the chat: ${reason}`), userError(FILE_FAILED))
    )
    const content: Content = {
      html: linkLine(link),
      document: {
        file,
        name: plainName(book.name),
        otherwise: text("Telegram didn’t accept the EPUB. Download it in the dashboard.").html
      },
      buttons: [[cardButton(link)]]
    }
    return content
  })

  const reading = Effect.fn("ReadingCommands.read")(function* (
    message: MessageRef,
    link: Link
  ): Effect.fn.Return<Reading, UserError> {
    const page = yield* pageOf(link)
    // A page this long has more parts than are sent; dividing it would hold up everything else.
    if (page.html.length > MAX_HTML) return { link, messages: [yield* epub(message, link)] }
    const parts = readingParts(parseArticle(page.html))
    if (parts.length === 0) return yield* userError(`The kept page of #${link.id} has no text.`)
    if (parts.length > MAX_PARTS) return { link, messages: [yield* epub(message, link)] }
    const facts = [page.author ?? "", page.siteName ?? readableHost(link.host), minutes(page.readingTime)]
    const byline = text(facts.filter((fact) => fact !== "").join(" · "), 300)
    const title = lines([linkLine(link), byline])
    const messages = parts.map((part, n): Content => {
      const [isFirst, isLast] = [n === 0, n === parts.length - 1]
      const counted = parts.length === 1 ? "" : `Part ${n + 1} of ${parts.length}`
      const head = isFirst ? title : text(counted)
      const richHead = isFirst
        ? `<h2>${text(link.title).html}</h2><p><i>${[byline.html, counted].filter(Boolean).join(" · ")}</i></p>`
        : `<p><i>${counted}</i></p>`
      return {
        html: concat(head, text("\n\n"), markup(part.plain)),
        rich: { html: `${richHead}${part.rich}`, isRightToLeft: isRightToLeft(page.language) },
        ...(isLast ? { buttons: [[epubButton(link), cardButton(link)]] } : {})
      }
    })
    return { link, messages }
  })

  return {
    /** The text of a link's page, in up to three messages; a longer one is an EPUB. */
    read: reading,
    epub,
    /** The latest unread link that has a kept page. */
    nextUnread: Effect.fn("ReadingCommands.nextUnread")(function* () {
      const query = {
        terms: [],
        filters: [{ field: "unread", negated: false } as const],
        sort: "newest" as const
      }
      const [first] = yield* Effect.match(list.kept(query, 1), {
        onFailure: () => [],
        onSuccess: (found) => found.links
      })
      if (first === undefined)
        return yield* userError("Nothing left to read: no unread link has a kept page.")
      return yield* Effect.mapError(links.get(first.id), ({ message }) => userError(message))
    })
  }
})

export type ReadingCommands = Effect.Effect.Success<typeof makeReadingCommands>
