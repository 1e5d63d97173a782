import { Schema } from "effect"
import { highlightColours } from "../shared/HighlightParameters.ts"
import { MAX_HIGHLIGHT_NOTE, MAX_LINK_HIGHLIGHTS, MAX_QUOTE, MAX_QUOTE_CONTEXT } from "../shared/Limits.ts"
import { IsoTime } from "./IsoTime.ts"
import { LinkId } from "./Link.ts"

/** A highlight's number: positive, never reused. */
export const HighlightId = Schema.Int.pipe(Schema.positive(), Schema.brand("HighlightId")).annotations({
  description: "A highlight's number, which is never reused."
})
export type HighlightId = typeof HighlightId.Type

export const HighlightColour = Schema.Literal(...highlightColours)
export type HighlightColour = typeof HighlightColour.Type

export const HighlightSource = Schema.Literal("reader", "extension", "chat", "import")
export type HighlightSource = typeof HighlightSource.Type

/** The passage that a highlight quotes, exactly as it stands in the page's text. */
export const Quote = Schema.String.pipe(
  Schema.maxLength(MAX_QUOTE),
  Schema.filter((text) => text.trim() !== "" || "Expected a text")
).annotations({ description: "The passage, exactly as it stands in the text of the page." })

const context = (description: string) =>
  Schema.String.pipe(Schema.maxLength(MAX_QUOTE_CONTEXT)).annotations({ description })

const Offset = Schema.NonNegativeInt
export const HighlightNote = Schema.String.pipe(Schema.maxLength(MAX_HIGHLIGHT_NOTE)).annotations({
  description: "The owner's note on the passage."
})

/** Selectors of https://www.w3.org/TR/annotation-model/#text-quote-selector; positions in `articleText`. */
export const Highlight = Schema.Struct({
  id: HighlightId,
  linkId: LinkId,
  quote: Quote,
  prefix: context("The text before the passage."),
  suffix: context("The text after the passage."),
  start: Schema.NullOr(Offset).annotations({
    description:
      "Where the passage begins in the text of the kept page, in UTF-16 units; null if it is not in it or no page is kept."
  }),
  end: Schema.NullOr(Offset).annotations({ description: "Where it ends." }),
  isLost: Schema.Boolean.annotations({
    description:
      "Whether the kept page no longer has the passage. It is found again when the text comes back."
  }),
  colour: HighlightColour,
  note: HighlightNote,
  source: HighlightSource.annotations({ description: "Where it was made." }),
  createdAt: IsoTime.annotations({ description: "When it was made, as an ISO 8601 time in UTC." }),
  updatedAt: IsoTime
}).annotations({ identifier: "Highlight" })
export type Highlight = typeof Highlight.Type

export const ListedHighlight = Schema.Struct({
  ...Highlight.fields,
  link: Schema.Struct({ id: LinkId, title: Schema.String, url: Schema.String, host: Schema.String })
}).annotations({ identifier: "ListedHighlight" })
export type ListedHighlight = typeof ListedHighlight.Type

/** A highlight to make. Its position is a hint: the passage is looked for in the kept page. */
export const NewHighlight = Schema.Struct({
  quote: Quote,
  prefix: Schema.optionalWith(context("The text before the passage."), { default: () => "" }),
  suffix: Schema.optionalWith(context("The text after the passage."), { default: () => "" }),
  start: Schema.optional(Schema.NullOr(Offset)),
  end: Schema.optional(Schema.NullOr(Offset)),
  colour: Schema.optionalWith(HighlightColour, { default: () => "yellow" }),
  note: Schema.optionalWith(HighlightNote, { default: () => "" }),
  /** When it was made, for one that comes from elsewhere; now without it. */
  createdAt: Schema.optional(IsoTime),
  source: Schema.optionalWith(HighlightSource, { default: () => "reader" })
})
export type NewHighlight = typeof NewHighlight.Type

export const newHighlight = (quote: string): NewHighlight => ({
  quote,
  prefix: "",
  suffix: "",
  colour: "yellow",
  note: "",
  source: "reader"
})

export const HighlightEdit = Schema.Struct({
  colour: Schema.optional(HighlightColour),
  note: Schema.optional(HighlightNote)
})
export type HighlightEdit = typeof HighlightEdit.Type

export const ExportedHighlight = Highlight.omit("id", "linkId", "isLost")
export type ExportedHighlight = typeof ExportedHighlight.Type

export class HighlightNotFound extends Schema.TaggedError<HighlightNotFound>()("HighlightNotFound", {}) {
  override get message() {
    return "This highlight was deleted."
  }
}

export class TooManyHighlights extends Schema.TaggedError<TooManyHighlights>()("TooManyHighlights", {}) {
  override get message() {
    return `A link can have at most ${MAX_LINK_HIGHLIGHTS} highlights. Delete some first.`
  }
}
