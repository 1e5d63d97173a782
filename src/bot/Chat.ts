import { Context, Data, type Effect, Schema } from "effect"

/** A message to the owner, in the chat platform's HTML subset, at most 4,096 UTF-16 units of it to be read. */
export const ChatMessage = Schema.Struct({
  chatId: Schema.Int,
  html: Schema.String,
  /** The message this one answers. */
  replyTo: Schema.NullOr(Schema.Int),
  /** The job the message tells of: the first such message is sent, the later ones take its place. */
  job: Schema.optional(Schema.Int)
})
export type ChatMessage = typeof ChatMessage.Type

/** A message the platform has taken. */
export interface SentMessage {
  readonly messageId: number
}

/**
 * A message was not taken. It holds no address, for the platform's contains the bot's credential.
 *
 * `not-configured`: there is no credential. `rate-limited`: not before so many seconds. `unavailable`: the platform
 * does not answer usefully. `rejected`: it will not take this message, for the reason it gives.
 */
export class ChatError extends Data.TaggedError("ChatError")<{
  readonly reason: "not-configured" | "rate-limited" | "unavailable" | "rejected"
  readonly retryAfterSeconds?: number
  readonly description?: string
}> {}

/** The way to the owner's chat. */
export class Chat extends Context.Tag("Chat")<
  Chat,
  {
    readonly send: (message: ChatMessage) => Effect.Effect<SentMessage, ChatError>
    /** Puts the message in the place of one sent before; `rejected` where that can no longer be changed. */
    readonly edit: (messageId: number, message: ChatMessage) => Effect.Effect<void, ChatError>
  }
>() {}
