import { Schema } from "effect"
import { LinkId } from "./Link.ts"

/** A message in the owner's chat, identified by the platform's numbers. */
export interface MessageRef {
  readonly chatId: number
  readonly messageId: number
}

/** Links to save, with the text around them in the owner's message. */
export interface LinkMessage extends MessageRef {
  readonly urls: ReadonlyArray<string>
  readonly note: string
  readonly tags: ReadonlyArray<string>
  /** The public post that the message was forwarded from. */
  readonly source: string | null
}

/** What a message asks the owner about a link; a reply to that message is the answer. */
export const QuestionKind = Schema.Literal("collection", "note")
export type QuestionKind = typeof QuestionKind.Type

/** A question about a link: which collection it belongs in, or what note to add. */
export const Question = Schema.Struct({ linkId: LinkId, what: QuestionKind })
export type Question = typeof Question.Type

/** A reply that waits to be sent; `message` is the bot's JSON. */
export const OutgoingReply = Schema.Struct({
  id: Schema.Int,
  message: Schema.String,
  /** The links the reply is about. */
  linkIds: Schema.parseJson(Schema.Array(LinkId)),
  attempts: Schema.Int,
  createdAt: Schema.String,
  /** When the next attempt is due. */
  nextAt: Schema.String,
  isDue: Schema.BooleanFromUnknown
})
export type OutgoingReply = typeof OutgoingReply.Type
