import { Schema } from "effect"
import type { FileFormat } from "../domain/Bookmark.ts"
import { FormatError } from "./FormatError.ts"
import type { ImportStep } from "./ImportSteps.ts"

/** A value as it goes from one thread of this program to another: it is ours, so nothing of it is looked at. */
const ours = <A>() => Schema.declare((_value: unknown): _value is A => true)

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
