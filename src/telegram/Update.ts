import { Effect, Option } from "effect"
import { Setting } from "../config/Configuration.ts"
import type { Json } from "../domain/Schemas.ts"
import { messageNote, messageTags, messageUrls, piecesOutside, sourceOf } from "./MessageLinks.ts"
import { integer, type MessageText, messageText, object, slice, text } from "./MessageText.ts"

interface InChat {
  readonly chatId: number
  readonly messageId: number
}

/** Links to be saved, with what the message says around them. */
export interface Links extends InChat {
  readonly urls: ReadonlyArray<string>
  readonly note: string
  readonly tags: ReadonlyArray<string>
  /** The public post a forwarded message came from. */
  readonly source: string | null
  /** The bot that a command beside the links calls. */
  readonly mention: string | null
}

/** What an update asks the bot to do. */
export type ChatUpdate =
  | ({ readonly _tag: "Save" } & Links)
  /** A message has been changed: its links' note follows, and new links are saved. It may name none any more. */
  | ({ readonly _tag: "Edit" } & Links)
  /** An answer to a message, the bot's or the owner's own: a note, where that is about a link. */
  | ({ readonly _tag: "SetNote"; readonly replyTo: number; readonly note: string } & InChat)
  | ({ readonly _tag: "Search"; readonly text: string } & InChat)
  /**
   * A message that begins with a command, whatever else it holds; `/save` with a link is a `Save`. `mention` is the bot
   * that a `/command@name` calls, `replyTo` the message that the command answers.
   */
  | ({
      readonly _tag: "Command"
      readonly name: string
      /** The text after the command, as written. */
      readonly args: string
      /** The same as one line without its links. */
      readonly words: string
      /** Whether that text holds links. */
      readonly hasLinks: boolean
      readonly mention: string | null
      readonly replyTo: number | null
    } & InChat)
  /** A pressed button. The message it stands under may be too old to be changed. */
  | {
      readonly _tag: "Callback"
      readonly chatId: number
      readonly messageId: number | null
      readonly id: string
      readonly data: string
      readonly editable: boolean
    }
  /** Something the bot has no use for, and should say so. */
  | ({ readonly _tag: "Hint"; readonly reason: "no-link" | "not-http" | "unsupported" } & InChat)
  | { readonly _tag: "Ignored" }

/** A longer text without a link is no search. */
const MAX_SEARCH = 500

const ignored: ChatUpdate = { _tag: "Ignored" }

const messageKinds = ["message", "edited_message", "channel_post", "edited_channel_post"] as const

const messageOf = (update: Json): { readonly message: Json; readonly edited: boolean } | undefined => {
  for (const kind of messageKinds) {
    const message = object(update, kind)
    if (message !== undefined) return { message, edited: kind.startsWith("edited") }
  }
  return undefined
}

/** The number an update is known by; null where it has none. */
export const updateIdOf = (update: unknown): number | null => integer(object(update), "update_id")

/**
 * The chat an update counts for at the chat gate; null where there is none.
 *
 * A button counts for its message's chat, and in a private chat for none but the person it is with.
 */
export const chatOf = (update: unknown): number | null => {
  const body = object(update)
  if (body === undefined) return null
  const found = messageOf(body)
  if (found !== undefined) return integer(object(found.message, "chat"), "id")
  const pressed = object(body, "callback_query")
  const chat = object(pressed, "message", "chat")
  const id = integer(chat, "id")
  return text(chat, "type") === "private" && integer(object(pressed, "from"), "id") !== id ? null : id
}

/** The text or caption of the message an update carries; empty where it has none. */
export const saidIn = (update: unknown): string => {
  const body = object(update)
  const found = body === undefined ? undefined : messageOf(body)
  return found === undefined ? "" : messageText(found.message).text
}

/** The message that an update sends or edits, as a key; null for one that does neither. */
export const subjectOf = (update: unknown): string | null => {
  const body = object(update)
  const message = body === undefined ? undefined : messageOf(body)?.message
  const chat = integer(object(message, "chat"), "id")
  const id = integer(message, "message_id")
  return chat === null || id === null ? null : `${chat} ${id}`
}

/** The command a message begins with; what somebody else wrote gives no orders. */
const commandOf = (message: Json, said: MessageText) => {
  const entity = said.entities.find(({ start, type }) => type === "bot_command" && start === 0)
  if (entity === undefined || isForwarded(message)) return undefined
  const [name = "", mention = null] = slice(said, entity).slice(1).split("@", 2)
  return { name: name.toLowerCase(), mention, end: entity.end }
}

const isForwarded = (message: Json) => object(message, "forward_origin") !== undefined

const hint = (reason: "no-link" | "not-http" | "unsupported", at: InChat): ChatUpdate => ({
  _tag: "Hint",
  reason,
  ...at
})

/** The message that this one answers. */
const answeredOf = (message: Json): number | null =>
  integer(object(message, "reply_to_message"), "message_id")

/** A search for what a message says. */
export const searchFor = (said: string, at: InChat): ChatUpdate =>
  said.length > MAX_SEARCH ? hint("no-link", at) : { _tag: "Search", text: said.trim(), ...at }

/** What a message without a link is; `others` says that it has addresses which are not of the web. */
const withoutLink = (message: Json, said: MessageText, at: InChat, others: boolean): ChatUpdate => {
  const replyTo = answeredOf(message)
  if (replyTo !== null && said.text !== "") return { _tag: "SetNote", replyTo, note: said.text.trim(), ...at }
  if (others) return hint("not-http", at)
  if (said.text === "") {
    // The other pictures of an album carry no caption, and those have none to answer.
    const silent = text(message, "media_group_id") !== "" || !carriesSomething(message)
    return silent ? ignored : hint("unsupported", at)
  }
  return isForwarded(message) ? hint("no-link", at) : searchFor(said.text, at)
}

const contents = [
  "sticker",
  "photo",
  "video",
  "animation",
  "audio",
  "voice",
  "video_note",
  "document",
  "location",
  "venue",
  "contact",
  "poll",
  "dice",
  "story",
  "live_photo",
  "paid_media",
  "checklist",
  "game",
  "giveaway",
  "rich_message"
]
const carriesSomething = (message: Json) => contents.some((name) => name in message)

const readMessage = (message: Json, edited: boolean): ChatUpdate => {
  const chatId = integer(object(message, "chat"), "id")
  const messageId = integer(message, "message_id")
  if (chatId === null || messageId === null) return ignored
  const at = { chatId, messageId }
  const said = messageText(message)
  const command = commandOf(message, said)
  const { others, ranges, urls } = messageUrls(message, said)
  if (command !== undefined && command.name !== "save") {
    if (edited) return ignored
    const { end, mention, name } = command
    return {
      _tag: "Command",
      name,
      mention,
      args: said.text.slice(end).trim(),
      words: piecesOutside(said, [{ start: 0, end }, ...ranges]).join(" "),
      hasLinks: ranges.length > 0 || said.entities.some(({ type }) => type === "text_link"),
      replyTo: answeredOf(message),
      ...at
    }
  }
  if (urls.length === 0 && !edited) {
    if (command !== undefined) return hint(others ? "not-http" : "no-link", at)
    return withoutLink(message, said, at, others)
  }
  // A live location that moves, for one, is an edit that says nothing.
  if (urls.length === 0 && said.text === "") return ignored
  const source = sourceOf(message)
  const tags = messageTags(said)
  return {
    _tag: edited ? "Edit" : "Save",
    ...at,
    urls,
    note: messageNote(said, ranges, tags),
    tags,
    source: source === "" || urls.includes(source) ? null : source,
    mention: command?.mention ?? null
  }
}

const readCallback = (pressed: Json): ChatUpdate => {
  const message = object(pressed, "message")
  const chatId = integer(object(message, "chat"), "id")
  if (chatId === null) return ignored
  return {
    _tag: "Callback",
    chatId,
    messageId: integer(message, "message_id"),
    id: text(pressed, "id"),
    data: text(pressed, "data"),
    // The platform dates a message it no longer has to the year 1970.
    editable: (integer(message, "date") ?? 0) > 0
  }
}

/** Reads a Bot API update (https://core.telegram.org/bots/api#update). Total: what it does not know it ignores. */
export const readUpdate = (update: unknown): ChatUpdate => {
  const body = object(update)
  if (body === undefined) return ignored
  const found = messageOf(body)
  if (found !== undefined) return readMessage(found.message, found.edited)
  const pressed = object(body, "callback_query")
  return pressed === undefined ? ignored : readCallback(pressed)
}

/** Gate 2: the only chat the bot serves; none, and so nobody, while the setting is unset or no chat's number. */
export const allowedChat: Effect.Effect<Option.Option<number>> = Effect.orElseSucceed(
  Setting.allowedChatId.config,
  Option.none
)

/** How many chats are told of: strangers can write to the bot as well. */
const NEWCOMERS = 10

/**
 * Tells the log the number of a chat that writes while none is served, once for each: the owner needs it for the setting,
 * and the chat gets no answer that would say it.
 */
export const makeNewcomers = Effect.sync(() => {
  const told = new Set<number>()
  return Effect.fnUntraced(function* (chat: number) {
    if (told.has(chat) || told.size >= NEWCOMERS) return
    told.add(chat)
    yield* Effect.logInfo(`A message came from chat ${chat}. If that is yours, set ALLOWED_CHAT_ID=${chat}.`)
  })
})
