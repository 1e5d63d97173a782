import { Data, Schema } from "effect"
import { MAX_ADDRESS, MAX_NOTE } from "../shared/Limits.ts"
import { cutText } from "../shared/Text.ts"

/** Maximum length of a hint in UTF-16 units; longer hints are cut, not rejected. */
const MAX_HINT = 4_096
const Hint = Schema.transform(Schema.String, Schema.String, {
  strict: true,
  decode: (text) => cutText(text, MAX_HINT),
  encode: (text) => text
})

const hint = (description: string) => Schema.optional(Hint.annotations({ description }))

/** A capture by the extension: an address, a note, and the browser's view of the page, which is untrusted text. */
export const Capture = Schema.Struct({
  url: Schema.String.pipe(Schema.maxLength(MAX_ADDRESS)).annotations({
    description: "An http or https address."
  }),
  note: Schema.optional(
    Schema.String.pipe(Schema.maxLength(MAX_NOTE)).annotations({ description: "A note about the link." })
  ),
  title: hint("The page's title in the browser, used if the page cannot be read."),
  description: hint("The page's description of itself in the browser."),
  selection: hint("The text selected on the page.")
})
export type Capture = typeof Capture.Type

/** A captured link whose page has been read. */
export const Saved = Schema.Struct({
  status: Schema.Literal("saved"),
  url: Schema.String,
  title: Schema.String
})

/** A captured link whose page is still being read. */
export const Accepted = Schema.Struct({ status: Schema.Literal("accepted"), url: Schema.String })

/** The response to a capture, which is the same for a new and for a known address. */
export type CaptureAnswer = typeof Saved.Type | typeof Accepted.Type

/** A different capture was already sent with this idempotency key. */
export class KeyReused extends Data.TaggedError("KeyReused") {}
