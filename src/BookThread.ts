import { Context, Effect, Layer } from "effect"
import { runThread } from "./runtime/Thread.ts"
import { answerBook, BookRequest, BookWriter } from "./transfer/books/BookWriter.ts"

/** Worker thread that writes articles for EPUBs and Markdown files. */
runThread(
  BookRequest,
  Effect.map(Layer.build(BookWriter.layer), (context) => answerBook(Context.get(context, BookWriter)))
)
