import { cutText } from "../shared/Truncate.ts"
import type { Button, ChatMessage, QuestionKind, Reaction } from "./Chat.ts"
import { stripMarkup } from "./Content.ts"

/** Payloads of Bot API methods (https://core.telegram.org/bots/api#available-methods). */

/** Maximum length of a notice after a button press, in UTF-16 units. */
const MAX_NOTICE = 200

/** Placeholders of the reply field, at most 64 characters each. */
const placeholders: Record<QuestionKind, string> = {
  collection: "Name of the collection",
  note: "What to note"
}

const inlineButton = (button: Button) =>
  "url" in button
    ? { text: button.label, url: button.url }
    : { text: button.label, callback_data: button.data }

const keyboard = (rows: ReadonlyArray<ReadonlyArray<Button>>) => ({
  inline_keyboard: rows.map((row) => row.map(inlineButton))
})

const content = ({ chatId, html }: ChatMessage) => ({
  chat_id: chatId,
  text: html,
  parse_mode: "HTML" as const,
  link_preview_options: { is_disabled: true }
})

/** A message's reply markup. A message has only one kind, so a question opens the reply field and has no buttons. */
const markup = ({ asks, buttons }: ChatMessage) => {
  if (asks !== undefined)
    return {
      reply_markup: { force_reply: true as const, input_field_placeholder: placeholders[asks.what] }
    }
  return buttons === undefined ? {} : { reply_markup: keyboard(buttons) }
}

/** https://core.telegram.org/bots/api#sendmessage */
export const sendMessage = (message: ChatMessage) => ({
  ...content(message),
  ...markup(message),
  ...(message.replyTo === null
    ? {}
    : { reply_parameters: { message_id: message.replyTo, allow_sending_without_reply: true } })
})

/** https://core.telegram.org/bots/api#editmessagetext; a message without buttons removes the existing ones. */
export const editMessageText = (messageId: number, message: ChatMessage) => ({
  ...content(message),
  message_id: messageId,
  ...(message.buttons === undefined ? {} : { reply_markup: keyboard(message.buttons) })
})

/** The same payload as plain text. */
export const withoutMarkup = <Payload extends { readonly text: string; readonly parse_mode: "HTML" }>({
  parse_mode: _,
  ...payload
}: Payload) => ({ ...payload, text: stripMarkup(payload.text) })

/** https://core.telegram.org/bots/api#answercallbackquery */
export const answerCallbackQuery = (callbackId: string, text?: string) => ({
  callback_query_id: callbackId,
  ...(text === undefined
    ? {}
    : {
        text: cutText(text.toWellFormed(), MAX_NOTICE)
      })
})

/** https://core.telegram.org/bots/api#setmessagereaction */
export const setMessageReaction = (chatId: number, messageId: number, emoji: Reaction) => ({
  chat_id: chatId,
  message_id: messageId,
  reaction: [{ type: "emoji" as const, emoji }]
})

/** https://core.telegram.org/bots/api#sendchataction */
export const sendChatAction = (chatId: number) => ({ chat_id: chatId, action: "typing" as const })

/** A command in the bot's menu: 1 to 32 characters of `a-z0-9_`, and a description of at most 256 characters. */
export interface BotCommand {
  readonly command: string
  readonly description: string
}

/** https://core.telegram.org/bots/api#setmycommands; the commands are visible in this chat only. */
export const setMyCommands = (chatId: number, commands: ReadonlyArray<BotCommand>) => ({
  commands: commands.map(({ command, description }) => ({ command, description })),
  scope: { type: "chat" as const, chat_id: chatId }
})

/** The update types that the bot receives. */
export const UPDATES = [
  "message",
  "edited_message",
  "channel_post",
  "edited_channel_post",
  "callback_query"
] as const

/** https://core.telegram.org/bots/api#setwebhook */
export const setWebhook = (url: string, secret: string) => ({
  url,
  secret_token: secret,
  allowed_updates: UPDATES,
  max_connections: 10,
  drop_pending_updates: false
})

/** https://core.telegram.org/bots/api#deletewebhook */
export const deleteWebhook = (dropPending: boolean) => ({ drop_pending_updates: dropPending })
