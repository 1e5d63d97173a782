import { Schema } from "effect"

/** From where to where, in UTF-16 units of the field's text. */
const Range = Schema.Tuple(Schema.Int, Schema.Int)
export type Range = typeof Range.Type

/** Where a search's words stand in a link's fields; a field that holds none is absent. */
export const Highlights = Schema.Struct({
  title: Schema.optional(Schema.Array(Range)),
  note: Schema.optional(Schema.Array(Range)),
  summary: Schema.optional(Schema.Array(Range)),
  description: Schema.optional(Schema.Array(Range)),
  url: Schema.optional(Schema.Array(Range)),
  /** The tag's place in the list, and from where to where in it. */
  tags: Schema.optional(Schema.Array(Schema.Tuple(Schema.Int, Schema.Int, Schema.Int))),
  /** The part of the page's text that holds the words, where no other field does. */
  excerpt: Schema.optional(Schema.Struct({ text: Schema.String, ranges: Schema.Array(Range) }))
}).annotations({ identifier: "Highlights" })
export type Highlights = typeof Highlights.Type

/** Signs that stand in no text (https://www.unicode.org/faq/private_use.html#noncharacters), put around what matched. */
export const MARK_START = "\uFDD0"
export const MARK_END = "\uFDD1"

/** Takes the marks out of a text and says where they stood. */
export const readMarks = (
  marked: string
): { readonly text: string; readonly ranges: ReadonlyArray<Range> } => {
  const ranges: Array<Range> = []
  let text = ""
  let start: number | undefined
  for (const part of marked.split(/([\uFDD0\uFDD1])/)) {
    if (part === MARK_START) start = text.length
    else if (part === MARK_END) {
      if (start !== undefined && start < text.length) ranges.push([start, text.length])
      start = undefined
    } else text += part
  }
  return { text, ranges }
}
