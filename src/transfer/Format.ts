import { type Effect, Schema } from "effect"
import type { Bookmark, FileFormat, Unreadable } from "../domain/Bookmark.ts"

/** A file as it was given, decoded. */
export interface SourceFile {
  /** Its name without a folder; empty where it has none. */
  readonly name: string
  readonly text: string
  /** What it says as JSON; undefined where it is none. */
  readonly json: unknown
}

/** A format that can be told from others and read. */
export interface Format extends FileFormat {
  /** Whether the file looks like this format. Cheap, total, and sure enough that the first format to say so is taken. */
  readonly recognises: (file: SourceFile) => boolean
  /** Reads all of the file, or fails where it is not of this format after all; a bad entry alone is no failure. */
  readonly read: (
    file: SourceFile
  ) => Effect.Effect<
    { readonly bookmarks: ReadonlyArray<Bookmark>; readonly unreadable: ReadonlyArray<Unreadable> },
    FormatError
  >
}

/** A file as a whole cannot be read; its message is one sentence for a person. */
export class FormatError extends Schema.TaggedError<FormatError>()("FormatError", {
  message: Schema.String
}) {}
