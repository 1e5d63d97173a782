import { Context, Data, type Effect, Schema } from "effect"
import { LinkId } from "../domain/Link.ts"

/** A button under a message: one that comes back with its `data` (1 to 64 bytes), or one that opens an address. */
export const Button = Schema.Union(
  Schema.Struct({ label: Schema.String, data: Schema.String }),
  Schema.Struct({ label: Schema.String, url: Schema.String })
)
export type Button = typeof Button.Type

/** What is asked of the owner about a link: the answer to that message is taken for it. */
export const Asked = Schema.Literal("collection", "note")
export type Asked = typeof Asked.Type

/** A message to the owner, in the chat platform's HTML subset, at most 4,096 UTF-16 units of it to be read. */
export const ChatMessage = Schema.Struct({
  chatId: Schema.Int,
  html: Schema.String,
  /** The message this one answers. */
  replyTo: Schema.NullOr(Schema.Int),
  /** The job the message tells of: the first such message is sent, the later ones take its place. */
  job: Schema.optional(Schema.Int),
  /** The message whose place it takes; one that can no longer be changed is followed by this one. */
  replaces: Schema.optional(Schema.Int),
  /** Rows of buttons. A message that takes another's place without any takes its buttons away. */
  buttons: Schema.optional(Schema.Array(Schema.Array(Button))),
  /** Opens the field for an answer to this message, about this link. */
  asks: Schema.optional(Schema.Struct({ linkId: LinkId, what: Asked })),
  /** The saves it tells of, where it tells of nothing else: several such messages that wait are sent as one. */
  saves: Schema.optional(Schema.Array(Schema.Struct({ linkId: LinkId, created: Schema.Boolean })))
})
export type ChatMessage = typeof ChatMessage.Type

/** A message the platform has taken. */
interface SentMessage {
  readonly messageId: number
}

/**
 * A message was not taken. It holds no address, for the platform's contains the bot's credential.
 *
 * `not-configured`: there is no credential. `rate-limited`: not before so many seconds. `unavailable`: the platform
 * does not answer usefully. `rejected`: it will not take this message, for the reason it gives. `defect`: the program is
 * at fault, as the log says.
 */
export class ChatError extends Data.TaggedError("ChatError")<{
  readonly reason: "not-configured" | "rate-limited" | "unavailable" | "rejected" | "defect"
  readonly retryAfterSeconds?: number
  readonly description?: string
}> {}

/** How the bot marks a message of the owner's: one of the emoji that Telegram allows as reactions. */
export type Reaction = "👀" | "👍" | "✍" | "🤷"

/** The way to the owner's chat. */
export class Chat extends Context.Tag("Chat")<
  Chat,
  {
    readonly send: (message: ChatMessage) => Effect.Effect<SentMessage, ChatError>
    /** Puts the message in the place of one sent before; `rejected` where that can no longer be changed. */
    readonly edit: (messageId: number, message: ChatMessage) => Effect.Effect<void, ChatError>
    /** Answers a pressed button, with at most 200 characters that show for a moment; nobody is worse off if it fails. */
    readonly acknowledge: (callbackId: string, text?: string) => Effect.Effect<void>
    /** Marks a message of the owner's; given up where it does not work at once. */
    readonly react: (chatId: number, messageId: number, reaction: Reaction) => Effect.Effect<void>
    /** Shows for some five seconds that the bot is at work. */
    readonly typing: (chatId: number) => Effect.Effect<void>
  }
>() {}
