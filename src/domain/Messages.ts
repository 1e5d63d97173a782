import { Schema } from "effect"
import { LinkId } from "./Link.ts"

export interface MessageRef {
  readonly chatId: number
  readonly messageId: number
}

/** Links to save, with the text around them in the owner's message. */
export const LinkMessage = Schema.Struct({
  chatId: Schema.Int,
  messageId: Schema.Int,
  urls: Schema.Array(Schema.String),
  note: Schema.String,
  tags: Schema.Array(Schema.String),
  /** The public post that the message was forwarded from. */
  source: Schema.NullOr(Schema.String)
})
export type LinkMessage = typeof LinkMessage.Type

export const QuestionKind = Schema.Literal("collection", "note")
export type QuestionKind = typeof QuestionKind.Type

/** A question about a link: which collection it belongs in, or what note to add. */
export const Question = Schema.Struct({ linkId: LinkId, what: QuestionKind })
export type Question = typeof Question.Type

/** A reply that waits to be sent; `message` is the bot's JSON. */
export const OutgoingReply = Schema.Struct({
  id: Schema.Int,
  message: Schema.String,
  linkIds: Schema.parseJson(Schema.Array(LinkId)),
  attempts: Schema.Int,
  createdAt: Schema.String,
  nextAt: Schema.String,
  isDue: Schema.BooleanFromUnknown
})
export type OutgoingReply = typeof OutgoingReply.Type
