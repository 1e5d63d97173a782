import { type Effect, Schema } from "effect"
import type { Bookmark, FileFormat, Unreadable } from "../domain/Bookmark.ts"

/** A file to import, decoded. */
export interface SourceFile {
  /** Its name without a folder; empty if it has none. */
  readonly name: string
  readonly text: string
  /** Its parsed JSON; undefined if it is not JSON. */
  readonly json: unknown
}

/** A format that can be recognized and read. */
export interface Format extends FileFormat {
  /** Whether the file looks like this format. Cheap, never fails, and reliable: the first matching format is used. */
  readonly recognizes: (file: SourceFile) => boolean
  /** Reads the whole file; fails if it is not in this format after all, but not because of a single bad entry. */
  readonly read: (
    file: SourceFile
  ) => Effect.Effect<
    { readonly bookmarks: ReadonlyArray<Bookmark>; readonly unreadable: ReadonlyArray<Unreadable> },
    FormatError
  >
}

/** The whole file cannot be read; the message is one sentence for people. */
export class FormatError extends Schema.TaggedError<FormatError>()("FormatError", {
  message: Schema.String
}) {}
