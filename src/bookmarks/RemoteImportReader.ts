import { Effect, Layer, Schema, Stream } from "effect"
import type { FileFormat } from "../domain/Bookmark.ts"
import { ours } from "../domain/Ours.ts"
import { makeThread, streaming } from "../runtime/Thread.ts"
import { FormatError } from "./FormatError.ts"
import { ImportReader } from "./ImportReader.ts"
import type { ImportStep } from "./ImportSteps.ts"

/** How long the thread may work between two steps: it reads the whole of a file before the first. */
const STEP = "10 minutes"

/** Reads the file at this path; the thread answers with its steps. */
export class ReadFile extends Schema.TaggedRequest<ReadFile>()("ReadFile", {
  failure: FormatError,
  success: ours<ImportStep>(),
  payload: {
    path: Schema.String,
    name: Schema.UndefinedOr(Schema.String),
    format: Schema.UndefinedOr(ours<FileFormat["name"]>())
  }
}) {}

/** Answers the request of the thread with this reader. */
export const answerImport = (reader: ImportReader["Type"]) => (request: ReadFile) =>
  streaming(request, reader.read(request))

const unread = {
  busy: "The file could not be read: another one is being read.",
  died: "The file could not be read: the thread that reads it died twice. The log says more.",
  slow: `The file could not be read: reading it made no progress for ${STEP}.`
}

/**
 * Reads each file of links in a thread that ends with the file: a large one takes seconds and much memory. `spawn` starts
 * a thread that answers `ReadFile`.
 */
export const layer = (spawn: () => Worker) =>
  Layer.succeed(ImportReader, {
    read: ({ format, name, path }) =>
      makeThread({ name: "import", spawn, most: 1, patience: STEP }).pipe(
        // A file reads the same each time: a second thread goes on where the first died.
        Effect.map((thread) => thread.stream(new ReadFile({ path, name, format }), "skip")),
        Stream.unwrapScoped,
        Stream.catchTag("ThreadUnavailable", ({ detail, reason }) =>
          Effect.logError("The import thread cannot read a file", { reason, detail }).pipe(
            Effect.zipRight(new FormatError({ message: unread[reason] })),
            Stream.fromEffect
          )
        )
      )
  })
