import { Context, Effect, Layer, Schema } from "effect"
import { makeThread, type ThreadUnavailable } from "../../runtime/Thread.ts"
import { serveThread } from "../../runtime/ThreadWork.ts"
import type { BookArticle, BookPicture } from "./Book.ts"
import { pageFile } from "./Epub.ts"
import { markdownFile, type NotedArticle } from "./MarkdownFile.ts"

type WrittenPage = ReturnType<typeof pageFile>

/** Writing the longest article takes half a second on a slow machine. */
export class BookWriter extends Context.Tag("BookWriter")<
  BookWriter,
  {
    /** `pictures` are those that are kept, by their addresses. */
    readonly page: (
      article: BookArticle,
      number: number,
      pictures: ReadonlyMap<string, BookPicture>
    ) => Effect.Effect<WrittenPage>
    readonly markdown: (article: NotedArticle) => Effect.Effect<string>
  }
>() {
  static readonly layer = Layer.succeed(this, {
    page: (article, number, pictures) => Effect.sync(() => pageFile(article, number, pictures)),
    markdown: (article) => Effect.sync(() => markdownFile(article))
  })
}

const inThread = { tag: BookWriter, failure: Schema.Never }

export const serveBook = () => serveThread(inThread, BookWriter.layer)

/** A book asks for one page after another. */
const MAX_WAITING = 16

/** The thread ends when it is idle. `spawn` starts a thread that calls `serveBook`. */
export const layer = (spawn: () => Worker) =>
  Layer.scoped(
    BookWriter,
    Effect.gen(function* () {
      const thread = yield* makeThread(inThread, {
        name: "book",
        spawn,
        most: MAX_WAITING,
        patience: "1 minute",
        idle: "1 minute"
      })
      const here = yield* Layer.build(BookWriter.layer).pipe(Effect.map(Context.get(BookWriter)))
      /** Without the thread, the article is written here: late, but written. */
      const orHere =
        <A>(otherwise: Effect.Effect<A>) =>
        (asked: Effect.Effect<A, ThreadUnavailable>) =>
          Effect.catchAll(asked, ({ detail, reason }) =>
            Effect.zipRight(Effect.logWarning("The book thread cannot write", { reason, detail }), otherwise)
          )
      return {
        page: (article, number, pictures) =>
          orHere(here.page(article, number, pictures))(thread.ask("page", article, number, pictures)),
        markdown: (article) => orHere(here.markdown(article))(thread.ask("markdown", article))
      }
    })
  )
