import { Schema } from "effect"

/** A file as a whole cannot be read; its message is one sentence for a person. */
export class FormatError extends Schema.TaggedError<FormatError>()("FormatError", {
  message: Schema.String
}) {}
