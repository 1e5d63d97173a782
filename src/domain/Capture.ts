import { Schema } from "effect"

/** A capture may say this much about a page, in UTF-16 units; the browser's view of it is cut, not refused. */
const MAX_HINT = 4_096
const Hint = Schema.transform(Schema.String, Schema.String, {
  strict: true,
  decode: (text) => text.slice(0, MAX_HINT),
  encode: (text) => text
})

/** What the extension sends: an address, a note, and the browser's own view of the page, which is untrusted text. */
export const Capture = Schema.Struct({
  url: Schema.String.pipe(Schema.maxLength(8_192)),
  note: Schema.optional(Schema.String.pipe(Schema.maxLength(20_000))),
  title: Schema.optional(Hint),
  description: Schema.optional(Hint),
  selection: Schema.optional(Hint)
})
export type Capture = typeof Capture.Type

/** What a capture is answered: the same for a new and for a known address. */
export const CaptureAnswer = Schema.Union(
  Schema.Struct({ status: Schema.Literal("saved"), url: Schema.String, title: Schema.String }),
  Schema.Struct({ status: Schema.Literal("accepted"), url: Schema.String })
)
export type CaptureAnswer = typeof CaptureAnswer.Type
