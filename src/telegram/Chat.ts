import { Context, Data, type Effect, Schema } from "effect"
import { LinkId } from "../domain/Link.ts"
import { Question } from "../domain/Messages.ts"

/** A button under a message: it sends back its `data` (1 to 64 bytes) or opens a URL. */
export const Button = Schema.Union(
  Schema.Struct({ label: Schema.String, data: Schema.String }),
  Schema.Struct({ label: Schema.String, url: Schema.String })
)
export type Button = typeof Button.Type

/** A message to the owner in the chat platform's HTML subset, at most 4,096 UTF-16 units without markup. */
export const ChatMessage = Schema.Struct({
  chatId: Schema.Int,
  html: Schema.String,
  /** The message that this one replies to. */
  replyTo: Schema.NullOr(Schema.Int),
  /** The job that the message reports: the first such message is sent, later ones replace it. */
  job: Schema.optional(Schema.Int),
  /** The message to replace; if that can no longer be edited, this one is sent as a new message. */
  replaces: Schema.optional(Schema.Int),
  /** Rows of buttons. Replacing a message without buttons removes its buttons. */
  buttons: Schema.optional(Schema.Array(Schema.Array(Button))),
  /** Opens the reply field to ask for this about the link. */
  asks: Schema.optional(Question),
  /** The saves it reports, if it reports nothing else: consecutive queued messages of this kind are sent as one. */
  saves: Schema.optional(Schema.Array(Schema.Struct({ linkId: LinkId, created: Schema.Boolean })))
})
export type ChatMessage = typeof ChatMessage.Type

/** A message that the platform accepted. */
interface SentMessage {
  readonly messageId: number
}

/**
 * A failed call to the platform. It contains no URL, because the platform's URLs contain the bot's credential.
 *
 * `not-configured`: there is no credential. `rate-limited`: retry after `retryAfterSeconds`. `unavailable`: the
 * platform sends no usable response. `rejected`: it refuses the call; `description` gives the reason. `defect`: a bug
 * in the program, reported in the log.
 */
export class ChatError extends Data.TaggedError("ChatError")<{
  readonly reason: "not-configured" | "rate-limited" | "unavailable" | "rejected" | "defect"
  readonly retryAfterSeconds?: number
  readonly description?: string
}> {}

/** The bot's reactions to the owner's messages, from the emoji that Telegram allows as reactions. */
export type Reaction = "👀" | "👍" | "✍" | "🤷"

/** The connection to the owner's chat. */
export class Chat extends Context.Tag("Chat")<
  Chat,
  {
    readonly send: (message: ChatMessage) => Effect.Effect<SentMessage, ChatError>
    /** Replaces a message sent before; fails with `rejected` if it can no longer be edited. */
    readonly edit: (messageId: number, message: ChatMessage) => Effect.Effect<void, ChatError>
    /** Acknowledges a button press with a short notice of at most 200 characters; best effort. */
    readonly acknowledge: (callbackId: string, text?: string) => Effect.Effect<void>
    /** Reacts to a message of the owner; best effort, without waiting or retrying. */
    readonly react: (chatId: number, messageId: number, reaction: Reaction) => Effect.Effect<void>
    /** Shows for about five seconds that the bot is typing; best effort. */
    readonly typing: (chatId: number) => Effect.Effect<void>
  }
>() {}
