import { Option } from "effect"
import type { Json } from "../domain/Json.ts"
import type { TextRange } from "../domain/Note.ts"
import { integer, type MessageText, messageText, object, slice, text } from "./MessageText.ts"

export const isGroup = (chat: Json | undefined): boolean => /^(?:super)?group$/.test(text(chat, "type"))

/** Names of bots end in this, which tells them apart while the bot does not know its own. */
const anyBot = /bot$/i

const isNamed = (name: string, own: Option.Option<string>): boolean =>
  Option.match(own, {
    onNone: () => anyBot.test(name),
    onSome: (known) => known.toLowerCase() === name.toLowerCase()
  })

const mentionsIn = (content: MessageText, own: Option.Option<string>): ReadonlyArray<TextRange> =>
  content.entities.filter(
    (entity) => entity.type === "mention" && isNamed(slice(content, entity).slice(1), own)
  )

/** In a topic, a message without a reply names the message that opened the topic. */
export const repliedTo = (message: Json): Json | undefined => {
  const replied = object(message, "reply_to_message")
  const isTopic =
    object(replied, "forum_topic_created") !== undefined ||
    (message["is_topic_message"] === true &&
      integer(replied, "message_id") === integer(message, "message_thread_id"))
  return isTopic ? undefined : replied
}

const isFromBot = (message: Json | undefined, own: Option.Option<string>): boolean => {
  const from = object(message, "from")
  return from?.["is_bot"] === true && isNamed(text(from, "username"), own)
}

/** Whether the first words are a command for this bot, or for any. */
const isCommand = (message: Json, content: MessageText, own: Option.Option<string>): boolean => {
  const command = content.entities.find(({ start, type }) => type === "bot_command" && start === 0)
  if (command === undefined || object(message, "forward_origin") !== undefined) return false
  const [, suffix] = slice(content, command).split("@", 2)
  return suffix === undefined || isNamed(suffix, own)
}

/** Mentions the bot, replies to it, or begins with a command. `own` is the bot's name; other chats always are. */
export const isAddressed = (message: Json, own: Option.Option<string>): boolean => {
  if (!isGroup(object(message, "chat"))) return true
  const content = messageText(message)
  return (
    isFromBot(repliedTo(message), own) ||
    isCommand(message, content, own) ||
    mentionsIn(content, own).length > 0
  )
}

/** The text without the mentions of the bot, and without the space that they leave. */
export const withoutMentions = (content: MessageText, own: Option.Option<string>): MessageText => {
  let { entities, text } = content
  for (const { end: to, start } of mentionsIn(content, own).toReversed()) {
    const isSpaced = start === 0 || /\s/.test(text.charAt(start - 1))
    const end = to + (isSpaced ? (/^[^\S\n]*[,:]?[^\S\n]*/.exec(text.slice(to))?.[0].length ?? 0) : 0)
    const cut = end - start
    text = text.slice(0, start) + text.slice(end)
    entities = entities
      .filter((entity) => entity.end <= start || entity.start >= end)
      .map((entity) =>
        entity.start < end ? entity : { ...entity, start: entity.start - cut, end: entity.end - cut }
      )
  }
  return { text, entities }
}
