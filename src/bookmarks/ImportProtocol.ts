import { Schema } from "effect"
import type { FileFormat } from "../domain/Bookmark.ts"
import { ours } from "../domain/Ours.ts"
import { FormatError } from "./FormatError.ts"
import type { ImportStep } from "./ImportSteps.ts"

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
